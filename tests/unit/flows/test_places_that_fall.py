"""Places and people that became less than a turn, a session or an event took them for (SC2, SC7, SC9, SC10, OO8)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sliceway.core.turns import Person, Place, Standing
from sliceway.ports.inbound import Observed
from tests.fakes.chat import ROOM, TEAM, dm_of, room
from tests.fakes.rig import Rig, someone
from tests.fakes.scripts import by_words
from tests.unit.flows.test_one_on_one import session


async def told(rig: Rig, user: str, text: str, place: Place | None = None) -> str:
    """Return everything that is said, to anybody, after somebody says something."""
    before = len(rig.chat.said)
    await rig.say(user, text, place=place)
    return "\n".join(said.text for said in rig.chat.said[before:])


@pytest.fixture
def rig(rig: Rig) -> Rig:
    """A gateway that does what it is told."""
    rig.agent.script = by_words
    return rig


async def test_sc10_what_arrived_as_shared_stays_shared_for_its_turn(rig: Rig) -> None:
    """SC10, SC1: a message whose envelope says that the channel is shared is judged so, though a look-up from before
    says otherwise: nothing of the team is told, nothing is kept."""
    await rig.say("U1", "save build 2301")
    shared = Place("slack", TEAM, ROOM, "77.5", external=True)
    assert "2301" not in await told(rig, "U1", "find build", shared)
    assert "denied" in await told(rig, "U1", "save a thing", shared)
    assert (await rig.brain.policy()).channels[TEAM, ROOM].external


@pytest.mark.parametrize(
    "became",
    [room("deploys", ("U1",), external=True), room("deploys", ("U1", "UG"), guests=True)],
    ids=["external", "guests"],
)
async def test_sc2_a_session_reads_what_the_channel_it_began_in_may_read_now(rig: Rig, became: object) -> None:
    """SC2, SC8: `/1on1` begun in a channel has that channel's trust now, whether or not an event told of its fall; the
    person's own corner stays readable."""
    await rig.say("U1", "save build 2301")
    await rig.type("U1", "")
    await rig.say("U1", "corner my build is a chair", place=session(rig))
    assert "2301" in await told(rig, "U1", "find build", session(rig))
    rig.chat.places[ROOM] = became  # type: ignore[assignment]
    after = await told(rig, "U1", "find build", session(rig))
    assert "2301" not in after
    assert "chair" in after


@pytest.mark.parametrize("user", ["U1", "UM1", "UG"])
async def test_sc9_nobodys_corner_is_read_in_anothers_direct_messages(rig: Rig, user: str) -> None:
    """SC9, SC14: who speaks in a direct message that is another's gets nothing of their own corner there, and nothing
    is kept of what they say."""
    await rig.say(user, "corner my review is on Thursday", place=dm_of(user))
    assert "Thursday" not in await told(rig, user, "find review", dm_of("U2"))
    assert "denied" in await told(rig, user, "corner my review is on Friday", dm_of("U2"))
    assert "Friday" not in await told(rig, user, "find review", dm_of(user))


async def test_sc7_who_came_and_cannot_be_looked_up_is_taken_for_a_guest(rig: Rig) -> None:
    """SC7, R37: chat refuses to say who joined, each time; the place is unknown from then on."""
    for _ in range(3):
        rig.chat.fail("who", "missing_scope")
    await rig.gateway.observe(Observed("e1", "joined", place=Place("slack", TEAM, ROOM), person=someone("UG")))
    await rig.retried()
    assert (await rig.brain.policy()).channels[TEAM, ROOM].guests


async def test_oo8_an_old_word_about_somebody_brings_nobody_back(rig: Rig) -> None:
    """OO8, AP7: a change of a person that is delivered after their deactivation, and was made before it, does not lift
    it; that they came back does."""
    rig.chat.person("UM1", "Mia", Standing.GONE)
    for number, standing in enumerate((Standing.GONE, Standing.MEMBER)):
        await rig.gateway.observe(Observed(f"e{number}", "person", person=Person(TEAM, "UM1", standing=standing)))
        await rig.quiet()
        assert (TEAM, "UM1") in (await rig.brain.policy()).gone
    rig.chat.person("UM1", "Mia")
    await rig.gateway.observe(Observed("e2", "person", person=Person(TEAM, "UM1", standing=Standing.MEMBER)))
    await rig.quiet()
    assert (TEAM, "UM1") not in (await rig.brain.policy()).gone


async def test_br2_what_is_seen_of_other_teams_is_no_failure(rig: Rig) -> None:
    """BR2, R31: people and places of other teams, as a shared channel shows them, are left to those teams' gateways."""
    elsewhere = Place("slack", "TEXT", "C9")
    stranger = Person("TEXT", "UF", standing=Standing.MEMBER)
    for number, observed in enumerate(
        (
            Observed("", "person", person=stranger),
            Observed("", "external", place=elsewhere),
            Observed("", "joined", place=elsewhere, person=stranger),
        )
    ):
        await rig.gateway.observe(replace(observed, key=f"e{number}"))
    await rig.quiet()
    assert await rig.desk.dead_letters() == ()


async def test_sc2_with_direct_messages_off_the_refusal_names_the_way_that_is_left(rig: Rig) -> None:
    """SC2, SC6: where `policy.dm` is off, a direct message reads and keeps nothing private, and its refusal says what
    helps there: a `/1on1`, which still does."""
    await rig.say("U1", "corner my review is on Thursday", place=dm_of("U1"))
    await rig.operator.set_policy(dm="off")
    assert "Thursday" not in await told(rig, "U1", "find review", dm_of("U1"))
    refused = await told(rig, "U1", "corner my desk is by the window", dm_of("U1"))
    assert "/1on1" in refused
    assert "talk to me in a direct message" not in refused
    await rig.type("U1", "")
    assert "Thursday" in await told(rig, "U1", "find review", session(rig))
