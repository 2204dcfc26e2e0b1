"""Turns: frozen at arrival, re-checked at each call and post, run again after a crash without repeating anything."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta

import pytest

from sliceway.core.gate import Verdict
from sliceway.core.turns import Place, PlaceKind, Standing, Turn
from sliceway.errors import Unavailable
from sliceway.ports import Reply, Tools
from tests.fakes.chat import ROOM, TEAM, Said, dm_of, room
from tests.fakes.rig import AGENT, Rig
from tests.fakes.scripts import by_words, note

THREAD = Place("slack", TEAM, ROOM, "77.0")
MIND = "agent-ada"


def replies(rig: Rig) -> list[Said]:
    """Return what the agent said in words."""
    return [said for said in rig.chat.said if said.message is not None]


async def pages(rig: Rig) -> list[str]:
    """Return the slugs in the agent's own mind."""
    listed = await rig.brain.list_pages(slices=[MIND], origin={"place": {"surface": "background"}})
    return [page.slug for page in listed]


async def test_r4_one_message_delivered_twice_is_one_turn(rig: Rig) -> None:
    """R1, R4: the same key twice leads to one turn, one write and one reply."""
    rig.agent.script = by_words
    await rig.say("U1", "save this once", key="m1")
    await rig.say("U1", "save this once", key="m1")
    assert len(rig.agent.turns) == 1
    assert len(replies(rig)) == 1


async def test_br6_a_turn_that_died_is_run_again_and_repeats_nothing(rig: Rig) -> None:
    """BR6: after a crash between two replies the turn runs again, its earlier write is answered as it was, and each
    reply is said once."""
    died = False

    async def script(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        nonlocal died
        answer = await tools.memoize([note("first", "one")])
        yield Reply(f"one: {answer.outcome} {answer.receipts[0].version}")
        if not died:
            died = True
            raise Unavailable
        answer = await tools.memoize([note("second", "two")])
        yield Reply(f"two: {answer.outcome}")

    rig.agent.script = script
    await rig.say("U1", "go", wait=False)
    await rig.retried()
    assert len(rig.agent.turns) == 2
    assert [said.text for said in replies(rig)] == ["one: written 1", "two: written"]
    assert await pages(rig) == ["one", "two"]


async def test_br6_a_rerun_that_words_it_differently_still_writes_once(rig: Rig) -> None:
    """BR6: an agent that says it in other words the second time is given what it did the first time."""
    tries = 0

    async def script(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        nonlocal tries
        tries += 1
        answer = await tools.memoize([note(f"wording {tries}", "one")], target="shared")
        if tries == 1:
            raise Unavailable
        yield Reply(f"{answer.outcome}")

    rig.agent.script = script
    await rig.say("U1", "go", wait=False)
    await rig.retried()
    assert [said.text for said in replies(rig)] == ["pending"]
    assert len((await rig.brain.proposals()).items) == 1
    assert len(rig.chat.cards()) == 1


async def test_br6_a_rerun_takes_each_change_for_itself(rig: Rig) -> None:
    """BR6: a turn that saved, deleted and saved again before it died is given each of the three when it runs again."""
    tries = 0

    async def script(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        nonlocal tries
        tries += 1
        done = [await tools.memoize([note("words", "one")])]
        done.append(await tools.forget(MIND, "one"))
        done.append(await tools.memoize([note("other words", "one")]))
        if tries == 1:
            raise Unavailable
        yield Reply(" ".join(f"{answer.receipts[0].action}{answer.receipts[0].version}" for answer in done))

    rig.agent.script = script
    await rig.say("U1", "go", wait=False)
    await rig.retried()
    assert [said.text for said in replies(rig)] == ["store1 delete2 store3"]
    history = await rig.brain.versions(
        slice=MIND, slug="one", slices=[MIND], origin={"place": {"surface": "background"}}
    )
    assert [entry.version for entry in history] == [3, 2, 1]


async def test_three_failures_are_told_once(rig: Rig) -> None:
    """A turn that fails three times ends with one apology in its thread, and the thread goes on."""

    async def script(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        if turn.text == "bad":
            raise LookupError("a bug")
        yield Reply("fine")

    rig.agent.script = script
    await rig.say("U1", "bad", place=THREAD, wait=False)
    await rig.say("U1", "good", place=THREAD, wait=False)
    await rig.retried()
    texts = [said.text for said in replies(rig)]
    assert len(texts) == 2
    assert "three times" in texts[0]
    assert texts[1] == "fine"


async def test_fr7_an_outage_of_minutes_costs_no_turn_its_life(rig: Rig) -> None:
    """FR7, BR6: a turn that finds the brain out of reach for three minutes waits for it, is answered once when it is
    back, keeps its thread in order, and writes once."""
    until = rig.clock() + timedelta(minutes=3)
    tries = 0

    async def script(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        nonlocal tries
        tries += 1
        await tools.memoize([note(f"wording {tries}", "one")])
        if rig.clock() < until:
            raise Unavailable
        yield Reply(turn.text)

    rig.agent.script = script
    await rig.say("U1", "first", place=THREAD, wait=False)
    await rig.say("U1", "second", place=THREAD, wait=False)
    await rig.retried()
    assert tries > 4
    assert [said.text for said in replies(rig)] == ["first", "second"]
    assert await rig.desk.dead_letters() == ()
    history = await rig.brain.versions(
        slice=MIND, slug="one", slices=[MIND], origin={"place": {"surface": "background"}}
    )
    assert len(list(history)) == 2


async def test_sc10_a_place_that_falls_during_a_turn_hears_nothing_and_nothing_is_written(rig: Rig) -> None:
    """SC10: the channel is shared with another organisation while the turn runs: the later write is denied, and what
    was found is told to the speaker alone."""

    async def script(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        found = await tools.recall("rollback")
        rig.chat.places[ROOM] = room("deploys", ("U1", "U2"), external=True)
        answer = await tools.memoize([note("more")])
        yield Reply(f"{found.outcome}, then {answer.outcome}")

    rig.agent.script = by_words
    await rig.say("U1", "save rollback target")
    rig.agent.script = script
    await rig.say("U1", "go on")
    last = replies(rig)[-1]
    assert last.text == "found, then denied"
    assert last.only == "U1"
    assert await pages(rig) == ["notes/rollback"]


async def test_sc10_a_reply_owed_before_the_place_fell_is_told_to_the_speaker_alone(rig: Rig) -> None:
    """SC10: the place falls between the turn and the post: the reply goes to the speaker privately."""
    rig.agent.script = by_words
    rig.chat.fail("say", "ratelimited", retry_after=5)
    await rig.say("U1", "save rollback target")
    assert replies(rig) == []
    rig.chat.places[ROOM] = room("deploys", ("U1", "U2"), external=True)
    await rig.wait(seconds=6)
    assert [said.only for said in replies(rig)] == ["U1"]


async def test_sc10_a_later_message_changes_nothing_about_a_running_turn(rig: Rig) -> None:
    """SC10: the agent is given the turn that arrived, speaker and place looked up; what others say in the thread while
    it runs changes neither who it is for nor what it may do."""
    begun, goes_on = asyncio.Event(), asyncio.Event()

    async def script(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        before, scope = turn, tools.scope
        begun.set()
        await goes_on.wait()
        answer = await tools.memoize([note(turn.text)])
        yield Reply(f"{answer.outcome} for {turn.speaker.name if turn.speaker else None}")
        assert (turn, tools.scope) == (before, scope)

    rig.agent.script = script
    await rig.say("U1", "one thing", place=THREAD, wait=False)
    await begun.wait()
    for user, text in (("UG", "forget it"), ("UM1", "approved, save it to shared"), ("U2", "not one, two things")):
        await rig.say(user, text, place=THREAD, wait=False)
    assert len(rig.agent.turns) == 1
    first = rig.agent.turns[0]
    assert (first.agent, first.text) == (AGENT, "one thing")
    goes_on.set()
    await rig.quiet()
    assert replies(rig)[0].text == "written for Ann"
    (first_version, *_) = reversed(
        (
            await rig.brain.versions(
                slice=MIND, slug="notes/rollback", slices=[MIND], origin={"place": {"surface": "background"}}
            )
        ).items
    )
    assert first_version.author.on_behalf_of is not None
    assert first_version.author.on_behalf_of.user == "U1"


async def test_sc1_a_guest_is_told_kindly_that_nothing_is_kept(rig: Rig) -> None:
    """SC1, GT5: a guest and a stranger may read what is public; what they ask to save is refused with kind words."""
    rig.agent.script = by_words
    for user in ("UG", "UX"):
        await rig.say(user, "save my words", place=Place("slack", TEAM, "CX", f"{user}.1"))
        assert "only remember things for members" in replies(rig)[-1].text
        await rig.say(user, "share my words", place=Place("slack", TEAM, "CX", f"{user}.2"))
        assert replies(rig)[-1].text.startswith("denied")
    assert await pages(rig) == []
    assert rig.chat.cards() == []


async def test_sc7_a_guest_who_speaks_makes_the_channel_unknown_for_all(rig: Rig) -> None:
    """SC7: a guest heard in a channel is told to the brain, and from then on nothing is kept from there."""
    rig.agent.script = by_words
    await rig.say("UG", "hello")
    await rig.say("U1", "save after the guest")
    assert "not one the team trusts" in replies(rig)[-1].text
    assert (await rig.brain.policy()).channels[TEAM, ROOM].guests


async def test_sc6_a_manager_elsewhere_is_answered_aside(rig: Rig) -> None:
    """SC6: in a place that is not trusted a manager's question is answered to them alone."""
    rig.agent.script = by_words
    await rig.say("U1", "save rollback target")
    await rig.say("UM1", "find rollback", place=Place("slack", TEAM, "CP", "5.1", PlaceKind.PRIVATE))
    assert replies(rig)[-1].only == "UM1"
    assert "rollback target" in replies(rig)[-1].text
    await rig.say("U1", "find rollback", place=Place("slack", TEAM, "CP", "5.2", PlaceKind.PRIVATE))
    assert replies(rig)[-1].only is None
    assert replies(rig)[-1].text.startswith("nothing")


async def test_r8_bots_and_leavers_are_not_heard(rig: Rig) -> None:
    """R8: what a bot or somebody who left says leads to no turn of the agent, whatever it mentions."""
    rig.chat.person("UROBOT", "Alerts", Standing.BOT)
    await rig.say("UROBOT", "save an alert")
    await rig.say("UGONE", "hello", place=dm_of("UGONE"))
    assert rig.agent.turns == []
    assert rig.chat.said == []


async def test_r26_what_is_asked_in_a_thread_is_answered_in_that_thread(rig: Rig) -> None:
    """R26: the answer to a message in a thread stands in the same thread."""
    rig.agent.script = by_words
    await rig.say("U1", "find nothing", place=THREAD)
    assert [said.place.thread for said in replies(rig)] == [THREAD.thread]


@pytest.mark.parametrize("reason", ["thread_not_found", "message_not_found"])
async def test_r27_a_reply_whose_thread_is_gone_is_dropped_and_never_said_elsewhere(rig: Rig, reason: str) -> None:
    """R27: where the thread cannot be answered in, nothing is said at the channel's root, nor anywhere else."""
    rig.agent.script = by_words
    rig.chat.fail("say", reason)
    await rig.say("U1", "save the plan", place=THREAD)
    await rig.wait(hours=1)
    assert rig.chat.said == []


async def test_r64_a_failing_agent_is_tried_again_from_the_desk_and_not_by_slack(rig: Rig) -> None:
    """R64: the delivery is kept, and so acknowledged, before the agent begins; what fails then is tried again from the
    desk, and a repeated delivery changes nothing."""
    tries = 0

    async def script(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise ValueError("a mistake of the agent's")
        yield Reply("fine")

    rig.agent.script = script
    await rig.say("U1", "go", key="m1", wait=False)
    await rig.retried()
    await rig.say("U1", "go", key="m1")
    assert tries == 2
    assert [said.text for said in replies(rig)] == ["fine"]


async def test_undo_finds_what_this_speaker_did_in_this_thread(rig: Rig) -> None:
    """GT7: `undo` takes back the speaker's own last change of the thread, after a restart too."""
    rig.agent.script = by_words
    await rig.say("U1", "save to be undone", place=THREAD)
    await rig.restart()
    await rig.say("U1", "undo", place=THREAD)
    assert "Took back" in replies(rig)[-1].text
    assert await pages(rig) == []


async def test_gt_a_plugin_tightens_and_no_grant_covers_it(rig: Rig) -> None:
    """GT: a plugin's ASK turns a free write into a card, its DENY into a refusal; the observers hear of the turn."""
    rig.agent.script = by_words
    rig.hooks.verdict = Verdict.ASK
    await rig.say("U1", "save with a yes")
    assert replies(rig)[-1].text.startswith("pending")
    (card,) = rig.chat.cards()
    await rig.press("UM1", card, "Approve")
    assert await pages(rig) == ["notes/rollback"]
    rig.hooks.verdict = Verdict.DENY
    await rig.say("U1", "save never")
    assert "rule of this team" in replies(rig)[-1].text
    assert len(rig.hooks.done) == 2
