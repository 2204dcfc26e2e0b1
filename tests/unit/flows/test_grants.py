"""Grants in chat: given with an approval, shown with each write under one, ended at once (AP15-AP17)."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from sliceway.core.clock import minute_words
from sliceway.core.proposals import State
from sliceway.core.turns import Person, Place, Standing, Turn
from sliceway.ports.inbound import Observed
from tests.fakes.chat import ROOM, TEAM, Said
from tests.fakes.rig import Rig, make_rig
from tests.fakes.scripts import by_words

THREAD = Place("slack", TEAM, ROOM, "7.5")
LABEL = "Approve for this thread"


async def granted(rig: Rig, *, by: str = "UM1") -> Said:
    """Have Ann's thread granted with the approval of her first write; return the card, now its record."""
    rig.agent.script = by_words
    await rig.say("U1", "share one", place=THREAD)
    card = rig.chat.cards()[-1]
    await rig.press(by, card, LABEL)
    return card


async def shares(rig: Rig, text: str, *, user: str = "U1", place: Place = THREAD, word: str = "share") -> str:
    """Have somebody share something; return what the agent said it came to."""
    before = len(rig.chat.said)
    await rig.say(user, f"{word} {text}", place=place)
    answers = [said.text for said in rig.chat.said[before:] if said.key is not None and said.key.endswith("/reply/0")]
    return answers[0].partition(":")[0]


def told(rig: Rig, user: str) -> str:
    """Return what a person alone was shown last."""
    return [said.text for said in rig.chat.said if said.only == user][-1]


async def test_ap15_ap16_a_thread_is_granted_and_every_write_says_under_whose_yes(rig: Rig) -> None:
    """AP15, AP16: the approval writes and grants; the next write has no card, and thread and answer name the granter
    and the end, with Revoke."""
    record = await granted(rig)
    assert [button.label for button in record.buttons] == ["Revoke"]
    assert "Granted until" in record.text
    notice = next(said for said in rig.chat.said if "approved it" in said.text)
    assert "under the standing yes of Mia" in notice.text
    assert [button.label for button in notice.buttons] == ["Revoke"]
    assert await shares(rig, "two") == "written"
    answer = rig.chat.said[-1]
    (grant,) = (await rig.brain.grants()).items
    assert f"standing yes of Mia, until {minute_words(grant.until)}" in answer.text
    assert [button.label for button in answer.buttons] == ["Revoke"]
    assert len(rig.chat.cards()) == 1


async def test_ap16_a_write_the_agent_says_nothing_about_is_said_by_the_gateway(rig: Rig) -> None:
    """AP16: an agent that keeps still about a write under a grant hides nothing: the thread is told, with Revoke."""
    await granted(rig)

    async def still(turn: Turn, tools: object) -> object:
        async for _ in by_words(turn, tools):  # type: ignore[arg-type]  # a script's own tools
            pass
        nothing: tuple[object, ...] = ()
        for one in nothing:
            yield one

    rig.agent.script = still  # type: ignore[assignment]  # it yields nothing
    await rig.say("U1", "share two", place=THREAD)
    assert "Written under the standing yes of Mia" in rig.chat.said[-1].text
    assert [button.label for button in rig.chat.said[-1].buttons] == ["Revoke"]


async def test_ap16_r52_everything_else_gets_a_card(rig: Rig) -> None:
    """AP16, R52: another writer, another thread, another slice, more than 4 KiB: each is asked again; plain Approve
    grants nothing."""
    await granted(rig)
    assert await shares(rig, "more", user="U2") == "pending"
    assert await shares(rig, "more", place=Place("slack", TEAM, ROOM, "8.5")) == "pending"
    assert await shares(rig, "more", word="publish") == "pending"
    assert await shares(rig, "long " * 900) == "pending"
    await rig.say("U3", "share three", place=THREAD)
    await rig.press("UM1", rig.chat.cards()[-1], "Approve")
    assert await shares(rig, "four", user="U3") == "pending"


@pytest.mark.parametrize("user", ["UM1", "U1", "UM2"])
async def test_ap15_ap17_granter_writer_and_any_manager_revoke(rig: Rig, user: str) -> None:
    """AP15, AP17: who gave it, who writes under it and any manager end it at once; the thread is told, the card offers
    no Revoke any more, and the next write gets a card."""
    record = await granted(rig)
    await rig.press(user, record, "Revoke")
    assert "Taken back" in told(rig, user)
    assert any("took back the standing yes of Mia" in said.text for said in rig.chat.said if said.only is None)
    assert record.buttons == ()
    assert await shares(rig, "two") == "pending"


@pytest.mark.parametrize("user", ["U2", "UG", "UX", "UGONE"])
async def test_ap15_others_are_refused_kindly_and_the_grant_stands(rig: Rig, user: str) -> None:
    """AP15: a member who is no part of it, a guest, a stranger and somebody who left end nothing, and hear who can."""
    record = await granted(rig)
    await rig.press(user, record, "Revoke")
    assert "Mia, who gave it, Ann, who writes under it, and the managers can" in told(rig, user)
    assert await shares(rig, "two") == "written"


async def test_ap15_a_second_revoke_is_told_the_truth(rig: Rig) -> None:
    """AP15: the Revoke of an older message, pressed after the end, says so and changes nothing."""
    await granted(rig)
    await shares(rig, "two")
    answer = rig.chat.said[-1]
    await rig.press("U1", answer, "Revoke")
    await rig.press("UM2", answer, "Revoke")
    assert "has ended already (revoked by U1)" in told(rig, "UM2")
    assert len([said for said in rig.chat.said if "took back" in said.text]) == 1


async def test_ap15_who_may_not_decide_grants_nothing(rig: Rig) -> None:
    """AP15, AP7: a member who presses it is refused like one who presses Approve; nothing is granted or written."""
    card = await granted(rig, by="U2")
    assert "You cannot decide this" in told(rig, "U2")
    assert card.card is not None
    assert (await rig.brain.proposal(id=card.card.proposal)).state is State.PENDING
    assert (await rig.brain.grants()).items == ()


async def test_ap15_no_button_where_no_grant_can_be_given(rig: Rig) -> None:
    """AP15, AP16: a delete and a write from a private session offer no grant."""
    record = await granted(rig)
    await rig.press("UM1", record, "Revoke")
    await rig.say("U1", "forget shared team/oncall", place=THREAD)
    assert LABEL not in [button.label for button in rig.chat.cards()[-1].buttons]
    await rig.type("U1", "share something private")
    draft = rig.chat.cards()[-1]
    assert LABEL not in [button.label for button in draft.buttons]
    await rig.press("U1", draft, "Send to approvers")
    copy = next(said for said in rig.chat.cards() if said.place.channel == "DUM1")
    assert [button.label for button in copy.buttons] == ["Approve", "Deny"]


async def test_ap15_switched_off_there_is_no_button_and_an_old_one_grants_nothing(tmp_path: Path) -> None:
    """AP15: `grant_for = 0` switches it off; a button from before says so, and the proposal still waits."""
    rig = await make_rig(tmp_path)
    rig.agent.script = by_words
    await rig.say("U1", "share one", place=THREAD)
    card = rig.chat.cards()[-1]
    await rig.operator.set_policy(grant_for=timedelta())
    await rig.press("UM1", card, LABEL)
    assert "Grants are switched off" in told(rig, "UM1")
    assert (await rig.brain.grants()).items == ()
    await rig.say("U1", "share another thing", place=Place("slack", TEAM, ROOM, "8.5"))
    assert [button.label for button in rig.chat.cards()[-1].buttons] == ["Approve", "Deny"]
    await rig.close()


async def test_ap17_a_grant_expires_and_the_card_says_so_by_itself(rig: Rig) -> None:
    """AP17: past its time the next write gets a card, and the record loses its Revoke without anybody pressing."""
    record = await granted(rig)
    for _ in range(9):
        await rig.wait(hours=1)
    assert record.buttons == ()
    assert await shares(rig, "two") == "pending"


async def leave(rig: Rig, user: str) -> None:
    """Have somebody be deactivated, as chat tells it."""
    rig.chat.person(user, "Gone", Standing.GONE)
    gone = Person(TEAM, user, standing=Standing.GONE)
    await rig.gateway.observe(Observed(f"left-{user}", "person", person=gone))
    await rig.quiet()


async def shared_out(rig: Rig) -> None:
    """Have the channel become shared with another organisation."""
    place = Place("slack", TEAM, ROOM, external=True)
    await rig.gateway.observe(Observed("shared", "external", place=place))
    await rig.quiet()


async def writer_leaves(rig: Rig) -> None:
    """Have the writer be deactivated."""
    await leave(rig, "U1")


async def granter_leaves(rig: Rig) -> None:
    """Have the granter be deactivated."""
    await leave(rig, "UM1")


async def granter_is_no_approver(rig: Rig) -> None:
    """Have the granter taken off the list of managers."""
    await rig.operator.set_policy(managers=["UM2"])


@pytest.mark.parametrize("ends", [shared_out, writer_leaves, granter_leaves, granter_is_no_approver])
async def test_ap17_a_grant_ends_at_once(rig: Rig, ends: Callable[[Rig], object]) -> None:
    """AP17: a channel shared outside, a writer or granter who left, a granter who approves no more: no live grant is
    left, and nothing is written under it."""
    await granted(rig)
    await ends(rig)  # type: ignore[misc]  # each is a coroutine function
    assert (await rig.brain.grants()).items == ()
    await rig.say("U1", "share two", place=THREAD)
    (page,) = (await rig.operator.list_pages(slice="shared")).items
    assert page.version == 1


@pytest.mark.parametrize("standing", [Standing.GONE, Standing.GUEST])
async def test_ap7_ap17_what_only_chat_knows_of_the_granter_counts_too(rig: Rig, standing: Standing) -> None:
    """AP7, AP17: a granter whom chat says to have left or to be a guest now, before any event told the brain: the next
    write gets a card."""
    await granted(rig)
    rig.chat.person("UM1", "Mia", standing)
    assert await shares(rig, "two") == "pending"
