"""The `conversations.*` methods over real HTTP: good and refused."""

from __future__ import annotations

import pytest

from tests.contract.workspace_client import Client, Json
from tests.contract.workspace_fixtures import app as app
from tests.contract.workspace_fixtures import client as client


async def _info(client: Client, channel: str) -> Json:
    shape: Json = (await client.api("conversations.info", channel=channel))["channel"]
    return shape


async def test_info_tells_the_kinds_apart(client: Client) -> None:
    """Public, private, external and direct differ by the fields that Slack has for it."""
    deploys, launch = await _info(client, "CDEPLOYS"), await _info(client, "CLAUNCH")
    partners, direct = await _info(client, "CPARTNERS"), await _info(client, "DADA")
    assert (deploys["is_channel"], deploys["is_private"], deploys["is_member"]) == (True, False, True)
    assert (launch["is_group"], launch["is_private"]) == (True, True)
    assert (partners["is_ext_shared"], len(partners["shared_team_ids"])) == (True, 2)
    assert (direct["is_im"], direct["user"]) == (True, "UADA")
    assert (await _info(client, "CRANDOM"))["is_member"] is False


async def test_a_private_channel_without_the_bot_does_not_exist(client: Client) -> None:
    """A private channel that the bot is not in is `channel_not_found`, for every method."""
    await client.control("channel", channel="CLAUNCH", remove="USLICEWAY")
    for method in ("info", "members", "history", "join"):
        answer = await client.api(f"conversations.{method}", channel="CLAUNCH")
        assert answer["error"] == "channel_not_found"


async def test_members_are_paged(client: Client) -> None:
    """Members come page by page, in order, and a cursor nobody gave is refused."""
    first = await client.api("conversations.members", channel="COPS", limit=4)
    cursor = first["response_metadata"]["next_cursor"]
    second = await client.api("conversations.members", channel="COPS", limit=4, cursor=cursor)
    assert [*first["members"], *second["members"]] == ["UADA", "UBEN", "UCLEO", "UMIA", "UMAX", "USLICEWAY"]
    assert second["response_metadata"]["next_cursor"] == ""
    wrong = await client.api("conversations.members", channel="COPS", cursor="nonsense")
    assert wrong["error"] == "invalid_cursor"


async def test_history_is_newest_first_and_bounded(client: Client) -> None:
    """History gives roots only, newest first, within `oldest` and `latest`, page by page."""
    times = [await client.say("UADA", "COPS", f"message {n}") for n in range(5)]
    await client.say("UADA", "COPS", "reply", thread_ts=times[0])
    page = await client.api("conversations.history", channel="COPS", limit=2)
    assert [m["ts"] for m in page["messages"]] == [times[4], times[3]]
    assert page["has_more"] is True
    cursor = page["response_metadata"]["next_cursor"]
    rest = await client.api("conversations.history", channel="COPS", cursor=cursor)
    assert [m["ts"] for m in rest["messages"]] == [times[2], times[1], times[0]]
    bounds = {"oldest": times[1], "latest": times[3]}
    inner = await client.api("conversations.history", channel="COPS", **bounds)
    whole = await client.api("conversations.history", channel="COPS", inclusive=True, **bounds)
    assert [m["ts"] for m in inner["messages"]] == [times[2]]
    assert [m["ts"] for m in whole["messages"]] == [times[3], times[2], times[1]]
    wrong = await client.api("conversations.history", channel="COPS", oldest="yesterday")
    assert wrong["error"] == "invalid_ts_oldest"
    assert (await client.api("conversations.history", channel="CRANDOM"))["error"] == "not_in_channel"


async def test_replies_begin_with_the_root(client: Client) -> None:
    """Replies give the root first, by the root's time or any reply's; an unknown thread is refused."""
    root = await client.say("UADA", "COPS", "root")
    reply = await client.say("UBEN", "COPS", "reply", thread_ts=root)
    for ts in (root, reply):
        answer = await client.api("conversations.replies", channel="COPS", ts=ts)
        assert [m["text"] for m in answer["messages"]] == ["root", "reply"]
    answer = await client.api("conversations.replies", channel="COPS", ts="1.000000")
    assert answer["error"] == "thread_not_found"


async def test_open_finds_or_makes_the_direct_message(client: Client) -> None:
    """One person leads to the same D id each time; several make a group."""
    known = await client.api("conversations.open", users="UADA")
    assert (known["channel"]["id"], known["already_open"]) == ("DADA", True)
    group = await client.api("conversations.open", users="UADA,UBEN")
    again = await client.api("conversations.open", users="UBEN,UADA")
    assert group["channel"]["id"] == again["channel"]["id"]
    assert (await _info(client, group["channel"]["id"]))["is_mpim"] is True
    by_id = await client.api("conversations.open", channel="DADA", return_im=True)
    assert by_id["channel"]["user"] == "UADA"


@pytest.mark.parametrize(
    ("users", "error"),
    [
        ("UNOBODY", "user_not_found"),
        ("UDORA", "user_disabled"),
        ("UALERTS", "cannot_dm_bot"),
        (",", "not_enough_users"),
        ("U1,U2,U3,U4,U5,U6,U7,U8,U9", "too_many_users"),
    ],
)
async def test_what_cannot_be_opened(client: Client, users: str, error: str) -> None:
    """Each refusal of conversations.open has Slack's code."""
    assert (await client.api("conversations.open", users=users))["error"] == error


async def test_lists_show_what_the_bot_may_know(client: Client) -> None:
    """The list has public channels and the bot's own; users.conversations only those it is in."""
    types = "public_channel,private_channel"
    listed = (await client.api("conversations.list", types=types))["channels"]
    joined = (await client.api("users.conversations", types=types))["channels"]
    assert {c["id"] for c in listed} - {c["id"] for c in joined} == {"CRANDOM"}
    direct = (await client.api("users.conversations", types="im"))["channels"]
    assert "DADA" in {c["id"] for c in direct}
    assert (await client.api("conversations.list", types="secret"))["error"] == "invalid_types"


async def test_the_bot_joins_public_channels(client: Client) -> None:
    """Joining makes the bot a member; twice is a warning; a direct message cannot be joined."""
    assert (await client.api("conversations.join", channel="CRANDOM"))["channel"]["is_member"] is True
    again = await client.api("conversations.join", channel="CRANDOM")
    assert again["warning"] == "already_in_channel"
    answer = await client.api("conversations.join", channel="DADA")
    assert answer["error"] == "method_not_supported_for_channel_type"
