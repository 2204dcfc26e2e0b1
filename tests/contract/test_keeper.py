"""The keeper: what time and crashes leave to be done is done, once, by one process at a time (AP14, AP17, AP23)."""

from __future__ import annotations

import asyncio

import pytest

from sliceway.brain.keeper import Keeper, Kept
from sliceway.brain.local import LocalBrain
from sliceway.core.principals import Principal
from sliceway.core.proposals import State
from sliceway.ports import BrainDoor, NewId
from tests.contract.conftest import store_of
from tests.contract.office import ANN, MIA, alone, ask, at, gateway, page, settle
from tests.fakes.clock import HandClock


@pytest.fixture
def keeper(door: BrainDoor, clock: HandClock, new_id: NewId) -> Keeper:
    """A keeper of the open store."""
    return Keeper(store_of(door).database, clock=clock, new_id=new_id, holder="one")


async def test_ap14_the_keeper_writes_what_reads_as_expired(door: BrainDoor, keeper: Keeper, clock: HandClock) -> None:
    """AP14: then the feed reports it, by nobody's decision; a draft to its owner alone."""
    operator = await settle(door, expire_after="1h")
    brain = gateway(door)
    asked, draft = await ask(brain), await ask(brain, page("d"), origin=alone(ANN))
    seen = await brain.changes(origin=alone(ANN))
    assert await keeper.run_once() == Kept()
    clock.advance("1h")
    assert (await brain.changes(after=seen.cursor, origin=alone(ANN))).items == ()
    assert await keeper.run_once() == Kept(expired=2)
    assert await keeper.run_once() == Kept()
    changed = (await brain.changes(after=seen.cursor, origin=alone(ANN))).items
    assert {(one.id, one.state, one.revision) for one in changed} == {
        (asked.id, State.EXPIRED, 2),
        (draft.id, State.EXPIRED, 2),
    }
    assert [one.id for one in (await operator.changes()).items] == [asked.id]
    assert (await brain.proposal(id=asked.id)).decided_by is None
    assert (await operator.verify()).ok


async def test_ap23_the_keeper_finishes_a_send_that_a_crash_cut_in_two(
    door: BrainDoor, keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """AP23: between the two transactions it is nobody's to decide or to keep private; then it is pending, once."""
    operator = await settle(door)
    brain = gateway(door)
    draft = await ask(brain, origin=alone(ANN))

    def dies(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(LocalBrain, "_finish", dies)
        dying = store_of(door).enter(Principal.gateway("ada", teams=["T1"], acts_for=True, decides=True))
        with pytest.raises(KeyboardInterrupt):
            await dying.send_draft(id=draft.id, revision=1, origin=alone(ANN))
    assert (await operator.proposals()).items == ()
    assert (await brain.proposal(id=draft.id, origin=alone(ANN))).state is State.PENDING
    assert await keeper.run_once() == Kept(sent=1)
    assert await keeper.run_once() == Kept()
    found = await operator.proposal(id=draft.id)
    assert (found.state, found.revision) == (State.PENDING, 2)
    assert await brain.send_draft(id=draft.id, revision=1, origin=alone(ANN)) == found
    assert (await operator.verify()).ok


async def test_ap17_the_keeper_writes_the_end_of_grants(door: BrainDoor, keeper: Keeper, clock: HandClock) -> None:
    """AP17: why a grant ended is on record, once."""
    operator = await settle(door, teams=[])
    brain = gateway(door)
    for channel, seconds in (("C1", 60), ("C2", 3600)):
        asked = await ask(brain, page(channel.lower()), origin=at(ANN, channel=channel))
        await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA, grant_seconds=seconds)
    assert await keeper.run_once() == Kept()
    clock.advance("1m")
    assert await keeper.run_once() == Kept(ended=1)
    await brain.observe(place={"team": "T1", "channel": "C2", "external": True})
    assert await keeper.run_once() == Kept(ended=1)
    assert await keeper.run_once() == Kept()
    why = [act.about["why"] for act in (await operator.audit()).items if act.act == "grant.ended"]
    assert why == ["the channel is or was shared with another organisation", "expired"]


async def test_ap14_one_keeper_at_a_time(door: BrainDoor, keeper: Keeper, clock: HandClock, new_id: NewId) -> None:
    """AP14: while one holds the lease another does nothing; when it dies, the other takes over."""
    await settle(door, expire_after="1s")
    other = Keeper(store_of(door).database, clock=clock, new_id=new_id, holder="other")
    await ask(gateway(door))
    clock.advance("1s")
    assert await keeper.run_once() == Kept(expired=1)
    await ask(gateway(door))
    clock.advance("1s")
    assert await other.run_once() == Kept(held=False)
    clock.advance("10s")
    assert await other.run_once() == Kept(expired=1)


async def test_ap14_the_keeper_does_a_round_every_two_seconds(
    door: BrainDoor, keeper: Keeper, clock: HandClock
) -> None:
    """AP14: expiry is noticed within five seconds, and a keeper that is cancelled stops."""
    await settle(door, expire_after="3s")
    brain = gateway(door)
    asked = await ask(brain)
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        clock.forward(seconds=seconds)
        if len(slept) == 3:
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await keeper.run(sleep=sleep)
    assert slept == [2, 2, 2]
    assert [one.state for one in (await brain.changes()).items] == [State.EXPIRED]
    assert (await brain.proposal(id=asked.id)).revision == 2


async def test_br6_the_keeper_forgets_answers_after_a_week(door: BrainDoor, keeper: Keeper, clock: HandClock) -> None:
    """BR6: answers to retries hold content, and are dropped once nobody may ask for them again."""
    brain = gateway(door)
    await settle(door)
    await brain.propose(op="write", slice="shared", pages=[page()], origin=at(ANN), request_id="r1")
    clock.advance("3d")
    assert (await keeper.run_once()).forgotten == 0
    clock.advance("4d")
    clock.advance("1s")
    assert (await keeper.run_once()).forgotten == 1
    assert (await keeper.run_once()).forgotten == 0
