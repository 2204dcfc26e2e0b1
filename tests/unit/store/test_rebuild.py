"""Rows lost or forged, made again from the ledger alone (BR11)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sliceway.brain.local import LocalBrain, LocalDoor
from sliceway.core.principals import Principal
from sliceway.ports import Brain, NewId
from sliceway.store import rebuild
from sliceway.store.ledger import slice_transaction
from sliceway.wire.codec import to_json
from tests.contract.office import ANN, MIA, alone, ask, at, gateway, page, settle
from tests.contract.office import written as wrote
from tests.fakes.clock import HandClock
from tests.fakes.stores import written

PROJECTED = (
    "pages", "page_versions", "links", "terms", "neighbours", "proposals", "grants", "policy", "channels", "people",
    "agents", "aliases", "tokens",
)  # fmt: skip
KEPT = ("events", "slices", "cards", "idempotency", "keeper_lease")


def dumped(file: Path, tables: tuple[str, ...] = (*PROJECTED, *KEPT)) -> dict[str, list[Any]]:
    """Return every row of some tables, in an order of their own."""
    with sqlite3.connect(file) as raw:
        found = {table: sorted(raw.execute(f"SELECT * FROM {table}").fetchall(), key=repr) for table in tables}
    raw.close()
    return found


async def lived(door: LocalDoor, ada: Brain) -> None:
    """Let a store see a bit of everything there is a table for."""
    operator = await settle(door)
    ours = gateway(door)
    await wrote(ours)
    asked = await ask(ours, page("plan", "The [[oncall]] plan."), origin=at(ANN, thread="2.2"))
    await ours.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA, grant_seconds=600)
    await ask(ours, page("next", "[[plan]] again"), origin=at(ANN, thread="3.3"))
    await ours.propose(op="write", slice="shared", pages=[page("d", "drafted")], origin=alone(ANN))
    for text in ("one [[b]]", "two [[c]] [[b]]"):
        await ada.write_pages(slice="mine", pages=[page("a", text, tags=["t"]), page("b", text, summary="s")])
    await ada.delete(slice="mine", slug="b", reason="old")
    await ada.restore(slice="mine", slug="b", version=1)
    await ada.delete(slice="mine", slug="b")
    await ada.register(display="Ada")
    await ours.observe(place={"team": "T1", "channel": "C9", "external": True})
    await ours.observe(person={"team": "T1", "user": "UGONE", "deactivated": True})
    await operator.create_token(kind="agent", agent="ada")
    await ours.claim_card(id=asked.id, place="C1", holder="h", lease_s=60)


async def reads_of(door: LocalDoor, ada: Brain, operator: LocalBrain) -> Any:
    """Return what everybody reads, as JSON."""
    ours = gateway(door)
    return to_json(
        [
            await ada.read_page(slice="mine", slug="a"), await ada.read_page(slice="shared", slug="oncall"),
            await ada.read_page(slice="shared", slug="plan"),
            await ada.versions(slice="mine", slug="b"), await ada.list_pages(), await ada.recall(query="plan two"),
            await ours.proposals(), await ours.grants(), await operator.policy(), await operator.agents(),
            await operator.tokens(), await operator.audit(), await operator.slices(),
        ]
    )  # fmt: skip


async def test_br11_a_rebuild_of_what_is_right_changes_not_one_row(
    door: LocalDoor, ada: LocalBrain, operator: LocalBrain, file: Path
) -> None:
    """BR11: of a store that holds, every table has the same rows after a rebuild, and every read the same answer."""
    await lived(door, ada)
    tables, reads = dumped(file), await reads_of(door, ada, operator)
    told: list[tuple[int, int]] = []
    report = await operator.rebuild(progress=lambda done, total: told.append((done, total)))
    assert (report.ok, report.events, report.slices) == (True, len(tables["events"]), len(tables["slices"]))
    assert told[-1] == (report.events, report.events)
    assert dumped(file) == tables
    assert await reads_of(door, ada, operator) == reads


async def test_br11_everything_that_follows_comes_back_from_the_ledger(
    door: LocalDoor, ada: LocalBrain, operator: LocalBrain, file: Path
) -> None:
    """BR11: with every row gone that follows from the ledger, counts and heads too, and rows forged where there are no
    events, a rebuild makes all of it again, and the record verifies."""
    await lived(door, ada)
    tables, reads = dumped(file), await reads_of(door, ada, operator)
    with sqlite3.connect(file) as raw:
        raw.execute("CREATE TEMP TABLE forged AS SELECT * FROM pages LIMIT 1")
        for table in PROJECTED:
            assert raw.execute(f"DELETE FROM {table}").rowcount > 0 or table == "aliases", table
        raw.execute("UPDATE forged SET slice = 'agent-ghost'")
        raw.execute("INSERT INTO pages SELECT * FROM forged")
        raw.execute("UPDATE slices SET seq = 0, docs = 7, length = 7, updated_at = ''")
    raw.close()
    report = await operator.rebuild()
    assert report.ok
    assert dumped(file) == tables
    assert await reads_of(door, ada, operator) == reads
    assert (await operator.verify()).ok


DAMAGE = {
    "a payload": "UPDATE events SET payload = replace(payload, 'two', 'six') WHERE slice = 'agent-ada' AND seq = 3",
    "an event gone": "DELETE FROM events WHERE slice = 'agent-ada' AND seq = 2",
    "the end cut off": "DELETE FROM events WHERE slice = 'agent-ada' AND seq > 4",
    "all events gone": "DELETE FROM events WHERE slice = 'agent-ada'",
}


@pytest.mark.parametrize("statement", DAMAGE.values(), ids=DAMAGE)
async def test_br11_a_slice_whose_chain_does_not_hold_is_left_as_it_was(
    door: LocalDoor, ada: LocalBrain, operator: LocalBrain, file: Path, statement: str
) -> None:
    """BR11: nothing is made again from a chain that is broken or cut off, so that a rebuild hides no loss: that slice
    is named and keeps its rows, and the others are rebuilt."""
    await lived(door, ada)
    with sqlite3.connect(file) as raw:
        assert raw.execute(statement).rowcount > 0
        raw.execute("DELETE FROM pages WHERE slice = 'shared'")
    raw.close()
    before = dumped(file)
    report = await operator.rebuild()
    assert [fault.slice for fault in report.errors] == ["agent-ada"]
    after = dumped(file)
    for table in ("pages", "page_versions", "terms"):
        ours = [row for row in before[table] if row[0] == "agent-ada"]
        assert ours == [row for row in after[table] if row[0] == "agent-ada"]
        assert ours
    assert [row for row in after["pages"] if row[0] == "shared"]


async def test_br11_a_rebuild_that_is_cut_off_is_completed_by_the_next(
    door: LocalDoor, ada: LocalBrain, operator: LocalBrain, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """BR11: ended in the middle of a slice it leaves that slice as it was, whole; a second rebuild does the rest."""
    await lived(door, ada)
    tables = dumped(file)
    with sqlite3.connect(file) as raw:
        raw.execute("DELETE FROM terms")
    raw.close()
    with monkeypatch.context() as patched:
        patched.setattr(rebuild.Projection, "follow", _ending_after(2, rebuild.Projection.follow))
        with pytest.raises(KeyboardInterrupt):
            await operator.rebuild()
    assert dumped(file, ("pages", "page_versions")) == {name: tables[name] for name in ("pages", "page_versions")}
    assert (await operator.rebuild()).ok
    assert dumped(file) == tables


def _ending_after(times: int, real: Callable[..., None]) -> Callable[..., None]:
    """Return `real`, which ends the program after it was called so often."""
    left = [times]

    def follow(*given: Any) -> None:
        real(*given)
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt

    return follow


@pytest.mark.parametrize(
    "row",
    [
        {"table": "agents", "key": {"id": "ada"}, "set": {"display": "Ada", "mood": "fine"}},
        {"table": "moods", "key": {"id": "ada"}, "set": {"mood": "fine"}},
    ],
)
async def test_br11_br12_what_a_newer_version_added_is_left_to_it(
    door: LocalDoor, ada: LocalBrain, operator: LocalBrain, file: Path, clock: HandClock, new_id: NewId, row: Any
) -> None:
    """BR11 BR12: an event of a version that only added tells of a column, or a table, that is not known here: the
    record verifies by all that is known, and a rebuild, which would lose what was added, leaves that slice as it is."""
    await lived(door, ada)
    with (
        written(door.database, "_system") as session,
        slice_transaction(session, "_system", clock=clock, new_id=new_id) as tx,
    ):
        tx.append("agent.registered", {"about": {"agent": "ada"}, "rows": [row]}, {"agent": "ada"})
    tables = dumped(file)
    assert (await operator.verify()).ok
    report = await operator.rebuild()
    assert [(fault.slice, "does not know" in fault.what) for fault in report.errors] == [("_system", True)]
    assert dumped(file) == tables


async def test_br11_more_events_than_are_followed_at_once_come_to_the_same(
    door: LocalDoor, ada: LocalBrain, operator: LocalBrain, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """BR11: a chain is followed in parts; where they end changes nothing."""
    await lived(door, ada)
    tables = dumped(file)
    for size in (1, 2, 3):
        monkeypatch.setattr(rebuild, "_BATCH", size)
        assert (await operator.rebuild()).ok
        assert dumped(file) == tables
    assert door.enter(Principal.operator()) is not None
