"""Grants: a standing yes for one writer, one thread, one slice, judged anew at every use (AP15-AP17)."""

from __future__ import annotations

from typing import Any

import pytest

from sliceway.core.grants import Grant
from sliceway.core.principals import Principal
from sliceway.errors import NotEligible, NotFound, NotPermitted
from sliceway.ports import Brain, BrainDoor
from tests.contract.office import ANN, BEN, MAX, MIA, STRANGER, alone, ask, at, gateway, page, settle
from tests.fakes.clock import HandClock


async def _granted(brain: Brain, *, seconds: int = 3600, by: dict[str, str] = MIA, **said: Any) -> Grant:
    """Have Ann's thread granted with the approval of her first write."""
    asked = await ask(brain, page("first"), **said)
    done = await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=by, grant_seconds=seconds)
    assert done.grant is not None
    return done.grant


async def _outcome(brain: Brain, slug: str, *, origin: Any = None, slice: str = "shared", **fields: Any) -> str:
    """Write a page as Ann in her thread; return what it came to. What waits then is taken back."""
    given = origin if origin is not None else at(ANN)
    said = await brain.write_pages(slice=slice, pages=[page(slug, **fields)], origin=given)
    if said.proposal is not None:
        await brain.withdraw(id=said.proposal.id, revision=1, origin=given)
    return said.outcome


async def test_ap15_a_grant_comes_with_an_approval_and_says_all_about_itself(door: BrainDoor, clock: HandClock) -> None:
    """AP15: this write, and a grant for agent, writer, thread and slice until a time, given by who approved."""
    await settle(door)
    brain = gateway(door)
    grant = await _granted(brain)
    given_at = clock.text
    clock.advance("1h")
    assert (grant.agent, grant.slice, grant.given_at, grant.until) == ("ada", "shared", given_at, clock.text)
    assert (grant.writer.user, grant.granted_by.user, grant.place.channel, grant.place.thread) == (
        "UANN", "UMIA", "C1", "1.1",
    )  # fmt: skip


async def test_ap16_under_a_grant_a_write_needs_no_card(door: BrainDoor) -> None:
    """AP16: written at once, and the receipt says under whose grant and until when."""
    operator = await settle(door)
    brain = gateway(door)
    grant = await _granted(brain)
    said = await brain.write_pages(slice="shared", pages=[page("second")], origin=at(ANN))
    assert said.outcome == "written"
    assert said.receipts[0].grant == grant.note
    assert (await operator.verify()).ok


async def test_ap16_everything_else_gets_a_card(door: BrainDoor) -> None:
    """AP16: another writer, thread, channel, slice or agent, over 4 KiB, a delete, a raised verdict, an agent alone."""
    await settle(door)
    brain = gateway(door)
    await _granted(brain)
    assert await _outcome(brain, "a", origin=at(BEN)) == "pending"
    assert await _outcome(brain, "b", origin=at(ANN, thread="2.2")) == "pending"
    assert await _outcome(brain, "c", origin=at(ANN, channel="C2")) == "pending"
    assert await _outcome(brain, "d", slice="public") == "pending"
    assert await _outcome(gateway(door, "bob"), "e") == "pending"
    assert await _outcome(brain, "f", content="x" * 4097) == "pending"
    assert await _outcome(brain, "g", origin=alone(ANN)) == "pending"
    assert (await brain.delete(slice="shared", slug="first", origin=at(ANN))).outcome == "pending"
    assert (await ask(brain, page("h"), origin=at(ANN))).state.value == "pending"  # what a plugin raised is proposed
    alone_ = door.enter(Principal.agent("ada"))
    assert (await alone_.write_pages(slice="shared", pages=[page("i")])).outcome == "pending"
    assert await _outcome(brain, "j", content="x" * 4000) == "written"


async def test_ap17_a_grant_ends_with_its_time(door: BrainDoor, clock: HandClock) -> None:
    """AP17: at its last moment it no longer holds, and is no longer listed."""
    await settle(door)
    brain = gateway(door)
    await _granted(brain, seconds=60)
    clock.advance("59s")
    assert await _outcome(brain, "a") == "written"
    clock.advance("1s")
    assert await _outcome(brain, "b") == "pending"
    assert (await brain.grants()).items == ()


@pytest.mark.parametrize("what", ["external", "writer gone", "granter gone", "granter no manager", "switched off"])
async def test_ap17_a_grant_ends_at_once_in_every_gateway(door: BrainDoor, what: str) -> None:
    """AP17: what one gateway sees or the policy says ends it in all of them, without a keeper."""
    operator = await settle(door)
    brain, other = gateway(door), gateway(door, "bob")
    await _granted(brain)
    assert await _outcome(brain, "a") == "written"
    match what:
        case "external":
            await other.observe(place={"team": "T1", "channel": "C1", "external": True})
            await other.set_trust(team="T1", channel="C1", trust="trusted", by=MIA)
        case "writer gone":
            await other.observe(person={"team": "T1", "user": "UANN", "deactivated": True})
            await other.observe(person={"team": "T1", "user": "UBEN", "deactivated": True})
        case "granter gone":
            await other.observe(person={"team": "T1", "user": "UMIA", "deactivated": True})
        case "granter no manager":
            await operator.set_policy(managers=["UMAX"])
        case _:
            await operator.set_policy(grant_for="0")
    if what == "writer gone":
        with pytest.raises(NotPermitted):
            await _outcome(brain, "b")
    else:
        assert await _outcome(brain, "b") == "pending"
    assert (await brain.grants()).items == ()


async def test_ap15_what_no_grant_can_come_of(door: BrainDoor, clock: HandClock) -> None:
    """AP15: off, without a thread, a person, from a private turn, of a delete: refused, and nothing is decided."""
    operator = await settle(door)
    brain = gateway(door)
    draft = await ask(brain, origin=alone(ANN))
    private = await brain.send_draft(id=draft.id, revision=1, origin=alone(ANN))
    cases = [
        (private.id, 2),
        ((await ask(brain, page("a"), origin=at(ANN, thread=None))).id, 1),
        ((await ask(brain, page("b"), origin={"place": {"surface": "background"}})).id, 1),
        ((await door.enter(Principal.agent("bob")).propose(op="write", slice="shared", pages=[page("c")])).id, 1),
    ]
    for id, revision in cases:
        with pytest.raises(NotPermitted):
            await brain.decide(id=id, decision="approve", revision=revision, decided_by=MIA, grant_seconds=60)
        assert (await brain.proposal(id=id, origin=at(ANN))).state.value == "pending"
    await operator.set_policy(grant_for="0")
    asked = await ask(brain, page("d"))
    with pytest.raises(NotPermitted):
        await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA, grant_seconds=60)
    assert (await brain.grants()).items == ()


async def test_ap15_who_ends_a_grant(door: BrainDoor) -> None:
    """AP15: granter, writer, any manager, the operator; nobody else; twice is the same answer. An agent alone,
    who never writes under one, sees none."""
    operator = await settle(door, approvers=["UMIA", "UMAX", "UBEN"])
    brain = gateway(door)
    for who in (BEN, ANN, MAX, None):
        grant = await _granted(brain, by=BEN)
        with pytest.raises(NotEligible):
            await brain.revoke_grant(id=grant.id, by=STRANGER)
        with pytest.raises(NotEligible):
            await brain.revoke_grant(id=grant.id, by={**ANN, "team": "T9"})
        with pytest.raises(NotPermitted):
            await door.enter(Principal.agent("ada")).revoke_grant(id=grant.id)
        assert (await door.enter(Principal.agent("ada")).grants()).items == ()
        assert [one.id for one in await brain.grants()] == [grant.id]
        ended = await (operator if who is None else brain).revoke_grant(id=grant.id, by=who)
        assert ended.ended_at is not None
        assert await brain.revoke_grant(id=grant.id, by=MIA) == ended
        assert (await brain.grants()).items == ()
        await brain.decide(
            id=(await brain.delete(slice="shared", slug="first", origin=at(ANN))).proposal.id,  # type: ignore[union-attr]  # it asks, so there is one
            decision="approve", revision=1, decided_by=MIA,
        )  # fmt: skip


async def test_ap15_grants_are_seen_by_their_gateway_and_by_who_decides(door: BrainDoor) -> None:
    """AP15: its own gateway, tokens with `decides`, admin, operator; to others it is not there."""
    operator = await settle(door)
    brain = gateway(door)
    grant = await _granted(brain)
    for seer in (gateway(door, decides=False), gateway(door, "bob"), door.enter(Principal.admin()), operator):
        assert [one.id for one in await seer.grants()] == [grant.id]
    for other in (gateway(door, "bob", decides=False), door.enter(Principal.reader(["shared"]))):
        assert (await other.grants()).items == ()
    with pytest.raises(NotFound):
        await gateway(door, "bob", decides=False).revoke_grant(id=grant.id, by=ANN)


async def test_op1_a_grants_life_is_on_record(door: BrainDoor) -> None:
    """OP1: given and ended are acts that name the grant."""
    operator = await settle(door)
    brain = gateway(door)
    grant = await _granted(brain)
    await brain.revoke_grant(id=grant.id, by=ANN)
    acts = {act.act: act.about["grant"] for act in (await operator.audit()).items if act.act.startswith("grant.")}
    assert acts == {"grant.given": grant.id, "grant.ended": grant.id}
    assert (await operator.verify()).ok
