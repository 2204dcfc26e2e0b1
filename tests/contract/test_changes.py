"""The feed: where every proposal stands, as far as the caller may see, once for each change (BR16)."""

from __future__ import annotations

import asyncio

import pytest

from sliceway.core.proposals import State
from sliceway.errors import InvalidRequest
from sliceway.ports import BrainDoor
from tests.contract.office import BEN, MIA, alone, ask, at, gateway, page, settle
from tests.fakes.clock import HandClock


async def test_br16_each_change_comes_once_and_the_cursor_goes_on_from_it(door: BrainDoor, clock: HandClock) -> None:
    """BR16: after a cursor come the later changes only; several changes of one proposal are its state now."""
    await settle(door)
    brain = gateway(door)
    start = await brain.changes()
    assert start.items == ()
    first = await ask(brain, page("a"))
    clock.advance("1s")
    second = await ask(brain, page("b"), slice="public")
    seen = await brain.changes(after=start.cursor)
    assert [(one.id, one.slice, one.state) for one in seen.items] == [
        (first.id, "shared", State.PENDING),
        (second.id, "public", State.PENDING),
    ]
    assert (await brain.changes(after=seen.cursor)).items == ()
    third = await ask(brain, page("c"))
    await brain.decide(id=third.id, decision="deny", revision=1, decided_by=MIA)
    await brain.decide(id=first.id, decision="approve", revision=1, decided_by=MIA)
    later = await brain.changes(after=seen.cursor)
    assert [(one.id, one.state, one.revision) for one in later.items] == [
        (third.id, State.DENIED, 2),
        (first.id, State.APPLIED, 2),
    ]
    assert {one.id for one in (await brain.changes()).items} == {first.id, second.id, third.id}


async def test_br16_a_cursor_shows_no_gaps_and_no_names(door: BrainDoor) -> None:
    """BR16: what others did between two of one's own changes leaves no trace, not even in the cursor's length."""
    await settle(door)
    mine, other = gateway(door, "ada", decides=False), gateway(door, "bob", decides=False)
    await ask(mine, page("a"))
    before = await mine.changes()
    for number in range(2):
        await ask(other, page(f"p/{number}"), origin=at(BEN))
        await ask(other, page(f"d/{number}"), origin=alone(BEN))
    assert await mine.changes() == before
    same = await mine.changes(after=before.cursor)
    assert (same.items, same.cursor) == ((), before.cursor)
    assert "shared" not in before.cursor
    for wrong in ("", "x", before.cursor[:-2], before.cursor[:-1] + ("A" if before.cursor[-1] != "A" else "B")):
        with pytest.raises(InvalidRequest):
            await mine.changes(after=wrong)


async def test_br16_a_long_poll_answers_when_something_changes(door: BrainDoor) -> None:
    """BR16: a call that waits returns with the change; what the caller may not see does not wake it."""
    await settle(door)
    mine, other = gateway(door, "ada", decides=False), gateway(door, "bob", decides=False)
    start = await mine.changes()
    waiting = asyncio.create_task(mine.changes(after=start.cursor, wait=30))
    await ask(other, page("theirs"), origin=at(BEN))
    asked = await ask(mine, page("mine"))
    assert [one.id for one in (await waiting).items] == [asked.id]


async def test_br16_a_long_poll_ends_with_its_time_or_its_caller(door: BrainDoor) -> None:
    """BR16: nothing changed in time is an empty answer; one that is cancelled leaves nothing behind."""
    await settle(door)
    brain = gateway(door)
    start = await brain.changes()
    assert (await brain.changes(after=start.cursor, wait=0.05)).items == ()
    waiting = asyncio.create_task(brain.changes(after=start.cursor, wait=60))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    for wait in (-1, 61, float("nan"), float("inf")):
        with pytest.raises(InvalidRequest):
            await brain.changes(wait=wait)


async def test_br16_more_than_a_part_comes_in_parts(door: BrainDoor) -> None:
    """BR16: with hundreds of changes every one comes exactly once, across several calls."""
    await settle(door)
    people = [{"team": "T1", "user": f"U{number}"} for number in range(5)]
    made = set()
    for turn in range(11):
        for number in range(20):
            brain = gateway(door, f"agent{turn}")
            made.add((await ask(brain, page(f"p/{turn}/{number}"), origin=at(people[number // 4]))).id)
            if number % 4 == 3:
                for one in (await brain.proposals(state="pending", limit=200)).items:
                    if one.agent == f"agent{turn}":
                        await brain.decide(id=one.id, decision="deny", revision=1, decided_by=MIA)
    seen: list[str] = []
    cursor = None
    while (part := await gateway(door).changes(after=cursor)).items:
        seen += [one.id for one in part.items]
        cursor = part.cursor
    assert len(seen) == len(made) == 220
    assert set(seen) == made
