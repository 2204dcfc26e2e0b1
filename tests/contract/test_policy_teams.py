"""Which teams belong together where nobody named them: those of the gateway tokens that are good now (BR17)."""

from __future__ import annotations

import pytest

from sliceway.brain.local import LocalBrain
from sliceway.core.principals import Principal
from sliceway.errors import NotPermitted
from sliceway.ports import Brain, BrainDoor
from tests.contract.office import ANN, at, page
from tests.fakes.clock import HandClock


@pytest.fixture
async def nameless(operator: Brain) -> LocalBrain:
    """The operator's brain of a store whose policy names no teams."""
    await operator.set_policy(teams=[])
    assert isinstance(operator, LocalBrain)
    return operator


async def _teams(brain: Brain) -> list[str]:
    return sorted((await brain.policy()).teams)


async def test_br17_the_teams_of_live_gateway_tokens_count_at_once(nameless: LocalBrain, clock: HandClock) -> None:
    """BR17: a new token's teams are in with the next reading, and out with its revocation or the end of its time; other
    kinds bring none; rotating changes nothing."""
    first = await nameless.create_token(kind="gateway", agent="ada", teams=["T1"])
    await nameless.create_token(kind="gateway", agent="bob", teams=["T2", "T3"], expires="1h")
    await nameless.create_token(kind="gateway", agent="bob")
    await nameless.create_token(kind="agent", agent="ada")
    assert await _teams(nameless) == ["T1", "T2", "T3"]
    await nameless.rotate_token(id=first.entry.id)
    clock.forward(hours=1, microseconds=-1)
    assert await _teams(nameless) == ["T1", "T2", "T3"]
    clock.forward(microseconds=1)
    assert await _teams(nameless) == ["T1"]
    await nameless.revoke_token(id=first.entry.id)
    assert await _teams(nameless) == []


async def test_br17_teams_that_somebody_named_are_all_there_are(nameless: LocalBrain) -> None:
    """BR17 CF1: by hand or in the settings, what is named holds, and no token adds to it."""
    await nameless.create_token(kind="gateway", agent="ada", teams=["T2"])
    assert (await nameless.set_policy(teams=["T1"])).teams == {"T1"}
    assert (await nameless.copy_settings({"teams": ["T3"]})).teams == {"T3"}
    await nameless.copy_settings({})
    assert (await nameless.set_policy(teams=[])).teams == {"T2"}


async def test_br17_a_gateway_s_own_team_gives_way_and_shuts_nobody_out(nameless: LocalBrain) -> None:
    """BR17 CF1: the team that an embedded gateway knows by itself is beside those of tokens; it takes the place of none
    that somebody named, and may be changed by hand."""
    own = {"teams": frozenset({"T1"})}
    assert (await nameless.copy_settings({}, assumed=own)).teams == {"T1"}
    await nameless.create_token(kind="gateway", agent="ada", teams=["T2"])
    assert await _teams(nameless) == ["T1", "T2"]
    assert (await nameless.copy_settings({})).teams == {"T1", "T2"}
    assert (await nameless.copy_settings({"teams": ["T9"]}, assumed=own)).teams == {"T9"}
    assert (await nameless.copy_settings({}, assumed=own)).teams == {"T1", "T2"}
    await nameless.set_policy(teams=["T5"])
    assert (await nameless.copy_settings({}, assumed=own)).teams == {"T5"}
    assert (await nameless.verify()).ok


async def test_br17_people_of_a_revoked_token_s_team_are_outsiders(door: BrainDoor, nameless: LocalBrain) -> None:
    """BR17 SC1: whether somebody belongs is judged by the tokens at that moment: in a place of a team that no token
    serves any more nothing is written."""
    made = await nameless.create_token(kind="gateway", agent="ada", teams=["T1"])
    await nameless.create_token(kind="gateway", agent="bob", teams=["T2"])
    brain = door.enter(Principal.gateway("ada", teams=["T1"], acts_for=True))
    said = await brain.write_pages(slice="agent-ada", pages=[page()], origin=at(ANN), dry_run=True)
    assert said.outcome == "written"
    await nameless.revoke_token(id=made.entry.id)
    with pytest.raises(NotPermitted):
        await brain.write_pages(slice="agent-ada", pages=[page()], origin=at(ANN), dry_run=True)
