"""Bugs that other bots were reported with, each as what a whole gateway does in its place."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from sliceway.core.cards import LONGEST
from sliceway.core.pages import MAX_CONTENT
from sliceway.core.proposals import State
from sliceway.core.turns import Turn
from sliceway.ports import Reply, Tools
from tests.contract.workspace_client import APP, Json
from tests.e2e.slack_gateway import Whole

METADATA = 4000
"""Bytes of metadata that Slack takes."""


async def posts(whole: Whole) -> list[Json]:
    """Return the messages that the agent posted, as it sent them."""
    made: list[Json] = (await whole.slack.look("calls"))["calls"]
    return [call for call in made if call["method"].startswith("chat.post")]


async def state(whole: Whole) -> State:
    """Return the state of the one proposal."""
    (proposal,) = (await whole.operator.proposals()).items
    return proposal.state


async def test_r10_who_joins_is_not_greeted_and_nothing_is_written(whole: Whole) -> None:
    """R10, T19: the agent's own coming into a channel and another person's are answered by nobody and write nothing."""
    await whole.slack.control("channel", channel="COPS", remove=["USLICEWAY", "UBEN"])
    await whole.quiet()
    before = await whole.operator.slices()
    for user in ("USLICEWAY", "UBEN"):
        await whole.slack.control("channel", channel="COPS", invite=[user])
        await whole.quiet()
    heard = [
        delivery["payload"]["event"]["user"]
        for delivery in (await whole.slack.look("deliveries"))["deliveries"]
        if delivery["payload"].get("event", {}).get("type") == "member_joined_channel"
    ]
    assert heard == ["USLICEWAY", "UBEN"]
    assert await posts(whole) == []
    assert whole.agent.turns == []
    assert await whole.operator.slices() == before


async def test_r11_what_is_not_said_to_the_agent_is_answered_by_nothing(whole: Whole) -> None:
    """R11: no pattern matches everything: of what people say among themselves nothing becomes a turn, and what is said
    to the agent is answered by one handler, once."""
    for text in ("hello", "sliceway", "remember that it rains", "recall", "."):
        await whole.say("UADA", "COPS", text)
    assert whole.agent.turns == []
    assert await posts(whole) == []
    root = await whole.say("UADA", "COPS", f"{APP} hello")
    assert [turn.text for turn in whole.agent.turns] == ["hello"]
    assert [said["text"] for said in await whole.thread("COPS", root)] == ["heard: hello"]


async def test_r21_a_long_answer_is_said_in_several_messages_and_loses_nothing(whole: Whole) -> None:
    """R21: an answer longer than a message is said in several that Slack takes whole, in order, each once, also where
    an answer of Slack's is lost in between; not a word is missing."""
    long = "\n".join(f"line {number} of the runbook" for number in range(1400))
    assert LONGEST * 2 < len(long) < MAX_CONTENT

    async def says_much(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        yield Reply(long)
        yield Reply("that was all")

    whole.agent.script = says_much
    plan = [{"match": {"method": "chat.postMessage", "nth": 2}, "do": "drop_reply"}]
    await whole.slack.control("faults", plan=plan)
    root = await whole.say("UADA", "COPS", f"{APP} tell me everything")
    await whole.until_so(lambda: whole.thread("COPS", root), 4)
    await whole.quiet()
    said = await whole.thread("COPS", root)
    assert "\n".join(words(message) for message in said) == f"{long}\nthat was all"
    assert len(said) == 4
    assert all(len(json.dumps(message["metadata"])) < METADATA for message in said)


async def test_r21_what_a_card_keeps_with_slack_stays_small(whole: Whole) -> None:
    """R21: the metadata of a card holds ids, however long the text it asks about is; everything else is the brain's."""
    root = await whole.say("UADA", "CDEPLOYS", f"{APP} share {'step of the runbook ' * 1000}")
    await whole.cards("CDEPLOYS", root)
    sent = [call["args"]["metadata"] for call in await posts(whole) if call["args"].get("metadata")]
    assert len(sent) == 2
    for metadata in sent:
        assert len(json.dumps(metadata)) < METADATA / 10
        assert "runbook" not in json.dumps(metadata)


@pytest.mark.parametrize("values", [{}, {"field:note": {"sliceway:note": {"type": "plain_text_input", "value": " "}}}])
async def test_r51_a_denial_asks_why_and_needs_no_reason(whole: Whole, values: dict[str, Any]) -> None:
    """R51, AP12: Deny decides nothing but asks why, in a form; who sends it without a reason denies, and the requester
    is told so without one."""
    root = await whole.say("UADA", "CDEPLOYS", f"{APP} share the earth is flat")
    (card,) = await whole.cards("CDEPLOYS", root)
    await whole.press("UMIA", card, "Deny")
    assert await state(whole) is State.PENDING
    (view,) = (await whole.slack.look("state"))["views"]
    assert [block["block_id"] for block in view["view"]["blocks"] if block["type"] == "input"] == [
        "field:reason",
        "field:note",
    ]
    sent = await whole.slack.control("submit", user="UMIA", view_id=view["id"], values=values)
    assert not sent.get("errors")
    await whole.quiet()
    assert await state(whole) is State.DENIED
    (told,) = [said["text"] for said in await whole.thread("CDEPLOYS", root) if "denied it" in said["text"]]
    assert "The reason" not in told


async def test_r61_a_look_into_a_thread_waits_as_slack_asks(whole: Whole) -> None:
    """R61: a thread is read only to find an own message whose answer was lost; where Slack says to slow down, that
    look waits as long as it says, and nothing is posted meanwhile or twice."""
    plan = [
        {"match": {"method": "chat.postMessage", "nth": 1}, "do": "drop_reply"},
        {"match": {"method": "conversations.replies", "nth": 1}, "do": "rate_limit", "retry_after": 2},
    ]
    await whole.slack.control("faults", plan=plan)
    root = await whole.say("UADA", "COPS", f"{APP} hello")

    async def looked() -> list[Json]:
        calls: list[Json] = (await whole.slack.look("calls"))["calls"]
        return [call for call in calls if call["method"] == "conversations.replies"]

    await whole.until_so(looked, 2)
    await whole.quiet()
    first, second = await looked()
    assert first["response"]["error"] == "ratelimited"
    assert second["at"] - first["at"] >= 2
    assert [said["text"] for said in await whole.thread("COPS", root)] == ["heard: hello"]
    assert len(await posts(whole)) == 1


async def test_r62_a_revoked_token_is_told_and_nothing_is_lost_by_it(whole: Whole) -> None:
    """R62, T8: once the token is revoked the gateway is not ready, and cards, what was said and what is owed are kept;
    with a token that works again all goes on, by the same card. No token is rotated here, so none is refreshed."""
    root = await whole.say("UADA", "CDEPLOYS", f"{APP} share lunch is at noon")
    (card,) = await whole.cards("CDEPLOYS", root)
    assert (await whole.gateway.ready())["ready"] is True
    await whole.slack.control("faults", plan=[{"match": {"method": "auth.test"}, "do": "revoke"}])
    facts = await whole.gateway.ready()
    assert (facts["ready"], facts["chat"]["error"]) == (False, "token_revoked")
    said = await whole.slack.say("UADA", "COPS", f"{APP} hello")

    async def refused() -> list[Json]:
        calls: list[Json] = (await whole.slack.look("calls"))["calls"]
        return [call for call in calls if (call["response"] or {}).get("error") == "token_revoked"]

    await whole.until_so(refused, 2)
    assert await state(whole) is State.PENDING
    await whole.slack.control("faults", plan=[])
    assert (await whole.gateway.ready())["ready"] is True
    await whole.press("UMIA", card, "Approve")
    assert await state(whole) is State.APPLIED
    assert [one["text"] for one in await whole.thread("COPS", said)] == ["heard: hello"]
    assert await whole.desk.dead_letters() == ()
    called = {call["method"] for call in (await whole.slack.look("calls"))["calls"]}
    assert not {method for method in called if method.startswith(("oauth.", "tooling."))}


def words(message: Json) -> str:
    """Return what a message says, from its blocks where it has any."""
    texts = [block["text"]["text"] for block in message.get("blocks") or () if block["type"] == "section"]
    return "\n".join(texts) if texts else str(message["text"])
