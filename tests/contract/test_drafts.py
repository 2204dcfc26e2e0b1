"""Drafts: what a private turn asks for the team is its owner's alone until they send it (AP23)."""

from __future__ import annotations

import asyncio

import pytest

from sliceway.core.principals import Principal
from sliceway.core.proposals import State
from sliceway.errors import NotFound, NotPending, NotPermitted, StaleRevision, TooManyPending
from sliceway.ports import Brain, BrainDoor
from tests.contract.office import ANN, ANNS, BEN, MIA, alone, ask, at, gateway, page, settle, written
from tests.fakes.clock import HandClock


async def _everything_seen(brain: Brain, *, origin: object = None) -> tuple[object, ...]:
    """Return all that a caller is told of proposals and what surrounds them."""
    given = origin if isinstance(origin, dict) else None
    listed = await brain.proposals(origin=given)
    changed = await brain.changes(origin=given)
    acts = await brain.audit()
    return listed, changed, await brain.slices(), acts, await brain.agents()


async def test_ap23_a_draft_is_seen_by_its_owner_alone(door: BrainDoor) -> None:
    """AP23, SC14: nobody else, operator and `decides` included, sees text, count or id of a draft, by any operation;
    nor does its owner in a channel, where others would hear of it."""
    operator = await settle(door)
    brain = gateway(door)
    others: list[tuple[Brain, object]] = [
        (operator, None),
        (door.enter(Principal.admin()), None),
        (gateway(door, "bob"), at(ANN)),
        (gateway(door, "bob"), alone(ANN)),
        (brain, None),
        (brain, at(ANN)),
        (brain, at(BEN)),
        (brain, alone(BEN)),
        (door.enter(Principal.agent("ada")), None),
        (door.enter(Principal.gateway("ada", teams=["T1"], decides=True)), at(ANN)),
        (door.enter(Principal.gateway("ada", teams=["T2"], acts_for=True, decides=True)), at(ANN)),
    ]
    before = [await _everything_seen(seer, origin=origin) for seer, origin in others]
    draft = await ask(brain, origin=alone(ANN))
    assert (draft.state, draft.slice, draft.revision) == (State.DRAFT, "shared", 1)
    assert [await _everything_seen(seer, origin=origin) for seer, origin in others] == before
    for seer, origin in others:
        given = origin if isinstance(origin, dict) else None
        with pytest.raises(NotFound):
            await seer.proposal(id=draft.id, origin=given)
    for decision in ("approve", "deny"):
        with pytest.raises(NotFound):
            await operator.decide(id=draft.id, decision=decision, revision=1)
        with pytest.raises(NotFound):
            await brain.decide(id=draft.id, decision=decision, revision=1, decided_by=ANN)
    for origin in (alone(ANN), {"person": ANN}):
        assert (await brain.proposal(id=draft.id, origin=origin)) == draft
    assert [one.id for one in (await brain.changes(origin=alone(ANN))).items] == [draft.id]
    assert [one.id for one in await brain.proposals(state="draft", origin=alone(ANN))] == [draft.id]
    assert (await brain.done_in(turn="none", origin=alone(ANN))).proposals == ()


async def test_ap23_sending_makes_it_pending_under_the_same_id(door: BrainDoor) -> None:
    """AP23: Send is a new revision of the same id, seen by those who decide; a repeat is the same answer."""
    operator = await settle(door)
    brain = gateway(door)
    draft = await ask(brain, origin=alone(ANN))
    sent = await brain.send_draft(id=draft.id, revision=1, origin=alone(ANN))
    assert (sent.id, sent.state, sent.revision, sent.slice) == (draft.id, State.PENDING, 2, "shared")
    assert sent.origin.private
    assert await brain.send_draft(id=draft.id, revision=1, origin=alone(ANN)) == sent
    assert await operator.proposal(id=draft.id) == sent
    assert await brain.proposal(id=draft.id, origin=alone(ANN)) == sent
    assert [one.id for one in await brain.proposals(origin=alone(ANN))] == [draft.id]
    assert [one.state for one in (await brain.changes(origin=alone(ANN))).items] == [State.PENDING]
    done = await brain.decide(id=draft.id, decision="approve", revision=2, decided_by=MIA)
    assert done.state is State.APPLIED
    found = await gateway(door, "bob").read_page(slice="shared", slug="oncall", slices=["shared"], origin=at(BEN))
    assert (found.author.agent, found.author.on_behalf_of is not None) == ("ada", True)
    assert await brain.send_draft(id=draft.id, revision=1, origin=alone(ANN)) == done


async def test_ap23_a_sent_draft_stands_against_the_pages_as_they_are_then(door: BrainDoor) -> None:
    """AP23, AP24: the pending proposal has the base version and the difference of the moment it was sent."""
    await settle(door)
    brain = gateway(door)
    draft = await ask(brain, origin=alone(ANN))
    assert draft.pages[0].base_version is None
    await written(brain)
    sent = await brain.send_draft(id=draft.id, revision=1, origin=alone(ANN))
    assert (sent.pages[0].base_version, sent.diff[0].before) == (1, "On-call is on Fridays.")


async def test_ap23_keep_private_is_the_end_of_it(door: BrainDoor) -> None:
    """AP23: Keep private withdraws; then it cannot be sent, and nobody ever heard of it."""
    operator = await settle(door)
    brain = gateway(door)
    draft = await ask(brain, origin=alone(ANN))
    with pytest.raises(NotFound):
        await brain.withdraw(id=draft.id, revision=1, origin=at(BEN))
    with pytest.raises(StaleRevision):
        await brain.withdraw(id=draft.id, revision=5, origin=alone(ANN))
    kept = await brain.withdraw(id=draft.id, revision=1, origin=alone(ANN))
    assert kept.state is State.WITHDRAWN
    with pytest.raises(NotPending) as told:
        await brain.send_draft(id=draft.id, revision=2, origin=alone(ANN))
    assert told.value.facts["state"] == "withdrawn"
    assert (await operator.proposals()).items == ()


async def test_ap23_send_and_keep_private_exclude_each_other(door: BrainDoor) -> None:
    """AP23: pressed at once, exactly one of the two happens."""
    await settle(door)
    brain = gateway(door)
    for number in range(4):
        draft = await ask(brain, page(f"p/{number}"), origin=alone(ANN))
        both = await asyncio.gather(
            brain.send_draft(id=draft.id, revision=1, origin=alone(ANN)),
            brain.withdraw(id=draft.id, revision=1, origin=alone(ANN)),
            return_exceptions=True,
        )
        states = [one.state for one in both if not isinstance(one, BaseException)]
        assert len(states) == 1
        assert (await brain.proposal(id=draft.id, origin=alone(ANN))).state is states[0]


async def test_ap23_only_its_owner_sends_a_draft(door: BrainDoor) -> None:
    """AP23: not another person, not without a person, not another agent, not with a stale look; AP23 OO8: and
    of somebody who left a draft is seen by nobody."""
    operator = await settle(door)
    brain = gateway(door)
    draft = await ask(brain, origin=alone(ANN))
    for seer, origin, error in (
        (brain, at(BEN), NotFound),
        (gateway(door, "bob"), alone(ANN), NotFound),
        (brain, None, NotPermitted),
        (operator, None, NotPermitted),
    ):
        with pytest.raises(error):
            await seer.send_draft(id=draft.id, revision=1, origin=origin)
    with pytest.raises(StaleRevision):
        await brain.send_draft(id=draft.id, revision=2, origin=alone(ANN))
    await brain.observe(person={"team": "T1", "user": "UANN", "deactivated": True})
    with pytest.raises(NotFound):
        await brain.send_draft(id=draft.id, revision=1, origin=alone(ANN))


async def test_ap14_a_draft_expires_for_its_owner_alone(door: BrainDoor, clock: HandClock) -> None:
    """AP14, AP23: past its time a draft reads as expired to its owner and can no longer be sent."""
    await settle(door)
    brain = gateway(door)
    draft = await ask(brain, origin=alone(ANN))
    clock.advance("72h")
    assert (await brain.proposal(id=draft.id, origin=alone(ANN))).state is State.EXPIRED
    with pytest.raises(NotPending):
        await brain.send_draft(id=draft.id, revision=1, origin=alone(ANN))


async def test_ap25_drafts_count_for_their_owner_alone_and_in_private(door: BrainDoor) -> None:
    """AP25, AP23: five drafts fill the owner's private limit; in a channel nothing shows that they are there."""
    await settle(door)
    brain = gateway(door)
    drafts = [await ask(brain, page(f"d/{number}"), origin=alone(ANN)) for number in range(5)]
    with pytest.raises(TooManyPending):
        await ask(brain, page("d/5"), origin=alone(ANN))
    for number in range(5):
        await ask(brain, page(f"p/{number}"))
    with pytest.raises(TooManyPending):
        await brain.send_draft(id=drafts[0].id, revision=1, origin=alone(ANN))
    assert (await brain.proposal(id=drafts[0].id, origin=alone(ANN))).state is State.DRAFT


async def test_ap2_the_same_draft_again_is_the_same_draft(door: BrainDoor) -> None:
    """AP2: asked twice in one private thread it is one draft; a write from there to the own corner is none."""
    await settle(door)
    brain = gateway(door)
    first = await ask(brain, origin=alone(ANN))
    assert (await ask(brain, origin=alone(ANN))).id == first.id
    said = await brain.write_pages(slice="shared", pages=[page()], origin=alone(ANN))
    assert said.proposal is not None
    assert (said.outcome, said.proposal.id, said.proposal.state) == ("pending", first.id, State.DRAFT)
    kept = await brain.write_pages(slice=ANNS, pages=[page()], origin=alone(ANN))
    assert kept.outcome == "written"


async def test_br6_a_turn_that_runs_again_finds_its_draft_with_the_person_alone(door: BrainDoor) -> None:
    """BR6, AP23: what a turn drafted is told again to the agent with its owner in the origin, to nobody else."""
    await settle(door)
    brain = gateway(door)
    draft = await ask(brain, origin={**alone(ANN), "turn": "t1"})
    assert [one.id for one in (await brain.done_in(turn="t1", origin=alone(ANN))).proposals] == [draft.id]
    assert (await brain.done_in(turn="t1", origin=at(BEN))).proposals == ()
    assert (await brain.done_in(turn="t1")).proposals == ()
    assert (await gateway(door, "bob").done_in(turn="t1", origin=alone(ANN))).proposals == ()
