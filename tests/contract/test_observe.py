"""What gateways see of places and people: recorded once, in their own teams, falling only (SC7, AP17)."""

from __future__ import annotations

from typing import Any

import pytest

from sliceway.core.principals import Principal
from sliceway.errors import InvalidRequest, NotPermitted
from sliceway.ports import BrainDoor
from tests.contract.office import ANN, TEAM, at, gateway, page, settle


async def test_op1_what_changes_nothing_is_not_recorded(door: BrainDoor) -> None:
    """SC7: the first sight is an act, the same again is none; a person's return is an act."""
    operator = await settle(door)
    brain, other = gateway(door), gateway(door, "bob")
    sights: list[dict[str, Any]] = [
        {"place": {"team": TEAM, "channel": "C1"}},
        {"place": {"team": TEAM, "channel": "C1", "external": True}},
        {"place": {"team": TEAM, "channel": "C1", "external": True, "guests": False}},
        {"person": {"team": TEAM, "user": "UANN", "deactivated": False}},
        {"person": {"team": TEAM, "user": "UANN", "deactivated": True}},
        {"person": {"team": TEAM, "user": "UANN", "deactivated": True}},
        {"person": {"team": TEAM, "user": "UANN", "deactivated": False}},
    ]
    for sight in sights:
        await brain.observe(**sight)
        await other.observe(**sight)
    acts = [act.act for act in (await operator.audit()).items if act.act.endswith(".seen")]
    assert acts == ["person.seen", "person.seen", "channel.seen"]
    assert (await operator.verify()).ok


async def test_sc1_who_is_gone_is_not_written_for(door: BrainDoor) -> None:
    """SC1: a deactivated person is external to every agent, until seen active again."""
    await settle(door)
    brain = gateway(door)
    await gateway(door, "bob").observe(person={"team": TEAM, "user": "UANN", "deactivated": True})
    with pytest.raises(NotPermitted):
        await brain.write_pages(slice="agent-ada", pages=[page()], origin=at(ANN))
    await brain.observe(person={"team": TEAM, "user": "UANN", "deactivated": False})
    assert (await brain.write_pages(slice="agent-ada", pages=[page()], origin=at(ANN))).outcome == "written"


async def test_br2_a_gateway_tells_of_its_own_teams_alone(door: BrainDoor) -> None:
    """BR2: another team, another kind of caller, and a sight that says nothing are refused."""
    operator = await settle(door)
    sight = {"team": TEAM, "channel": "C1", "external": True}
    for caller in (gateway(door, teams=("T2",)), operator, door.enter(Principal.agent("ada"))):
        with pytest.raises(NotPermitted):
            await caller.observe(place=sight)
    brain = gateway(door)
    for wrong in (
        {},
        {"place": {"team": TEAM}},
        {"person": {"team": TEAM, "user": "U1"}},
        {"place": {**sight, "x": 1}},
    ):
        with pytest.raises(InvalidRequest):
            await brain.observe(**wrong)
    assert (await operator.policy()).channels == {}
