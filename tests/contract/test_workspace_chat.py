"""The `chat.*` methods and `reactions.add` over real HTTP: good and refused."""

from __future__ import annotations

from typing import Any

import pytest

from tests.contract.workspace_client import Client
from tests.contract.workspace_fixtures import app as app
from tests.contract.workspace_fixtures import client as client

SECTION = {"type": "section", "text": {"type": "mrkdwn", "text": "*hello*"}}


async def test_a_message_is_posted_as_the_bot(client: Client) -> None:
    """A posted message has the bot as author, with the ids and the profile that Slack puts there."""
    answer = await client.api("chat.postMessage", channel="COPS", text="hi", blocks=[SECTION])
    message = answer["message"]
    assert (answer["ok"], answer["channel"], answer["ts"]) == (True, "COPS", message["ts"])
    assert (message["user"], message["bot_id"], message["app_id"]) == ("USLICEWAY", "BSLICEWAY", "ASLICEWAY")
    assert "subtype" not in message
    assert message["bot_profile"]["app_id"] == "ASLICEWAY"
    assert message["blocks"][0]["block_id"]
    assert await client.messages("COPS") == [{**message, "reply_count": 0}]


LONG = [{"type": "section", "text": {"type": "mrkdwn", "text": "x" * 3001}}]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"channel": "CNONE", "text": "hi"}, "channel_not_found"),
        ({"channel": "CRANDOM", "text": "hi"}, "not_in_channel"),
        ({"channel": "UALERTS", "text": "hi"}, "cannot_dm_bot"),
        ({"channel": "COPS"}, "no_text"),
        ({"channel": "COPS", "text": "  "}, "no_text"),
        ({"channel": "COPS", "text": None}, "no_text"),
        ({"channel": "COPS", "text": "x" * 40_001}, "msg_too_long"),
        ({"channel": "COPS", "blocks": LONG}, "invalid_blocks"),
        ({"channel": "COPS", "blocks": "[{"}, "invalid_blocks_format"),
        ({"channel": "COPS", "blocks": {"type": "divider"}}, "invalid_blocks_format"),
        ({"channel": "COPS", "text": "hi", "attachments": [{}] * 101}, "too_many_attachments"),
        ({"channel": "COPS", "text": "hi", "thread_ts": "1.000000"}, "invalid_thread_ts"),
        ({"channel": "COPS", "text": "hi", "metadata": {"event_type": "x"}}, "invalid_metadata_format"),
        (
            {"channel": "COPS", "text": "hi", "metadata": {"event_type": "x", "event_payload": {"k": "v" * 4096}}},
            "metadata_too_large",
        ),
        ({"text": "hi"}, "invalid_arguments"),
    ],
)
async def test_what_cannot_be_posted_is_refused_and_leaves_nothing(
    client: Client, arguments: dict[str, Any], error: str
) -> None:
    """Each refusal has Slack's code, and no message is left behind."""
    answer = await client.api("chat.postMessage", **arguments)
    assert (answer["ok"], answer["error"]) == (False, error)
    assert await client.messages("COPS") == []


async def test_invalid_blocks_say_where(client: Client) -> None:
    """`invalid_blocks` lists each problem with its JSON pointer."""
    answer = await client.api("chat.postMessage", channel="COPS", blocks=LONG)
    problem = "must be less than 3001 characters [json-pointer:/blocks/0/text/text]"
    assert answer["errors"] == [problem]
    assert answer["response_metadata"] == {"messages": [f"[ERROR] {problem}"]}


async def test_posting_to_a_user_opens_the_direct_message(client: Client) -> None:
    """A message to a user id lands in the direct message, whose D id the answer names."""
    answer = await client.api("chat.postMessage", channel="UADA", text="psst")
    assert answer["channel"] == "DADA"
    assert [m["text"] for m in await client.messages("DADA", **{"as": "UADA"})] == ["psst"]


async def test_people_have_direct_messages_of_their_own(client: Client) -> None:
    """With a person's token a direct message is between people, or with oneself, and never the bot's."""
    user = client.workspace.tokens.user
    for target, channel in (("UADA", "DADACLEO"), ("UCLEO", "DCLEOCLEO")):
        answer = await client.api("chat.postMessage", user, channel=target, text="psst")
        assert answer["channel"] == channel
        shape = (await client.api("conversations.info", user, channel=channel))["channel"]
        assert (shape["is_im"], shape["user"]) == (True, target)
        assert (await client.api("conversations.info", channel=channel))["error"] == "channel_not_found"


async def test_r38_posting_to_a_deactivated_person_is_ok(client: Client) -> None:
    """R38: Slack takes a message to somebody who left; a bot has to look at `deleted` itself."""
    assert (await client.api("chat.postMessage", channel="UDORA", text="hello?"))["ok"] is True


async def test_replies_hang_on_their_root(client: Client) -> None:
    """A reply is counted at its root, and a reply to a reply joins the same thread."""
    root = await client.say("UADA", "COPS", "question")
    first = (await client.api("chat.postMessage", channel="COPS", text="one", thread_ts=root))["ts"]
    await client.api("chat.postMessage", channel="COPS", text="two", thread_ts=first)
    (listed,) = await client.messages("COPS")
    assert (listed["thread_ts"], listed["reply_count"]) == (root, 2)
    assert [m["text"] for m in await client.messages("COPS", thread_ts=root)] == ["question", "one", "two"]


async def test_metadata_comes_back_only_when_asked_for(client: Client) -> None:
    """History and replies carry metadata only with `include_all_metadata`."""
    metadata = {"event_type": "slice.approval", "event_payload": {"request_id": "r1", "revision": 1}}
    ts = (await client.api("chat.postMessage", channel="COPS", text="card", metadata=metadata))["ts"]
    for method, more in (("conversations.history", {}), ("conversations.replies", {"ts": ts})):
        plain = await client.api(method, channel="COPS", **more)
        full = await client.api(method, channel="COPS", include_all_metadata=True, **more)
        assert "metadata" not in plain["messages"][0]
        assert full["messages"][0]["metadata"] == metadata


async def test_an_ephemeral_message_is_for_one_person(client: Client) -> None:
    """It is shown to its person alone, cannot be updated, and is in no history."""
    ts = (await client.api("chat.postEphemeral", channel="COPS", user="UADA", text="psst"))["message_ts"]
    (message,) = await client.messages("COPS", **{"as": "UADA"})
    assert (message["ts"], message["is_ephemeral"]) == (ts, True)
    assert await client.messages("COPS", **{"as": "UBEN"}) == []
    assert (await client.api("conversations.history", channel="COPS"))["messages"] == []
    assert (await client.api("chat.update", channel="COPS", ts=ts, text="x"))["error"] == "message_not_found"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"channel": "COPS", "user": "UGUS", "text": "x"}, "user_not_in_channel"),
        ({"channel": "CRANDOM", "user": "UADA", "text": "x"}, "not_in_channel"),
        ({"channel": "CNONE", "user": "UADA", "text": "x"}, "channel_not_found"),
        ({"channel": "COPS", "user": "UADA"}, "no_text"),
        ({"channel": "COPS", "text": "x"}, "invalid_arguments"),
    ],
)
async def test_what_cannot_be_shown_privately(client: Client, arguments: dict[str, Any], error: str) -> None:
    """Each refusal of chat.postEphemeral has Slack's code."""
    assert (await client.api("chat.postEphemeral", **arguments))["error"] == error


async def test_an_update_changes_what_it_mentions(client: Client) -> None:
    """An update marks the message as edited; blocks it does not mention stay, and an empty list takes them away."""
    ts = (await client.api("chat.postMessage", channel="COPS", text="a", blocks=[SECTION]))["ts"]
    updated = await client.api("chat.update", channel="COPS", ts=ts, text="b")
    assert (updated["text"], updated["message"]["edited"]["user"]) == ("b", "USLICEWAY")
    assert updated["message"]["blocks"][0]["text"] == SECTION["text"]
    bare = await client.api("chat.update", channel="COPS", ts=ts, text="c", blocks=[])
    assert "blocks" not in bare["message"]
    assert await client.messages("COPS") == [{**bare["message"], "reply_count": 0}]


async def test_only_own_messages_are_updated_and_deleted(client: Client) -> None:
    """Another's message, a missing one, and a user id in place of a D id are refused."""
    ts = await client.say("UADA", "COPS", "mine")
    for method, error in (("chat.update", "cant_update_message"), ("chat.delete", "cant_delete_message")):
        assert (await client.api(method, channel="COPS", ts=ts, text="x"))["error"] == error
        assert (await client.api(method, channel="COPS", ts="1.000000", text="x"))["error"] == "message_not_found"
    sent = (await client.api("chat.postMessage", channel="UADA", text="psst"))["ts"]
    assert (await client.api("chat.update", channel="UADA", ts=sent, text="x"))["error"] == "channel_not_found"
    assert (await client.api("chat.update", channel="DADA", ts=sent, text="x"))["ok"] is True
    assert (await client.api("chat.delete", channel="DADA", ts=sent))["ok"] is True
    assert await client.messages("DADA") == []


async def test_a_root_with_replies_leaves_a_tombstone(client: Client) -> None:
    """A deleted root keeps the place of its thread, without its text."""
    ts = (await client.api("chat.postMessage", channel="COPS", text="secret"))["ts"]
    await client.say("UADA", "COPS", "reply", thread_ts=ts)
    await client.api("chat.delete", channel="COPS", ts=ts)
    root, reply = await client.messages("COPS", thread_ts=ts)
    assert (root["subtype"], root["text"], reply["text"]) == ("tombstone", "This message was deleted.", "reply")


async def test_a_permalink_names_channel_time_and_thread(client: Client) -> None:
    """The link of a reply carries its thread; a missing message has none."""
    root = await client.say("UADA", "COPS", "root")
    reply = await client.say("UADA", "COPS", "reply", thread_ts=root)
    link = (await client.api("chat.getPermalink", channel="COPS", message_ts=reply))["permalink"]
    assert f"/archives/COPS/p{reply.replace('.', '')}?thread_ts={root}" in link
    answer = await client.api("chat.getPermalink", channel="COPS", message_ts="1.000000")
    assert answer["error"] == "message_not_found"


async def test_a_reaction_is_added_once(client: Client) -> None:
    """A reaction shows at the message; the same one again is refused, as are odd names."""
    ts = await client.say("UADA", "COPS", "nice")
    arguments = {"channel": "COPS", "timestamp": ts, "name": "eyes"}
    assert (await client.api("reactions.add", **arguments))["ok"] is True
    assert (await client.api("reactions.add", **arguments))["error"] == "already_reacted"
    assert (await client.api("reactions.add", **{**arguments, "name": "no such!"}))["error"] == "invalid_name"
    assert (await client.api("reactions.add", **{**arguments, "timestamp": "1.0"}))["error"] == "message_not_found"
    (message,) = await client.messages("COPS")
    assert message["reactions"] == [{"name": "eyes", "users": ["USLICEWAY"], "count": 1}]
