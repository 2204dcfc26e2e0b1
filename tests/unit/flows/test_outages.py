"""Chat or the brain does not answer for a while: nothing that was accepted is lost, and what is said of it is true."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sliceway.errors import ChatError, Unavailable
from sliceway.flows.dispatch import Dispatcher
from sliceway.flows.parts import GatewayConfig
from sliceway.flows.trouble import is_outage, why_words
from sliceway.ports import InboxItem
from sliceway.store.desk import open_desk
from tests.fakes.clock import HandClock
from tests.fakes.rig import Rig
from tests.fakes.scripts import by_words
from tests.fakes.waiting import until

OUTAGES = {
    "gone": ChatError("", reason="unreachable", retry_after=2.0),
    "silent": ChatError("", reason="no_answer"),
    "broken": ChatError("", reason="http_503"),
    "internal": ChatError("", reason="internal_error"),
    "busy": ChatError("", reason="ratelimited", retry_after=1.0),
}


def down(rig: Rig, error: ChatError, times: int, *methods: str) -> None:
    """Have so many calls of these methods fail."""
    rig.chat.trouble += [(method, error, False) for method in methods for _ in range(times)]


@pytest.mark.parametrize("outage", sorted(OUTAGES))
async def test_op4_a_turn_outlasts_an_outage_of_chat(rig: Rig, outage: str) -> None:
    """OP4, R64: chat answers no look-up, many times over; the turn waits for it, is done once and answered once."""
    rig.agent.script = by_words
    down(rig, OUTAGES[outage], 7, "who", "place")
    await rig.say("U1", "save build 2301", wait=False)
    await rig.retried()
    assert [said.text.partition(":")[0] for said in rig.chat.said] == ["written"]
    assert await rig.desk.dead_letters() == ()


@pytest.mark.parametrize("outage", sorted(OUTAGES))
async def test_op4_a_click_outlasts_an_outage_of_chat(rig: Rig, outage: str) -> None:
    """OP4, AP5: a click that was accepted counts when chat can be asked again who pressed, and counts once."""
    rig.agent.script = by_words
    await rig.say("U1", "share the rotation moved")
    down(rig, OUTAGES[outage], 4, "who")
    await rig.press("UM1", rig.chat.cards()[0], "Approve", wait=False)
    await rig.retried()
    (proposal,) = (await rig.operator.proposals()).items
    assert proposal.state.value == "applied"
    assert not [said for said in rig.chat.said if said.only is not None]


async def test_op4_an_outage_ends_with_a_dead_letter_after_all(tmp_path: Path, clock: HandClock) -> None:
    """OP3, OP4: chat that never answers again leaves a dead letter that says why, about half an hour later."""
    desk = await open_desk(f"sqlite:///{tmp_path}/desk.db", clock=clock, sync="normal")
    began, told = clock(), []

    async def silent(item: InboxItem) -> None:
        raise OUTAGES["silent"]

    async def tell(item: InboxItem, error: Exception) -> None:
        told.append(why_words(error))

    await desk.put_event(key="k", queue="q", kind="turn", payload={})
    config = GatewayConfig(tick_s=0.001, lease_s=600.0)
    turns = Dispatcher(desk, "h", config, name="turns", handlers={"turn": silent}, on_dead=tell)
    turns.start()

    async def is_dead() -> bool:
        clock.forward(seconds=15)
        turns.kick()
        return await desk.inbox_depth() == 0

    await until(is_dead)
    await turns.stop(5)
    (letter,) = await desk.dead_letters()
    await desk.close()
    assert letter.error == "chat_down"
    assert len(told) == 1
    assert (clock() - began).total_seconds() > 1200


async def test_what_chat_refuses_is_no_outage(rig: Rig) -> None:
    """A refusal for good is tried three times as before, and its person is told why."""
    rig.agent.script = by_words
    down(rig, ChatError("", reason="missing_scope"), 3, "place")
    await rig.say("U1", "save build 2301", wait=False)
    await rig.retried()
    (said,) = rig.chat.said
    assert "The chat platform did not let me look up" in said.text
    assert "Please ask me again" in said.text


def test_why_words_are_true_of_what_failed() -> None:
    """Each kind of failure is told as what it is: the memory, the chat platform, or a fault of the agent's own."""
    assert "memory" in why_words(Unavailable())
    assert "chat platform" in why_words(ChatError("", reason="missing_scope"))
    assert "fault of mine" in why_words(ValueError("no"))
    assert is_outage(Unavailable())
    assert not is_outage(ChatError("", reason="missing_scope"))
    assert all(is_outage(error) for error in OUTAGES.values())


async def test_br5_half_a_surrogate_pair_is_refused_in_words(rig: Rig) -> None:
    """BR5: a message with half a surrogate pair is taken in, refused by the brain with the reason, and answered."""
    rig.agent.script = by_words
    await rig.say("U1", "save build \ud800 2301")
    await rig.say("U1", "find \udc00")
    assert [said.text.partition(":")[0] for said in rig.chat.said] == ["failed", "failed"]
    assert replace(rig.chat.said[0]).text.count("Nothing changed") == 1
