"""Proposals as the port promises them: stored first, once, small enough to read, few enough to be read."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from sliceway.core.principals import Principal
from sliceway.core.proposals import State
from sliceway.errors import (
    IdempotencyConflict,
    InvalidRequest,
    NotEligible,
    NotFound,
    NotPending,
    NotPermitted,
    SliceForbidden,
    StaleRevision,
    TooLargeToReview,
    TooManyPending,
    VersionConflict,
)
from sliceway.ports import BrainDoor
from tests.contract.office import ANN, ANNS, BEN, MIA, alone, ask, at, gateway, page, settle, written
from tests.fakes.clock import HandClock


async def test_ap1_a_proposal_is_stored_and_says_all_that_a_card_needs(door: BrainDoor) -> None:
    """AP1: the call returns at once with id, requester, text, difference and until when it waits."""
    await settle(door)
    brain = gateway(door)
    await written(brain)
    asked = await ask(brain, page(content="On-call moves to Mondays."))
    assert (asked.state, asked.revision, asked.slice, asked.op, asked.agent) == (
        State.PENDING, 1, "shared", "write", "ada",
    )  # fmt: skip
    assert asked.requested_by is not None
    assert asked.requested_by.user == "UANN"
    assert asked.pages[0].base_version == 1
    assert asked.diff[0].before == "On-call is on Fridays."
    assert asked.diff[0].lines[-2:] == ("-On-call is on Fridays.", "+On-call moves to Mondays.")
    assert asked.expires_at > asked.created_at
    assert await brain.proposal(id=asked.id) == asked
    assert [event.act for event in asked.events] == ["asked"]


async def test_ap2_the_same_again_while_pending_is_the_same_proposal(door: BrainDoor) -> None:
    """AP2: same agent, thread, destination and content is one proposal; another thread's is another."""
    await settle(door)
    brain = gateway(door)
    first, second, third = await asyncio.gather(ask(brain), ask(brain), ask(brain, origin=at(BEN)))
    assert first.id == second.id == third.id
    assert (await ask(brain, origin=at(ANN, thread="2.2"))).id != first.id
    assert (await ask(gateway(door, "bob"))).id != first.id
    assert (await ask(brain, page(content="Other"))).id != first.id


async def test_ap2_what_was_decided_may_be_asked_again(door: BrainDoor) -> None:
    """AP2: only what still waits is the same proposal."""
    await settle(door)
    brain = gateway(door)
    first = await ask(brain)
    await brain.withdraw(id=first.id, revision=1, origin=at(ANN))
    assert (await ask(brain)).id != first.id


async def test_ap4_what_nobody_would_read_is_refused(door: BrainDoor) -> None:
    """AP4: a proposal is at most 24 KiB over all its pages, counted in bytes."""
    await settle(door)
    brain = gateway(door)
    with pytest.raises(TooLargeToReview):
        await ask(brain, page("a", "é" * 7_000), page("b", "é" * 7_000))
    assert (await ask(brain, page("a", "x" * 24_000))).state is State.PENDING


async def test_ap14_past_its_time_it_reads_as_expired_everywhere(door: BrainDoor, clock: HandClock) -> None:
    """AP14: no keeper is needed for a proposal to read as expired: shown, listed, and refused to be withdrawn."""
    await settle(door, expire_after="1h")
    brain = gateway(door)
    asked = await ask(brain)
    clock.advance(timedelta(hours=1))
    assert (await brain.proposal(id=asked.id)).state is State.EXPIRED
    assert (await brain.proposals(state="pending")).items == ()
    assert [found.id for found in await brain.proposals(state="expired")] == [asked.id]
    with pytest.raises(NotPending) as told:
        await brain.withdraw(id=asked.id, revision=1, origin=at(ANN))
    assert told.value.facts["state"] == "expired"
    assert (await ask(brain)).id != asked.id


async def test_ap18_denied_content_asked_again_is_marked_and_quiet_for_a_week(
    door: BrainDoor, clock: HandClock
) -> None:
    """AP18: a new proposal, marked as asked before; within 7 days without a card, later with one."""
    await settle(door)
    brain = gateway(door)
    first = await ask(brain)
    assert not first.asked_before
    await brain.decide(id=first.id, decision="deny", revision=1, decided_by=MIA, reason="no")
    clock.advance(timedelta(days=6))
    again = await ask(brain)
    assert (again.id != first.id, again.asked_before, again.quiet) == (True, True, True)
    await brain.withdraw(id=again.id, revision=1, origin=at(ANN))
    clock.advance(timedelta(days=1, seconds=1))
    later = await ask(brain)
    assert (later.asked_before, later.quiet) == (True, False)


async def test_ap19_a_batch_is_one_proposal(door: BrainDoor) -> None:
    """AP19: 1 to 20 pages are one proposal and one decision; 21, none, and a page named twice are refused."""
    await settle(door)
    brain = gateway(door)
    asked = await ask(brain, *(page(f"p/{number}", f"text {number}") for number in range(20)))
    assert len(asked.pages) == 20
    for wrong in ([page(f"p/{number}") for number in range(21)], [], [page("a"), page("a", "other")]):
        with pytest.raises(InvalidRequest):
            await brain.propose(op="write", slice="shared", pages=wrong, origin=at(ANN))


async def test_ap25_five_wait_for_a_requester_and_twenty_for_an_agent(door: BrainDoor, clock: HandClock) -> None:
    """AP25: the sixth of a person and the twenty-first of an agent are refused; what expired does not count."""
    await settle(door)
    brain = gateway(door)
    people = [{"team": "T1", "user": f"U{number}"} for number in range(5)]
    for number in range(5):
        await ask(brain, page(f"p/{number}"), origin=at(people[0]))
    with pytest.raises(TooManyPending):
        await ask(brain, page("p/6"), origin=at(people[0]))
    for person in people[1:4]:
        for number in range(5):
            await ask(brain, page(f"{person['user'].lower()}/{number}"), origin=at(person))
    with pytest.raises(TooManyPending):
        await ask(brain, page("q"), origin=at(people[4]))
    clock.advance(timedelta(hours=72))
    assert (await ask(brain, page("p/6"), origin=at(people[0]))).state is State.PENDING


async def test_ap25_an_agent_alone_has_five(door: BrainDoor) -> None:
    """AP25: for an `agent` token the requester is the agent."""
    await settle(door)
    brain = door.enter(Principal.agent("coder"))
    for number in range(5):
        await brain.propose(op="write", slice="shared", pages=[page(f"p/{number}")])
    with pytest.raises(TooManyPending):
        await brain.propose(op="write", slice="shared", pages=[page("p/5")])


async def test_ap26_who_sees_a_proposal(door: BrainDoor) -> None:
    """AP26: its agent, its requester, who decides, admin and operator see it; to all others it is missing."""
    operator = await settle(door)
    asked = await ask(gateway(door, "ada", decides=False))
    seers = [
        (gateway(door, "ada", decides=False), None),
        (door.enter(Principal.agent("ada")), None),
        (gateway(door, "bob", decides=False), at(ANN)),
        (gateway(door, "bob", decides=True), None),
        (door.enter(Principal.admin()), None),
        (operator, None),
    ]
    for brain, origin in seers:
        assert (await brain.proposal(id=asked.id, origin=origin)).id == asked.id
        assert [found.id for found in await brain.proposals(origin=origin)] == [asked.id]
        assert [found.id for found in (await brain.changes(origin=origin)).items] == [asked.id]
    others = [
        (gateway(door, "bob", decides=False), at(BEN)),
        (door.enter(Principal.agent("bob")), None),
        (door.enter(Principal.reader(["shared"])), None),
    ]
    for brain, origin in others:
        with pytest.raises(NotFound) as foreign:
            await brain.proposal(id=asked.id, origin=origin)
        with pytest.raises(NotFound) as missing:
            await brain.proposal(id="01" + "0" * 24, origin=origin)
        assert (foreign.value.detail, foreign.value.facts) == (missing.value.detail, missing.value.facts)
        assert (await brain.proposals(origin=origin)).items == ()
        assert (await brain.changes(origin=origin)).items == ()


async def test_ap26_what_is_asked_for_a_private_slice_stays_with_its_agent(door: BrainDoor) -> None:
    """AP26: a raised write to an agent's mind or a person's corner is shown to no other agent's gateway."""
    operator = await settle(door)
    brain, other = gateway(door, "ada"), gateway(door, "bob")
    mind = await ask(brain, slice="agent-ada")
    corner = await ask(brain, slice=ANNS, origin=alone(ANN))
    assert (mind.state, mind.raised, corner.state, corner.raised) == (State.PENDING, True, State.PENDING, True)
    for id in (mind.id, corner.id):
        with pytest.raises(NotFound):
            await other.proposal(id=id, origin=at(ANN))
    assert (await brain.proposal(id=mind.id)).id == mind.id
    assert (await operator.proposal(id=mind.id)).id == mind.id
    with pytest.raises(NotFound):
        await operator.proposal(id=corner.id)
    with pytest.raises(NotFound):
        await brain.proposal(id=corner.id, origin=at(BEN))
    assert corner.id not in {found.id for found in await brain.proposals(origin=at(BEN))}
    assert {one.id for one in (await brain.changes()).items} == {mind.id}
    said: dict[str, Any] = {"id": corner.id, "place": "p", "holder": "g", "lease_s": 5}
    with pytest.raises(NotFound):
        await brain.claim_card(**said)
    assert (await brain.claim_card(**said, origin=alone(ANN))).claimed
    assert (await brain.proposal(id=corner.id, origin=alone(ANN))).id == corner.id


async def test_br13_the_list_pages_newest_first_with_cursors_that_show_nothing(
    door: BrainDoor, clock: HandClock
) -> None:
    """BR13: parts of a list join without gap or repeat; a cursor is opaque and a forged one is refused."""
    await settle(door)
    brain = gateway(door)
    made = []
    for number in range(5):
        made.append((await ask(brain, page(f"p/{number}"))).id)
        clock.advance(timedelta(seconds=1))
    seen, cursor = [], None
    for _ in range(3):
        part = await brain.proposals(limit=2, cursor=cursor)
        seen += [found.id for found in part]
        cursor = part.next_cursor
        assert cursor is None or not any(id in cursor for id in made)
    assert (seen, cursor) == (made[::-1], None)
    for wrong in ("x", "é", made[0], "AAAA" * 20):
        with pytest.raises(InvalidRequest):
            await brain.proposals(cursor=wrong)
    for limit in (0, 201):
        with pytest.raises(InvalidRequest):
            await brain.proposals(limit=limit)


async def test_br6_a_retry_is_given_the_first_proposal(door: BrainDoor) -> None:
    """BR6: the same request id is the same proposal, as it stands now; with other content it is a conflict."""
    await settle(door)
    brain = gateway(door)
    said: dict[str, Any] = {"op": "write", "slice": "shared", "pages": [page()], "origin": at(ANN), "request_id": "r1"}
    first = await brain.propose(**said)
    await brain.withdraw(id=first.id, revision=1, origin=at(ANN))
    again = await brain.propose(**said)
    assert (again.id, again.state) == (first.id, State.WITHDRAWN)
    with pytest.raises(IdempotencyConflict):
        await brain.propose(**{**said, "pages": [page(content="other")]})


async def test_gt4_the_ceiling_holds_for_proposals_too(door: BrainDoor) -> None:
    """GT5, GT6: who may not write from there may not propose from there; the kind of slice alone can forbid it."""
    await settle(door)
    brain = gateway(door)
    for origin in (None, at({"team": "T9", "user": "U9"}), at(ANN, channel="G1")):
        with pytest.raises(NotPermitted):
            await brain.propose(op="write", slice="shared", pages=[page()], origin=origin)
    for slice_name in ("kb-docs", "agent"):
        with pytest.raises(SliceForbidden):
            await ask(brain, slice=slice_name)
    for slice_name in ("agent-bob", "user-x--" + "a" * 26):
        with pytest.raises(NotPermitted):
            await ask(brain, slice=slice_name)
    with pytest.raises(NotPermitted):
        await door.enter(Principal.reader(["shared"])).propose(op="write", slice="shared", pages=[page()])
    assert (await brain.proposals()).items == ()


async def test_gt8_removing_from_shared_asks_with_the_text_that_would_go(door: BrainDoor) -> None:
    """GT8: delete, restore and undo are proposals; each op takes its own fields and acts on what is there."""
    await settle(door)
    brain = gateway(door)
    await written(brain)
    gone = await brain.propose(op="delete", slice="shared", slug="oncall", origin=at(ANN), reason="old")
    assert gone.diff[0].lines[-1] == "-On-call is on Fridays."
    assert gone.pages[0].draft is None
    with pytest.raises(NotFound):
        await brain.propose(op="delete", slice="shared", slug="nothing", origin=at(ANN))
    with pytest.raises(VersionConflict):
        await brain.propose(op="delete", slice="shared", slug="oncall", if_version=7, origin=at(ANN))
    with pytest.raises(InvalidRequest) as told:
        await brain.propose(op="delete", slice="shared", pages=[page()], origin=at(ANN))
    assert {error.field for error in told.value.errors} == {"pages", "slug"}
    with pytest.raises(InvalidRequest):
        await brain.propose(op="erase", slice="shared", slug="oncall", origin=at(ANN))


async def test_withdraw_is_for_the_requester_and_the_agent(door: BrainDoor) -> None:
    """AP26: the requester or its own agent takes a proposal back; another person may not, and a stale look may not."""
    operator = await settle(door)
    brain = gateway(door)
    asked = await ask(brain)
    with pytest.raises(NotEligible):
        await brain.withdraw(id=asked.id, revision=1, origin=at(BEN))
    with pytest.raises(NotEligible):
        await gateway(door, "bob").withdraw(id=asked.id, revision=1)
    with pytest.raises(NotPermitted):
        await operator.withdraw(id=asked.id, revision=1)
    with pytest.raises(StaleRevision):
        await brain.withdraw(id=asked.id, revision=2, origin=at(ANN))
    gone = await gateway(door, "bob", decides=False).withdraw(id=asked.id, revision=1, origin=at(ANN))
    assert (gone.state, gone.revision, gone.events[-1].act) == (State.WITHDRAWN, 2, "withdraw")
    mine = await ask(brain, page("other"))
    assert (await door.enter(Principal.agent("ada")).withdraw(id=mine.id, revision=1)).state is State.WITHDRAWN
