"""Trust of channels: set by managers, lowered by what gateways see (SC7)."""

from __future__ import annotations

import pytest

from sliceway.core.policy import trust_of
from sliceway.core.principals import Principal
from sliceway.core.turns import Place, PlaceKind, Trust
from sliceway.errors import InvalidRequest, NotEligible, NotPermitted
from sliceway.ports import Brain, BrainDoor
from tests.contract.office import ANN, BEN, MIA, TEAM, at, gateway, page, settle

C1 = Place("slack", TEAM, "C1")


async def _trust(brain: Brain, place: Place = C1) -> Trust:
    return trust_of(await brain.policy(), place)


async def test_sc7_a_manager_trusts_a_private_channel(door: BrainDoor) -> None:
    """SC7: unknown by its kind until a manager trusts it; then every agent may remember there."""
    operator = await settle(door)
    brain, other = gateway(door), gateway(door, "bob")
    private = Place("slack", TEAM, "G1", kind=PlaceKind.PRIVATE)
    assert await _trust(brain, private) is Trust.UNKNOWN
    with pytest.raises(NotPermitted):
        await other.write_pages(slice="agent-bob", pages=[page()], origin=at(ANN, channel="G1"))
    await brain.set_trust(team=TEAM, channel="G1", trust="trusted", by=MIA)
    assert await _trust(other, private) is Trust.TRUSTED
    said = await other.write_pages(slice="agent-bob", pages=[page()], origin=at(ANN, channel="G1"))
    assert said.outcome == "written"
    act = next(act for act in (await operator.audit()).items if act.act == "channel.trust")
    assert (act.about["before"]["trust"], act.about["after"]["trust"]) == ("by kind", "trusted")
    assert act.author["on_behalf_of"]["user"] == "UMIA"


async def test_sc7_only_managers_through_a_gateway_that_decides(door: BrainDoor) -> None:
    """SC7: a member, a manager of another team, a caller without `decides`: refused, nothing changed."""
    operator = await settle(door)
    brain = gateway(door)
    for by, team in ((BEN, TEAM), ({**MIA, "team": "T9"}, TEAM), (MIA, "T9")):
        with pytest.raises(NotEligible):
            await brain.set_trust(team=team, channel="C1", trust="public", by=by)
    for caller in (gateway(door, decides=False), operator, door.enter(Principal.agent("ada"))):
        with pytest.raises(NotPermitted):
            await caller.set_trust(team=TEAM, channel="C1", trust="public", by=MIA)
    with pytest.raises(InvalidRequest):
        await brain.set_trust(team=TEAM, channel="C1", trust="some", by=MIA)
    assert (await brain.policy()).channels == {}


async def test_sc7_a_guest_makes_a_channel_unknown_until_it_is_trusted(door: BrainDoor) -> None:
    """SC7: seen once it stays, also when a later look sees none; a manager's word ends it."""
    await settle(door)
    brain, other = gateway(door), gateway(door, "bob")
    await other.observe(place={"team": TEAM, "channel": "C1", "guests": True})
    assert await _trust(brain) is Trust.UNKNOWN
    await other.observe(place={"team": TEAM, "channel": "C1", "guests": False})
    assert await _trust(brain) is Trust.UNKNOWN
    await brain.set_trust(team=TEAM, channel="C1", trust="trusted", by=MIA)
    await other.observe(place={"team": TEAM, "channel": "C1", "guests": True})
    assert await _trust(brain) is Trust.TRUSTED


async def test_sc7_a_guest_who_comes_later_ends_the_trust_given_without_knowing(door: BrainDoor) -> None:
    """SC7: a trusted channel becomes unknown when a guest is first seen there; places only fall."""
    await settle(door)
    brain, other = gateway(door), gateway(door, "bob")
    await brain.set_trust(team=TEAM, channel="C1", trust="trusted", by=MIA)
    await other.observe(place={"team": TEAM, "channel": "C1", "guests": True})
    assert await _trust(brain) is Trust.UNKNOWN
    await brain.set_trust(team=TEAM, channel="C1", trust="trusted", by=MIA)
    await other.observe(place={"team": TEAM, "channel": "C1", "guests": True})
    assert await _trust(brain) is Trust.TRUSTED


async def test_sc7_becoming_external_downgrades_at_once_for_every_agent(door: BrainDoor) -> None:
    """SC7, SC1: whatever trust was set; returning is for a manager."""
    await settle(door)
    brain, other = gateway(door), gateway(door, "bob")
    await brain.set_trust(team=TEAM, channel="C1", trust="trusted", by=MIA)
    await other.observe(place={"team": TEAM, "channel": "C1", "external": True})
    assert await _trust(brain) is Trust.PUBLIC
    with pytest.raises(NotPermitted):
        await brain.write_pages(slice="agent-ada", pages=[page()], origin=at(ANN))
    await other.observe(place={"team": TEAM, "channel": "C1", "external": False})
    assert await _trust(brain) is Trust.PUBLIC
    await brain.set_trust(team=TEAM, channel="C1", trust="unknown", by=MIA)
    assert await _trust(brain) is Trust.PUBLIC
    await brain.set_trust(team=TEAM, channel="C1", trust="trusted", by=MIA)
    assert await _trust(brain) is Trust.TRUSTED
