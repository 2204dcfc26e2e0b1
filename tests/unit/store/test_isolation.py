"""Foreign and missing are one answer, proven by the work done for it; a write touches one slice's rows."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from sliceway.brain.local import LocalBrain, LocalDoor
from sliceway.core.principals import Principal
from sliceway.core.slices import SYSTEM, user_slice
from sliceway.errors import SlicewayError
from sliceway.store.tables import metadata
from tests.contract.people import ANN, BEN, MANAGER, in_channel, in_private, put_shared
from tests.fakes.trace import Trace, traced

Call = Callable[[LocalBrain, str, dict[str, Any]], Awaitable[Any]]

READS: dict[str, Call] = {
    "recall": lambda brain, name, more: brain.recall(query="rotation plan", slices=[name], **more),
    "recall as of": lambda brain, name, more: brain.recall(
        query="rotation", slices=[name], as_of="2030-01-01", saved_by="bob", **more
    ),
    "read_page": lambda brain, name, more: brain.read_page(slice=name, slug="n", **more),
    "read_page version": lambda brain, name, more: brain.read_page(slice=name, slug="n", version=1, **more),
    "versions": lambda brain, name, more: brain.versions(slice=name, slug="n", **more),
    "list_pages": lambda brain, name, more: brain.list_pages(slice=name, **more),
    "list_pages slices": lambda brain, name, more: brain.list_pages(slices=[name], saved_by="bob", **more),
}
WRITES: dict[str, Call] = {
    "write_pages": lambda brain, name, more: brain.write_pages(
        slice=name, pages=[{"slug": "n", "content": "x"}], **more
    ),
    "dry run": lambda brain, name, more: brain.write_pages(
        slice=name, pages=[{"slug": "n", "content": "x"}], dry_run=True, **more
    ),
    "delete": lambda brain, name, more: brain.delete(slice=name, slug="n", **more),
    "restore": lambda brain, name, more: brain.restore(slice=name, slug="n", version=1, **more),
    "undo": lambda brain, name, more: brain.undo(slice=name, slug="n", expected_event="x", **more),
    "propose": lambda brain, name, more: brain.propose(
        op="write", slice=name, pages=[{"slug": "n", "content": "x"}], **more
    ),
}
PRINCIPALS: dict[str, tuple[Principal, dict[str, Any]]] = {
    "agent": (Principal.agent("ada"), {}),
    "gateway in a channel": (Principal.gateway("ada", teams=["T1"], acts_for=True), {"origin": in_channel(ANN)}),
    "gateway in private": (Principal.gateway("ada", teams=["T1"], acts_for=True), {"origin": in_private(ANN)}),
    "gateway without place": (Principal.gateway("ada", teams=["T1"], decides=True), {"origin": None}),
    "reader": (Principal.reader(["shared"]), {}),
    "admin": (Principal.admin(), {}),
    "operator": (Principal.operator("op"), {}),
}
TWINS = [("agent-bob", "agent-nob"), (BEN.slice, user_slice("T1", "U-NOB")), ("kb-one", "kb-two")]


async def _flooded(door: LocalDoor) -> None:
    """Fill the slices that are foreign to the caller."""
    pages = [{"slug": slug, "content": "rotation plan [[n]]"} for slug in ("n", "m", "k")]
    await door.enter(Principal.agent("bob")).write_pages(slice="mine", pages=pages)
    bobs = door.enter(Principal.gateway("bob", teams=["T1"], acts_for=True))
    await bobs.write_pages(slice="user", pages=pages, origin=in_private(BEN))
    await door.enter(Principal.agent("ada")).write_pages(slice="mine", pages=pages)


async def _answer(door: LocalDoor, call: Call, principal: Principal, name: str, more: dict[str, Any]) -> Any:
    try:
        return await call(door.enter(principal), name, more)
    except SlicewayError as error:
        said = error.detail.replace(name, "…")
        return type(error), error.code, said, {key: value for key, value in error.facts.items() if value != name}


@pytest.mark.parametrize("caller", PRINCIPALS)
@pytest.mark.parametrize("op", [*READS, *WRITES])
async def test_br4_foreign_and_never_written_are_one_answer_by_one_work(
    door: LocalDoor, op: str, caller: str
) -> None:  # fmt: skip
    """BR4 SC9: every op by every principal on a foreign slice and on one never written: the same answer, the same
    statements, none of which names the slice, and for reads the same number of the engine's instructions."""
    await _flooded(door)
    principal, more = PRINCIPALS[caller]
    call = (READS | WRITES)[op]
    for foreign, missing in TWINS:
        await _answer(door, call, principal, missing, more)  # what is read once and kept is read before
        seen: list[tuple[Any, Trace]] = []
        for name in (foreign, missing):
            with traced(door.database) as trace:
                seen.append((await _answer(door, call, principal, name, more), trace))
        (first, one), (second, two) = seen
        assert first == second
        assert one.statements == two.statements
        assert not (one.named | two.named) & {foreign, missing}
        if op in READS:
            assert one.work == two.work


async def test_br4_the_measure_sees_one_row_more(door: LocalDoor) -> None:
    """BR4: what the twins are compared by is no constant: one's own pages take more work than none."""
    await _flooded(door)
    steps = []
    for name in ("agent-ada", "shared"):
        with traced(door.database) as trace:
            await _answer(door, READS["list_pages"], Principal.agent("ada"), name, {})
        steps.append(trace.steps)
    assert steps[0] > steps[1] > 0


@pytest.mark.parametrize("op", [*READS, "recall all", "whoami"])
async def test_fr10_a_read_costs_what_may_be_read_and_not_the_store(door: LocalDoor, op: str) -> None:
    """FR10: with ten times as many pages, agents and people elsewhere every read takes the same statements and not one
    more of the engine's instructions for what it may read."""
    await _flooded(door)
    more: dict[str, Call] = {
        "recall all": lambda brain, _name, _more: brain.recall(query="rotation plan"),
        "whoami": lambda brain, _name, _more: brain.whoami(),
    }
    call = (READS | more)[op]

    async def work() -> tuple[int, int]:
        await _answer(door, call, Principal.agent("ada"), "agent-ada", {})
        with traced(door.database) as trace:
            await _answer(door, call, Principal.agent("ada"), "agent-ada", {})
        return len(trace.statements), trace.steps

    statements, steps = await work()
    for number in range(6):
        other = door.enter(Principal.agent(f"other-{number}"))
        pages = [{"slug": f"n{at}", "content": "rotation plan [[n]]"} for at in range(20)]
        await other.write_pages(slice="mine", pages=pages)
    again, later = await work()
    assert again == statements
    assert steps <= later <= steps * 1.02 + 8


@pytest.mark.parametrize("caller", ["agent", "operator"])
async def test_fr10_the_slices_are_listed_by_as_many_statements_however_many_there_are(
    door: LocalDoor, caller: str
) -> None:
    """FR10: what there is of slices is told by one statement, whether there is one of them or a dozen."""
    brain = door.enter(PRINCIPALS[caller][0])
    counts = []
    for number in (1, 12):
        for at in range(number):
            await door.enter(Principal.agent(f"a{at}")).write_pages(slice="mine", pages=[{"slug": "n", "content": "x"}])
        await brain.slices()
        with traced(door.database) as trace:
            await brain.slices()
        counts.append(sum(statement.startswith("SELECT slices.slice") for statement in trace.statements))
        counts.append(len(trace.statements))
    assert counts[:2] == counts[2:]
    assert counts[0] == 1


async def test_br15_a_write_transaction_touches_one_slice(door: LocalDoor, ada: LocalBrain) -> None:
    """BR15: whatever is written, by whom, decided or refused: each transaction writes rows of one slice, by its key."""
    gateway = door.enter(Principal.gateway("ada", teams=["T1"], acts_for=True, decides=True))
    with traced(door.database) as trace:
        await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "[[m]] x"}], request_id="r")
        await ada.write_pages(slice="mine", pages=[{"slug": "n", "content": "[[m]] y"}])
        deleted = await ada.delete(slice="mine", slug="n", request_id="d")
        await ada.undo(slice="mine", slug="n", expected_event=deleted.receipts[0].event_id)
        await put_shared(gateway, "plan", "the plan")
        await put_shared(gateway, "plan", "for anyone", slice="public")
        drafted = await gateway.write_pages(
            slice="shared", pages=[{"slug": "d", "content": "a draft"}], origin=in_private(ANN)
        )
        assert drafted.proposal is not None
        sent = await gateway.send_draft(
            id=drafted.proposal.id, revision=drafted.proposal.revision, origin=in_private(ANN)
        )  # fmt: skip
        await gateway.decide(id=sent.id, decision="deny", revision=sent.revision, decided_by=MANAGER, reason="no")
        await _answer(door, WRITES["delete"], Principal.agent("ada"), "agent-bob", {})
        await gateway.register(display="Ada")
        operator = door.enter(Principal.operator("op"))
        made = await operator.create_token(kind="agent", agent="ada")
        await operator.rotate_token(id=made.entry.id)
        await operator.revoke_token(id=made.entry.id)
    assert trace.unkeyed == []
    assert trace.written
    assert all(len(written) <= 1 for written in trace.written), trace.written
    assert {SYSTEM, "agent-ada", "shared", "public", ANN.slice} == {name for one in trace.written for name in one}


def test_br15_the_slice_is_the_first_column_of_every_key() -> None:
    """BR15: every table's key, and every index, begins with the slice."""
    for table in metadata.tables.values():
        assert next(iter(table.primary_key.columns)).name == "slice", table.name
        for index in table.indexes:
            assert next(iter(index.columns)).name == "slice", index.name
