"""Who may decide, checked at the brain, at that moment, and recorded when they may not (AP6-AP8, OP1)."""

from __future__ import annotations

import pytest

from sliceway.core.proposals import State
from sliceway.errors import NotEligible, NotFound
from sliceway.ports import BrainDoor
from tests.contract.office import ANN, ANNS, BEN, MAX, MIA, STRANGER, alone, ask, at, gateway, page, settle


async def test_ap6_a_person_who_may_not_decide_is_refused_and_recorded(door: BrainDoor) -> None:
    """AP6, OP1: the proposal stays as it is; the audit says who tried what, and holds no text of it."""
    operator = await settle(door)
    brain = gateway(door)
    asked = await ask(brain, page(content="secret words"))
    for who in (BEN, ANN, STRANGER, {**MIA, "team": "T9"}):
        with pytest.raises(NotEligible) as told:
            await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=who)
        assert told.value.facts["approvers"] == ["T1:UMAX", "UMIA"]
    assert (await brain.proposal(id=asked.id)) == asked
    refused = [act for act in (await operator.audit()).items if act.act == "refused"]
    assert [act.about["person"]["user"] for act in refused] == ["UMIA", "UXEN", "UANN", "UBEN"]
    assert {act.about["proposal"] for act in refused} == {asked.id}
    assert {act.about["code"] for act in refused} == {"not_eligible"}
    assert "secret" not in repr(refused)


async def test_ap7_approvers_are_the_policys_at_that_moment(door: BrainDoor) -> None:
    """AP7: named approvers decide for `shared`; managers alone for `public`; an empty list means nobody."""
    operator = await settle(door, approvers=["UBEN"])
    brain = gateway(door)
    first, second = await ask(brain), await ask(brain, slice="public")
    with pytest.raises(NotEligible):
        await brain.decide(id=first.id, decision="approve", revision=1, decided_by=MIA)
    await brain.decide(id=first.id, decision="approve", revision=1, decided_by=BEN)
    with pytest.raises(NotEligible):
        await brain.decide(id=second.id, decision="approve", revision=1, decided_by=BEN)
    await brain.decide(id=second.id, decision="approve", revision=1, decided_by=MIA)
    third = await ask(brain, page("third"))
    await operator.set_policy(approvers=[])
    for who in (BEN, MIA):
        with pytest.raises(NotEligible):
            await brain.decide(id=third.id, decision="approve", revision=1, decided_by=who)
    await operator.set_policy(approvers=None)
    done = await brain.decide(id=third.id, decision="approve", revision=1, decided_by=MIA)
    assert done.state is State.APPLIED


async def test_ap7_who_is_gone_decides_nothing(door: BrainDoor) -> None:
    """AP7: a manager seen deactivated is no manager, until a later observation says otherwise."""
    await settle(door)
    brain = gateway(door)
    asked = await ask(brain)
    await brain.observe(person={"team": "T1", "user": "UMIA", "deactivated": True})
    with pytest.raises(NotEligible):
        await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
    await brain.observe(person={"team": "T1", "user": "UMIA", "deactivated": False})
    assert (await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)).state is State.APPLIED


async def test_ap7_without_listed_teams_a_gateways_own_teams_count(door: BrainDoor) -> None:
    """AP7: a policy that lists no teams judges by those of the token, and by no more."""
    await settle(door, teams=[])
    brain = gateway(door)
    asked = await ask(brain)
    with pytest.raises(NotEligible):
        await gateway(door, teams=("T2",)).decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
    assert (await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)).state is State.APPLIED


@pytest.mark.parametrize(
    ("rule", "managers_own", "approvers_own"),
    [("managers", True, False), ("never", False, False), ("always", True, True)],
)
async def test_ap8_deciding_about_ones_own_request(
    door: BrainDoor, rule: str, managers_own: bool, approvers_own: bool
) -> None:
    """AP8: by default a manager may, marked `self`; an approver who is no manager may not; the policy can say other."""
    await settle(door, approvers=["UMIA", "UBEN"], self_approval=rule)
    brain = gateway(door)
    for who, may in ((MIA, managers_own), (BEN, approvers_own)):
        asked = await ask(brain, page(who["user"].lower()), origin=at(who))
        if not may:
            with pytest.raises(NotEligible):
                await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=who)
            continue
        done = await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=who)
        assert done.decided_by is not None
        assert done.decided_by.self_approval
    other = await ask(brain, page("other"), origin=at(ANN))
    done = await brain.decide(id=other.id, decision="approve", revision=1, decided_by=MIA)
    assert done.decided_by is not None
    assert not done.decided_by.self_approval


async def test_sc15_about_a_corner_its_owner_alone_decides(door: BrainDoor) -> None:
    """SC15, AP7: what was raised for a person's corner is decided by that person, through the agent that asked; by no
    manager, and through no other agent."""
    await settle(door)
    brain = gateway(door)
    asked = await ask(brain, slice=ANNS, origin=alone(ANN))
    for caller, who in ((brain, MIA), (brain, BEN), (gateway(door, "bob"), ANN), (gateway(door, "bob"), MIA)):
        with pytest.raises((NotEligible, NotFound)):
            await caller.decide(id=asked.id, decision="approve", revision=1, decided_by=who)
    done = await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=ANN)
    assert done.state is State.APPLIED


async def test_op1_a_decision_is_an_act_with_its_decider_and_its_states(door: BrainDoor) -> None:
    """OP1, BR3: the audit names decider, relaying agent, states before and after; never the text."""
    operator = await settle(door)
    brain = gateway(door)
    asked = await ask(brain, page(content="secret words"))
    await brain.decide(id=asked.id, decision="deny", revision=1, decided_by=MAX, reason="secret reason")
    acts = (await operator.audit(slice="shared")).items
    assert [act.act for act in acts] == ["proposal.deny", "proposal.asked"]
    assert (acts[0].about["before"], acts[0].about["after"], acts[0].about["proposal"]) == (
        "pending", "denied", asked.id,
    )  # fmt: skip
    assert (acts[0].author["agent"], acts[0].author["on_behalf_of"]["user"]) == ("ada", "UMAX")
    assert "secret" not in repr(acts)
