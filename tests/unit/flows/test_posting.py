"""What becomes of what chat refuses: tried on while it may pass, given up with its reason where it will not."""

from __future__ import annotations

import asyncio

import pytest

from sliceway.errors import ChatError
from sliceway.flows.parts import GatewayConfig
from sliceway.flows.posting import HOPELESS, Poster, is_hopeless
from sliceway.flows.trouble import NO_TOKEN
from sliceway.ports import Owed
from tests.fakes.rig import Rig
from tests.fakes.scripts import by_words
from tests.fakes.waiting import until


async def on_to_the_next_try(rig: Rig) -> None:
    """Let a minute pass where nothing is being tried: a lease must not end meanwhile."""
    if not await rig.desk.owed_depth():
        rig.clock.forward(seconds=61)


async def worked_off(rig: Rig, error: ChatError, *, most: int) -> tuple[int, list[str]]:
    """Owe two things in one lane, the first of which chat refuses; return how often it was tried, up to `most`, and
    what was done of the second meanwhile."""
    tried, done = 0, []

    async def post(item: Owed) -> None:
        nonlocal tried
        if item.key == "second":
            done.append(item.key)
            return
        tried += 1
        if tried <= most:
            raise error

    for key in ("first", "second"):
        await rig.desk.owe(key=key, kind="test", payload={"text": "wombat"}, lane="thread")
    poster = Poster(rig.desk, "test", GatewayConfig(tick_s=0.001, lease_s=600.0), {"test": post})
    poster.start()

    async def is_over() -> bool:
        await on_to_the_next_try(rig)
        poster.kick()
        return bool(done)

    await until(is_over)
    await poster.stop(5)
    return tried, done


@pytest.mark.parametrize("reason", ["as_user_not_supported", "message_limit_exceeded", "missing_scope"])
async def test_a_refusal_that_is_not_known_ends_soon_with_its_reason(rig: Rig, reason: str) -> None:
    """OP3: what chat refuses for a reason unknown here is tried five times, then a dead letter that names the reason
    and quotes nobody; what waited behind it is done."""
    assert await worked_off(rig, ChatError("wombat", reason=reason), most=50) == (5, ["second"])
    (letter,) = await rig.desk.dead_letters()
    assert (letter.key, letter.kind, letter.error) == ("first", "test", reason)


@pytest.mark.parametrize("reason", sorted(HOPELESS))
async def test_a_refusal_that_never_passes_ends_at_once(rig: Rig, reason: str) -> None:
    """OP3: what no later try can change is tried once, and is a dead letter with its reason."""
    assert await worked_off(rig, ChatError("no", reason=reason), most=50) == (1, ["second"])
    (letter,) = await rig.desk.dead_letters()
    assert letter.error == reason


@pytest.mark.parametrize("reason", ["unreachable", "internal_error", "http_403", "request_timeout", *sorted(NO_TOKEN)])
async def test_what_passes_is_tried_on(rig: Rig, reason: str) -> None:
    """R62: an outage, a proxy's answer and a token that has to be renewed outlast many tries, and it is posted."""
    assert await worked_off(rig, ChatError("no", reason=reason), most=12) == (13, ["second"])
    assert await rig.desk.dead_letters() == ()


@pytest.mark.parametrize("ended", [False, True], ids=["given back", "ended"])
async def test_t14_what_comes_due_while_its_task_still_ends_is_worked_on_next(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, ended: bool
) -> None:
    """T14: an item that is taken again before the task that gave it back is over waits for no lease to end; one that
    such a task ended meanwhile is not done twice."""
    tried, gave_back, goes_on = 0, asyncio.Event(), asyncio.Event()
    postpone = rig.desk.postpone

    async def slow(key: str, *, seconds: float, tried: bool = True) -> None:
        await postpone(key, seconds=seconds, tried=tried)
        gave_back.set()
        await goes_on.wait()
        if ended:
            await rig.desk.settle(key)

    async def post(item: Owed) -> None:
        nonlocal tried
        tried += 1
        if tried == 1:
            raise ChatError("no", reason="token_expired")

    async def taken_again() -> bool:
        return "first" in poster._again

    async def is_over() -> bool:
        return not await rig.desk.owed_depth() and not poster._running

    monkeypatch.setattr(rig.desk, "postpone", slow)
    await rig.desk.owe(key="first", kind="test", payload={}, lane="thread")
    poster = Poster(rig.desk, "test", GatewayConfig(tick_s=0.001, lease_s=600.0), {"test": post})
    poster.start()
    await gave_back.wait()
    rig.clock.forward(seconds=61)
    await until(taken_again)
    goes_on.set()
    await until(is_over)
    await poster.stop(5)
    assert tried == (1 if ended else 2)


def test_a_revoked_token_counts_no_tries() -> None:
    """R62: however long the token is no good, what is owed is never hopeless for it."""
    assert not any(is_hopeless(ChatError("", reason=reason), 100_000) for reason in NO_TOKEN)
    assert is_hopeless(ChatError("", reason="odd_new_code"), 4)
    assert not is_hopeless(ChatError("", reason="odd_new_code"), 3)
    assert not is_hopeless(ValueError(), 4)


async def test_r38_a_card_that_a_channel_refuses_time_and_again_goes_to_those_who_decide(rig: Rig) -> None:
    """R38: a place that refuses a card for a reason unknown here is left after five tries, and the card is shown to
    those who decide."""
    rig.agent.script = by_words
    for _ in range(5):
        rig.chat.fail("post_card", "odd_new_code")
    await rig.say("U1", "share the rotation moved")

    async def shown() -> bool:
        await on_to_the_next_try(rig)
        return len(rig.chat.cards()) == 2

    await until(shown)
    await rig.quiet()
    assert {card.place.channel for card in rig.chat.cards()} == {"DUM1", "DUM2"}
    assert await rig.desk.dead_letters() == ()


async def test_a_card_that_nobody_can_be_shown_is_a_dead_letter(rig: Rig) -> None:
    """OP3, AP20: where thread and deciders all refuse a card for good, a dead letter names it; it is decided without
    chat all the same."""
    rig.agent.script = by_words
    for _ in range(3):
        rig.chat.fail("post_card", "is_archived")
    await rig.say("U1", "share the rotation moved")
    (letter,) = await rig.desk.dead_letters()
    assert (letter.kind, letter.error) == ("card", "is_archived")
    (proposal,) = (await rig.operator.proposals()).items
    assert rig.chat.cards() == []
    decided = await rig.operator.decide(id=proposal.id, decision="approve", revision=proposal.revision)
    assert decided.state.value == "applied"
