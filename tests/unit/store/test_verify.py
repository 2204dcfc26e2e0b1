"""The record held against itself: whatever is touched behind its back is found and named."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from sliceway.brain.local import LocalBrain, LocalDoor
from sliceway.core.principals import Principal
from sliceway.errors import InvalidRequest, NotPermitted
from tests.contract.people import ANN, in_channel, in_private, put_shared


async def _lived(door: LocalDoor, ada: LocalBrain) -> None:
    """Let a store see a bit of everything."""
    gateway = door.enter(Principal.gateway("ada", teams=["T1"], acts_for=True, decides=True))
    await put_shared(gateway, "plan", "the plan of [[n]]", tags=["t"])
    for text in ("one [[plan]]", "two [[plan]] [[m]]"):
        await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": text}, {"slug": "m", "content": text}])
    await ada.delete(slice="mine", slug="m")
    await ada.restore(slice="mine", slug="m", version=1)
    deleted = await ada.delete(slice="mine", slug="m")
    await ada.undo(slice="mine", slug="m", expected_event=deleted.receipts[0].event_id)
    await ada.delete(slice="mine", slug="n", reason="old")
    await gateway.write_pages(slice="user", pages=[{"slug": "p", "content": "private"}], origin=in_private(ANN))
    await gateway.write_pages(slice="shared", pages=[{"slug": "q", "content": "waits"}], origin=in_channel(ANN))
    operator = door.enter(Principal.operator("op"))
    made = await operator.create_token(kind="gateway", agent="ada", teams=["T1"])
    known = door.enter(await door.principal_of((await operator.rotate_token(id=made.entry.id)).token))
    await known.report_denial(op="write_page", slice="agent-bob", origin=in_channel(ANN))
    await operator.revoke_token(id=made.entry.id)
    with pytest.raises(NotPermitted):
        await ada.write_pages(slice="agent-bob", pages=[{"slug": "x", "content": "x"}])


async def test_br11_a_store_that_lived_verifies(door: LocalDoor, ada: LocalBrain, operator: LocalBrain) -> None:
    """BR11: after writes, deletions, restores, undos, decisions and refusals every hash and projection holds."""
    await _lived(door, ada)
    told: list[tuple[int, int]] = []
    report = await operator.verify(progress=lambda done, total: told.append((done, total)))
    assert (report.ok, report.errors) == (True, ())
    assert told[-1] == (report.events, report.events)


DAMAGE = [
    "UPDATE events SET payload = replace(payload, 'two', 'six') WHERE slice = 'agent-ada' AND seq = 3",
    "UPDATE events SET author = replace(author, 'ada', 'bob') WHERE slice = 'agent-ada' AND seq = 1",
    "UPDATE events SET at = '2020-01-01T00:00:00.000000Z' WHERE slice = 'agent-ada' AND seq = 2",
    "UPDATE events SET salt = NULL WHERE slice = 'agent-ada' AND seq = 2",
    "UPDATE events SET payload = 'nonsense' WHERE slice = 'agent-ada' AND seq = 2",
    "DELETE FROM events WHERE slice = 'agent-ada' AND seq = 2",
    "DELETE FROM events WHERE slice = 'agent-ada' AND seq = (SELECT MAX(seq) FROM events WHERE slice = 'agent-ada')",
    "DELETE FROM events WHERE slice = 'agent-ada'",
    "DELETE FROM slices WHERE slice = 'agent-ada'",
    "UPDATE slices SET head = 'f' WHERE slice = 'agent-ada'",
    "UPDATE slices SET docs = docs + 1 WHERE slice = 'agent-ada'",
    "UPDATE slices SET length = 0 WHERE slice = 'agent-ada'",
    "UPDATE pages SET content = 'forged' WHERE slice = 'agent-ada' AND slug = 'm'",
    "UPDATE pages SET title_key = 'forged' WHERE slice = 'agent-ada' AND slug = 'm'",
    "UPDATE pages SET deleted_at = NULL WHERE slice = 'agent-ada' AND slug = 'n'",
    "DELETE FROM pages WHERE slice = 'agent-ada' AND slug = 'm'",
    "INSERT INTO pages SELECT * FROM forged",
    "UPDATE page_versions SET content = 'forged' WHERE slice = 'agent-ada' AND slug = 'm' AND version = 1",
    "UPDATE page_versions SET approver = '{}' WHERE slice = 'agent-ada' AND slug = 'm' AND version = 1",
    "DELETE FROM page_versions WHERE slice = 'agent-ada' AND slug = 'm' AND version = 1",
    "DELETE FROM links WHERE slice = 'agent-ada'",
    "INSERT INTO links VALUES ('agent-ada', 'forged', 'm')",
    "DELETE FROM terms WHERE slice = 'agent-ada' AND term = 'one'",
    "UPDATE terms SET tf = 9 WHERE slice = 'agent-ada' AND term = 'one'",
    "UPDATE terms SET length = 9 WHERE slice = 'agent-ada' AND term = 'one'",
    "INSERT INTO terms VALUES ('agent-ada', 'forged', 999, 1, 1)",
    "UPDATE proposals SET state = 'applied' WHERE slice = 'shared' AND state = 'pending'",
    "UPDATE proposals SET pages = replace(pages, 'waits', 'wins')",
    "DELETE FROM proposals WHERE state = 'applied'",
    "UPDATE policy SET value = '[\"U-EVE\"]' WHERE name = 'managers'",
    "UPDATE tokens SET hash = replace(hash, substr(hash, 1, 1), 'x')",
    "UPDATE tokens SET revoked_at = NULL",
    "UPDATE tokens SET decides = 1",
    "DELETE FROM tokens",
    "UPDATE events SET token = NULL WHERE token IS NOT NULL",
    "UPDATE events SET token = 'forged' WHERE slice = '_system' AND seq = 1",
]


@pytest.mark.parametrize("statement", DAMAGE)
async def test_br11_every_change_behind_its_back_is_found(
    door: LocalDoor, ada: LocalBrain, operator: LocalBrain, file: Path, statement: str
) -> None:
    """BR11: a byte changed in an event, a missing or forged row of any projection: `verify` names it."""
    await _lived(door, ada)
    with sqlite3.connect(file) as raw:
        raw.execute("CREATE TEMP TABLE forged AS SELECT * FROM pages WHERE slice = 'agent-ada' AND slug = 'm'")
        raw.execute("UPDATE forged SET slug = 'forged', doc = 999")
        assert raw.execute(statement).rowcount > 0
    raw.close()
    report = await operator.verify()
    assert not report.ok
    ours = any(word in statement for word in ("policy", "token"))
    named = "_system" if ours else "shared" if "proposals" in statement else "agent-ada"
    assert {fault.slice for fault in report.errors} == {named}
    assert all(fault.what for fault in report.errors)


async def test_br11_an_earlier_head_must_still_be_in_the_chain(ada: LocalBrain, operator: LocalBrain) -> None:
    """BR11: `since` holds the store against an earlier head: one that is not in the chain is a fault."""
    await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "one"}])
    earlier = await operator.head()
    await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "two"}])
    assert (await operator.verify(since=earlier)).ok
    for wrong in ({"agent-ada": "ab" * 32}, {"agent-gone": "ab" * 32}):
        report = await operator.verify(since=wrong)
        assert [fault.slice for fault in report.errors] == list(wrong)
    with pytest.raises(InvalidRequest):
        await operator.verify(since={"agent-ada": "short"})


async def test_br11_only_administration_verifies(ada: LocalBrain, door: LocalDoor) -> None:
    """BR2: verification and heads are an admin's or the operator's."""
    for act in (ada.verify, ada.head):
        with pytest.raises(NotPermitted):
            await act()
    assert (await door.enter(Principal.admin()).verify()).ok
