"""`/1on1`: opened by its owner in a direct message, heard by its owner alone, ended by its owner (OO1-OO7)."""

from __future__ import annotations

import pytest

from sliceway.core.turns import Place, PlaceKind
from tests.fakes.chat import ROOM, TEAM, Said, dm_of
from tests.fakes.rig import Rig, someone
from tests.fakes.scripts import by_words


def greeting(rig: Rig) -> Said:
    """Return the root of the newest private session."""
    return [said for said in rig.chat.said if said.key is not None and said.key.endswith("/greeting")][-1]


def session(rig: Rig) -> Place:
    """Return the thread of the newest private session."""
    return Place("slack", TEAM, greeting(rig).place.channel, greeting(rig).ref.message, PlaceKind.IM)


async def test_oo3_the_lock_keeps_owner_place_beginning_and_idle_time(rig: Rig) -> None:
    """OO1, OO3: the session is a durable lock: whose, where, where it began, since when, and until when it may idle."""
    await rig.type("U1", "")
    (lock,) = await rig.desk.locks()
    assert lock.owner == someone("U1")
    assert lock.place == session(rig)
    assert lock.began_in is not None
    assert lock.began_in.channel == ROOM
    await rig.restart()
    assert await rig.desk.locks(someone("U1")) == (lock,)
    await rig.wait(hours=9)
    assert await rig.desk.locks() == ()


async def test_oo4_only_the_owner_is_heard(rig: Rig) -> None:
    """OO4, SC3: what anyone else says in the thread, a manager too, is dropped silently and counted."""
    rig.agent.script = by_words
    await rig.type("U1", "")
    before = len(rig.chat.said)
    for user in ("U2", "UM1", "UG"):
        await rig.say(user, "find everything", place=session(rig))
    assert len(rig.chat.said) == before
    assert rig.agent.turns == []
    assert rig.gateway.counts()["foreign_in_lock"] == 3


async def test_oo6_each_answer_shows_where_it_was_saved(rig: Rig) -> None:
    """OO6: an answer says that it was saved to the private corner, or that nothing was saved."""
    rig.agent.script = by_words
    await rig.type("U1", "")
    await rig.say("U1", "hello there", place=session(rig))
    assert "nothing was saved" in rig.chat.said[-1].text
    await rig.say("U1", "save my plan", place=session(rig))
    assert f"your private corner ({someone('U1').slice})" in rig.chat.said[-1].text


@pytest.mark.parametrize("text", ["!1on1 save my plan", "1on1 save my plan", "/1on1  save my plan"])
async def test_oo2_r29_in_a_thread_it_is_asked_for_aloud(rig: Rig, text: str) -> None:
    """OO2, R29: in a thread, where Slack has no slash commands, `!1on1` or a mention with `1on1` does the same: a
    session in the direct message that begins with the text, a link for the person alone, no turn in the thread."""
    rig.agent.script = by_words
    thread = Place("slack", TEAM, ROOM, "77.0")
    await rig.say("U1", text, place=thread)
    (lock,) = await rig.desk.locks()
    assert (lock.owner, lock.place) == (someone("U1"), session(rig))
    assert [turn.place for turn in rig.agent.turns] == [session(rig)]
    assert f"your private corner ({someone('U1').slice})" in rig.chat.said[-1].text
    (link,) = [said for said in rig.chat.said if said.place.channel == ROOM]
    assert (link.only, link.place.thread, "my plan" in link.text) == ("U1", "77.0", False)
    await rig.say("U1", "!1on1 end", place=thread)
    assert await rig.desk.locks() == ()


async def test_oo2_what_only_begins_alike_opens_nothing(rig: Rig) -> None:
    """OO2: other words in a thread, and `1on1` in a direct message, where it was no mention, are for the agent."""
    rig.agent.script = by_words
    await rig.say("U1", "1on1s moved to Monday")
    await rig.say("U1", "1on1 with Ben is on Monday", place=dm_of("U1"))
    assert len(rig.agent.turns) == 2
    assert await rig.desk.locks() == ()


async def test_oo5_the_owner_ends_it_in_the_thread(rig: Rig) -> None:
    """OO5: `end` in the thread ends it; others' `end`, a manager's or a guest's, in the thread or by command, does
    not, nor does it become theirs."""
    await rig.type("U1", "")
    for user in ("UM1", "UG"):
        await rig.say(user, "end", place=session(rig))
        await rig.say(user, "!1on1", place=session(rig))
        await rig.type(user, "end")
    assert [lock.owner.user for lock in await rig.desk.locks()] == ["U1"]
    await rig.say("U1", "End.", place=session(rig))
    assert await rig.desk.locks() == ()
    assert "has ended" in rig.chat.said[-1].text


async def test_oo5_the_owner_ends_it_by_command_wherever_they_are(rig: Rig) -> None:
    """OO5: `/1on1 end` ends all of one's own sessions and nobody else's, and tells its person alone."""
    await rig.type("U1", "")
    await rig.type("U2", "")
    await rig.type("U1", "end")
    assert [lock.owner.user for lock in await rig.desk.locks()] == ["U2"]
    told = [(said.only, said.place.channel) for said in rig.chat.said if "has ended" in said.text]
    assert sorted(told, key=str) == [("U1", ROOM), (None, "DU1")]
    await rig.type("U1", "end")
    assert "no private session" in rig.chat.said[-1].text


async def test_oo7_a_channel_is_never_locked(rig: Rig) -> None:
    """OO7: wherever it is typed, the session is a direct-message thread."""
    for channel in (ROOM, "CP", dm_of("U1").channel):
        await rig.type("U1", "", channel=channel)
    assert {lock.place.channel for lock in await rig.desk.locks()} == {dm_of("U1").channel}
    assert {lock.place.kind for lock in await rig.desk.locks()} == {PlaceKind.IM}


async def test_sc1_no_session_for_an_outsider(rig: Rig) -> None:
    """SC1: a guest and a stranger are told kindly that private sessions are for members; none is opened."""
    for user in ("UG", "UX"):
        await rig.type(user, "save this", channel="CX")
        assert (rig.chat.said[-1].only, "for members" in rig.chat.said[-1].text) == (user, True)
    assert await rig.desk.locks() == ()


async def test_sc8_a_session_begun_in_a_shared_channel_reads_no_more_than_there(rig: Rig) -> None:
    """SC2, SC8: a session begun in an externally shared channel has that channel's trust: the mind stays shut."""
    rig.agent.script = by_words
    await rig.say("U1", "save rollback target")
    await rig.type("U1", "find rollback", channel="CX")
    assert not any("rollback target" in said.text for said in rig.chat.said if said.place.channel == "DU1")
    await rig.type("U1", "find rollback", channel=ROOM)
    assert any("rollback target" in said.text for said in rig.chat.said if said.place.channel == "DU1")


async def test_a_command_that_died_opens_one_session(rig: Rig) -> None:
    """AP3, OO1: the greeting was posted and its answer lost: the same greeting is found, and one session opens."""
    rig.chat.lose_answer("say")
    await rig.type("U1", "save my words", wait=False)
    await rig.retried()
    assert len([said for said in rig.chat.said if said.key is not None and said.key.endswith("/greeting")]) == 1
    assert len(await rig.desk.locks()) == 1


async def test_an_unknown_command_is_said_to_be_unknown(rig: Rig) -> None:
    """A command that nobody knows is answered to its person alone, with what there is."""
    await rig.type("U1", "anything", name="somethingelse")
    assert "/1on1" in rig.chat.said[-1].text
    assert "!1on1" in rig.chat.said[-1].text  # R29: the help says what works in a thread
    assert rig.chat.said[-1].only == "U1"


async def test_oo1_where_the_agent_is_no_member_the_session_alone_tells_that_it_is_open(rig: Rig) -> None:
    """OO1: the link cannot be shown there; the session opens all the same, and the person is told nothing twice."""
    rig.agent.script = by_words
    rig.chat.fail("say_privately", reason="not_in_channel")
    await rig.type("U1", "")
    (lock,) = await rig.desk.locks()
    assert lock.owner == someone("U1")
    assert [said.place.kind for said in rig.chat.said] == [PlaceKind.IM]
