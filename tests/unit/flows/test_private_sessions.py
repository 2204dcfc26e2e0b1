"""Private sessions from threads, and how they end: by time, by a manager, with their owner (OO1-OO8, SC10)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from sliceway.core.turns import Command, Person, Place, PlaceKind, Standing, Turn
from sliceway.ports import Reply, Tools
from sliceway.ports.inbound import Observed
from tests.fakes.chat import ROOM, TEAM, Said
from tests.fakes.rig import Rig, someone
from tests.fakes.scripts import by_words, note
from tests.fakes.waiting import until
from tests.unit.flows.test_one_on_one import greeting, session

THREAD = Place("slack", TEAM, ROOM, "7.5")


def told(rig: Rig, user: str) -> Said:
    """Return what a person alone was shown last."""
    return [said for said in rig.chat.said if said.only == user][-1]


async def release(rig: Rig, by: str, whom: str, *, wait: bool = True) -> None:
    """Have somebody type `/1on1 release @whom`."""
    place, name = Place("slack", TEAM, ROOM), rig.chat.people[whom].person.shown
    command = Command(f"release-{by}", "1on1", f"release @{name}", someone(by), place, names={whom: name})
    await rig.gateway.command(command)
    if wait:
        await rig.quiet()


async def leave(rig: Rig, user: str) -> None:
    """Have somebody be deactivated, as chat tells it."""
    rig.chat.person(user, "Gone", Standing.GONE)
    await rig.gateway.observe(Observed(f"left-{user}", "person", person=Person(TEAM, user, standing=Standing.GONE)))


@pytest.mark.parametrize("text", ["!1on1 corner my salary is low", "1on1 corner my salary is low"])
async def test_oo2_r29_a_thread_asks_by_message_what_commands_cannot(rig: Rig, text: str) -> None:
    """OO1, OO2, R29: in a thread `!1on1` and a mention with `1on1` open a session in the direct messages, which begins
    with the text; the thread sees nothing but a link for its person alone."""
    rig.agent.script = by_words
    await rig.say("U1", text, place=THREAD)
    (lock,) = await rig.desk.locks()
    assert (lock.owner.user, lock.place) == ("U1", session(rig))
    assert lock.began_in is not None
    assert (lock.began_in.channel, lock.began_in.thread) == (ROOM, "7.5")
    here = [said for said in rig.chat.said if said.place.channel == ROOM]
    assert [(said.only, said.place.thread) for said in here] == [("U1", "7.5")]
    assert here[0].message is not None
    assert here[0].message.link is not None
    assert "salary" not in here[0].text
    assert any("written" in said.text for said in rig.chat.said if said.place == session(rig))


async def test_oo2_in_a_direct_message_a_new_session_is_another_thread(rig: Rig) -> None:
    """OO2: `!1on1` under a direct message opens a thread of its own and leads there; without the mark, `1on1` in a
    direct message is something said to the agent."""
    plain = Place("slack", TEAM, "DU1", "3.5", PlaceKind.IM)
    await rig.say("U1", "1on1 meetings are on Fridays", place=plain)
    assert await rig.desk.locks() == ()
    await rig.say("U1", "!1on1", place=plain)
    (lock,) = await rig.desk.locks()
    assert lock.place.thread not in {None, "3.5"}
    assert "is open" in rig.chat.said[-1].text


async def test_sc1_a_guest_opens_none_from_a_thread(rig: Rig) -> None:
    """SC1, OO2: a guest who asks in a thread is told kindly, alone."""
    await rig.say("UG", "!1on1 hello", place=Place("slack", TEAM, "CX", "7.5"))
    assert "for members of the team" in told(rig, "UG").text
    assert await rig.desk.locks() == ()


async def test_r29_help_says_where_commands_do_not_exist(rig: Rig) -> None:
    """R29, OO2: the help says that there are no slash commands in threads, and what to say there."""
    await rig.type("U1", "help")
    assert "`!1on1 [text]`" in told(rig, "U1").text
    assert await rig.desk.locks() == ()


async def test_the_greeting_says_who_can_read_what(rig: Rig) -> None:
    """OO1, SC9, SC8: the greeting names who finds what is saved, which slices are read from there, and how it ends."""
    await rig.type("U1", "")
    assert "Private session, saved only to your slice" in greeting(rig).text
    for words in ("no manager either", "Any of the team's agents may use it", "team's knowledge base", "after 8 hours"):
        assert words in greeting(rig).text
    await rig.type("U1", "", channel="CP")
    assert "where the team's memory stays shut" in greeting(rig).text


async def test_oo3_an_idle_session_ends_and_its_owner_is_told_once(rig: Rig) -> None:
    """OO3: past the idle time the next message is told that the session ended, and is handled as a plain direct
    message; the one after hears nothing more of it."""
    rig.agent.script = by_words
    await rig.type("U1", "")
    place = session(rig)
    await rig.wait(hours=9)
    await rig.say("U1", "corner my plan", place=place)
    here = [said.text for said in rig.chat.said if said.place == place]
    assert "ended by itself" in here[0]
    assert here[1].startswith("written:")
    assert rig.agent.turns[-1].lock is None
    await rig.say("U1", "corner more", place=place)
    assert len([said for said in rig.chat.said if "ended by itself" in said.text]) == 1


async def test_oo3_what_the_owner_says_prolongs_it(rig: Rig) -> None:
    """OO3: the idle time counts from the owner's last word, and nobody else's counts."""
    await rig.type("U1", "")
    place = session(rig)
    await rig.wait(hours=7)
    await rig.say("U1", "hello", place=place)
    await rig.wait(hours=7)
    await rig.say("UM1", "hello", place=place)
    assert len(await rig.desk.locks()) == 1
    await rig.wait(hours=2)
    assert await rig.desk.locks() == ()


async def test_oo5_sc3_a_manager_releases_and_learns_nothing(rig: Rig) -> None:
    """OO5, SC3: a manager ends somebody's sessions; the owner is told by whom, the manager the same as where there was
    none."""
    await rig.type("U1", "")
    await release(rig, "UM1", "U1")
    assert await rig.desk.locks() == ()
    (line,) = [said for said in rig.chat.said if "Mia, a manager, ended this private session" in said.text]
    assert line.place == session(rig)
    first = told(rig, "UM1").text
    await release(rig, "UM2", "U1")
    assert told(rig, "UM2").text == first


@pytest.mark.parametrize("user", ["U2", "UG", "UX"])
async def test_oo5_nobody_else_takes_over_or_ends_a_session(rig: Rig, user: str) -> None:
    """OO5: a member, a guest and a stranger neither release somebody's session, nor end it in its thread or by
    command, nor get it for themselves; the try to release is on record."""
    await rig.type("U1", "")
    (lock,) = await rig.desk.locks()
    await release(rig, user, "U1")
    assert "Only a manager" in told(rig, user).text
    assert "refused.in_gateway" in [entry.act for entry in await rig.operator.audit(limit=5)]
    await rig.say(user, "end", place=lock.place)
    await rig.say(user, "!1on1", place=lock.place)
    await rig.type(user, "end")
    assert await rig.desk.locks() == (lock,)


async def test_oo1_words_that_begin_like_a_release_are_words(rig: Rig) -> None:
    """OO1: `/1on1 release …` without just one person mentioned is what its person wants to say."""
    await rig.type("U1", "release the notes tomorrow")
    assert [turn.text for turn in rig.agent.turns] == ["release the notes tomorrow"]
    assert len(await rig.desk.locks()) == 1


async def test_oo8_a_leavers_sessions_end(rig: Rig) -> None:
    """OO8: when chat says that the owner was deactivated, their sessions end, and nobody else's."""
    await rig.type("U1", "")
    await rig.type("U2", "")
    await leave(rig, "U1")
    await rig.quiet()
    assert [lock.owner.user for lock in await rig.desk.locks()] == ["U2"]


@pytest.mark.parametrize("ends", ["owner", "manager", "leaver"])
async def test_sc10_a_turn_notices_that_its_session_ended(rig: Rig, ends: str) -> None:
    """SC10, OO5, OO8: a session that its owner or a manager ends, or whose owner leaves, while a turn runs: the turn
    writes nothing any more, neither for itself nor to share."""
    began, go = asyncio.Event(), asyncio.Event()

    async def slow(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        began.set()
        await go.wait()
        mine, shared = await tools.memoize([note("late")]), await tools.memoize([note("late")], target="shared")
        yield Reply(f"{mine.outcome}, {shared.outcome}: {mine.say}")

    rig.agent.script = slow
    await rig.type("U1", "")
    place = session(rig)
    await rig.say("U1", "remember it", place=place, wait=False)
    await began.wait()
    if ends == "owner":
        await rig.type("U1", "end", wait=False)
    elif ends == "manager":
        await release(rig, "UM1", "U1", wait=False)
    else:
        await leave(rig, "U1")

    async def is_ended() -> bool:
        return not await rig.desk.locks()

    await until(is_ended)
    go.set()
    await rig.quiet()
    assert not [entry for entry in await rig.operator.slices() if entry.pages]
    assert (await rig.operator.proposals()).items == ()
    if ends != "leaver":
        assert any("denied, denied: The private session ended" in said.text for said in rig.chat.said)


async def test_t11_the_end_is_said_once_in_the_thread_whatever_is_lost(rig: Rig) -> None:
    """T11, OO5: the answer to the thread's last line is lost: it is found there, not said again."""
    await rig.type("U1", "")
    rig.chat.lose_answer("say")
    await rig.type("U1", "end", wait=False)
    await rig.retried()
    for _ in range(3):
        await rig.wait(seconds=2)
    assert len([said for said in rig.chat.said if "has ended" in said.text and said.place == session(rig)]) == 1
    assert await rig.desk.locks() == ()
