"""What the app is sent when things happen in the workspace, and how it is repeated."""

from __future__ import annotations

from typing import Any

import pytest
from aiohttp import web
from slack_sdk.signature import SignatureVerifier

from sliceway.workspace.faults import faults_from
from tests.contract.workspace_app import ListeningApp
from tests.contract.workspace_client import APP, Client, workspace_client
from tests.contract.workspace_fixtures import app as app
from tests.contract.workspace_fixtures import client as client


async def test_a_message_arrives_signed_in_its_envelope(client: Client, app: ListeningApp) -> None:
    """An event is JSON, signed so that Slack's SDK accepts it, with every key of the envelope."""
    ts = await client.say("UADA", "COPS", "hello")
    (received,) = await app.first(1)
    verifier = SignatureVerifier(client.workspace.tokens.signing_secret)
    assert verifier.is_valid_request(received.body, received.headers)
    assert received.headers["User-Agent"].startswith("Slackbot 1.0")
    assert "X-Slack-Retry-Num" not in received.headers
    payload = received.payload
    assert (payload["type"], payload["team_id"], payload["api_app_id"]) == ("event_callback", "THARBOR", "ASLICEWAY")
    assert payload["authorizations"][0]["user_id"] == "USLICEWAY"
    assert payload["is_ext_shared_channel"] is False
    event = received.event
    assert (event["type"], event["user"], event["text"], event["ts"]) == ("message", "UADA", "hello", ts)
    assert (event["channel"], event["channel_type"], event["event_ts"]) == ("COPS", "channel", ts)
    assert event["client_msg_id"]
    assert event["blocks"][0]["type"] == "rich_text"


async def test_r4_a_mention_arrives_twice_under_two_event_ids(client: Client, app: ListeningApp) -> None:
    """R4: a mention is a `message` and an `app_mention` with one timestamp and different event ids."""
    ts = await client.say("UADA", "COPS", f"{APP} hello")
    received = await app.first(2)
    assert {r.event["type"] for r in received} == {"message", "app_mention"}
    assert {r.event["ts"] for r in received} == {ts}
    assert len({r.payload["event_id"] for r in received}) == 2


@pytest.mark.parametrize(
    ("user", "channel", "text", "types"),
    [
        ("UADA", "DADA", f"{APP} hello", ["message"]),
        ("UADA", "COPS", "&lt;@USLICEWAY&gt; hello", ["message"]),
        ("UADA", "CRANDOM", f"{APP} hello", []),
        ("UALERTS", "COPS", f"{APP} hello", ["app_mention", "message"]),
    ],
)
async def test_what_is_sent_where(
    client: Client, app: ListeningApp, user: str, channel: str, text: str, types: list[str]
) -> None:
    """No mention event in a direct message or for typed text; nothing from where the bot is not; bots are heard."""
    if user == "UALERTS":
        await client.control("channel", channel=channel, invite=user)
    await client.workspace.settled()
    app.received.clear()
    await client.say(user, channel, text)
    await client.workspace.settled()
    assert sorted(r.event["type"] for r in app.received) == types


async def test_the_bot_hears_itself(client: Client, app: ListeningApp) -> None:
    """T7: what the bot posts comes back to it as an event with its own ids, and a mention of itself is none."""
    await client.api("chat.postMessage", channel="COPS", text=f"I am {APP}")
    await client.workspace.settled()
    (received,) = app.received
    event = received.event
    assert (event["type"], event["user"], event["bot_id"]) == ("message", "USLICEWAY", "BSLICEWAY")
    assert event["app_id"] == "ASLICEWAY"


async def test_a_private_message_is_no_event(client: Client, app: ListeningApp) -> None:
    """The app is not told of ephemeral messages."""
    await client.api("chat.postEphemeral", channel="COPS", user="UADA", text="psst")
    await client.workspace.settled()
    assert app.received == []


async def test_edits_and_deletions_are_hidden_events(client: Client, app: ListeningApp) -> None:
    """R16: an edit is `message_changed` with both versions, a deletion `message_deleted`, each at its own time."""
    ts = await client.say("UADA", "COPS", "frist")
    await client.control("edit", user="UADA", channel="COPS", ts=ts, text="first")
    await client.control("delete", user="UADA", channel="COPS", ts=ts)
    await client.workspace.settled()
    by_subtype: dict[str, Any] = {e.get("subtype", ""): e for e in app.events("message")}
    changed, deleted = by_subtype["message_changed"], by_subtype["message_deleted"]
    assert (changed["message"]["text"], changed["previous_message"]["text"]) == ("first", "frist")
    assert (changed["message"]["edited"]["user"], changed["hidden"]) == ("UADA", True)
    assert changed["ts"] != ts == changed["message"]["ts"]
    assert (deleted["deleted_ts"], deleted["previous_message"]["text"]) == (ts, "first")
    assert await client.messages("COPS") == []


async def test_r31_foreign_authors_carry_their_team(client: Client, app: ListeningApp) -> None:
    """R31, R32: in an external channel the envelope is the home team's, and the author's team is in the event."""
    await client.say("USASHA", "CPARTNERS", f"{APP} hello")
    received = await app.first(2)
    for one in received:
        assert one.payload["is_ext_shared_channel"] is True
        assert one.payload["authorizations"][0]["team_id"] == one.payload["context_team_id"] == "THARBOR"
        assert one.event["user_team"] == one.event["source_team"] == one.event["team"] == "TMERIDIAN"


async def test_people_and_channels_changing_are_events(client: Client, app: ListeningApp) -> None:
    """Somebody leaving, joining, becoming a guest, and a channel being shared each have their event."""
    await client.control("person", user="UBEN", deleted=True)
    await client.control("person", user="UADA", role="guest")
    await client.control("channel", channel="COPS", kind="external", invite=["USASHA"], remove=["UMAX"])
    await client.control("channel", channel="COPS", kind="public")
    await client.control("open_home", user="UMIA")
    await client.workspace.settled()
    changes = {e["user"]["id"]: e["user"] for e in app.events("user_change")}
    assert changes["UBEN"]["deleted"] is True
    assert changes["UADA"]["is_restricted"] is True
    (joined,) = app.events("member_joined_channel")
    assert (joined["user"], joined["channel"], joined["team"]) == ("USASHA", "COPS", "TMERIDIAN")
    (left,) = app.events("member_left_channel")
    assert left["user"] == "UMAX"
    assert app.events("channel_shared")[0]["connected_team_id"] == "TMERIDIAN"
    assert app.events("channel_unshared")[0]["is_ext_shared"] is False
    (home,) = app.events("app_home_opened")
    assert (home["user"], home["channel"], home["tab"]) == ("UMIA", "DMIA", "home")


async def test_the_bots_own_joining_is_told(client: Client, app: ListeningApp) -> None:
    """Invited or joining by itself, the bot gets `member_joined_channel` of itself."""
    await client.api("conversations.join", channel="CRANDOM")
    await client.workspace.settled()
    (joined,) = app.events("member_joined_channel")
    assert joined["user"] == "USLICEWAY"


async def test_an_event_nobody_took_is_repeated_three_times(client: Client, app: ListeningApp) -> None:
    """R1: refused each time, an event is repeated at once, after a minute and after five more, then dropped."""
    app.answer = lambda _received: web.Response(status=500)
    await client.say("UADA", "COPS", "hello")
    await app.first(2)
    await client.control("clock", advance="1m")
    await app.first(3)
    await client.control("clock", advance="5m")
    received = await app.first(4)
    assert [r.headers.get("X-Slack-Retry-Num") for r in received] == [None, "1", "2", "3"]
    assert {r.headers["X-Slack-Retry-Reason"] for r in received[1:]} == {"http_error"}
    assert len({r.payload["event_id"] for r in received}) == 1


async def test_an_app_may_forbid_the_repetition(client: Client, app: ListeningApp) -> None:
    """R3: `X-Slack-No-Retry`, in whatever case, ends it after the first refusal."""
    app.answer = lambda _received: web.Response(status=500, headers={"x-slack-no-retry": "1"})
    await client.say("UADA", "COPS", "hello")
    await client.workspace.settled()
    await client.control("clock", advance="1h")
    await client.workspace.settled()
    assert len(app.received) == 1


async def test_an_app_that_is_away_misses_nothing_it_can_take_later(client: Client, app: ListeningApp) -> None:
    """While the app is unreachable the first try fails; the repetition reaches it at its new address."""
    client.workspace.connect("http://127.0.0.1:9/slack/events")
    await client.say("UADA", "COPS", "hello")
    await client.workspace.settled()
    client.workspace.connect(app.url)
    await client.control("clock", advance="1m")
    (received,) = await app.first(1)
    assert received.headers["X-Slack-Retry-Reason"] == "connection_failed"


async def test_people_speak_while_no_app_is_connected(client: Client) -> None:
    """Without a request URL nothing is sent and nothing fails."""
    await client.control("request_url", url=None)
    await client.say("UADA", "COPS", f"{APP} hello")
    assert [m["text"] for m in await client.messages("COPS")] == [f"{APP} hello"]
    assert (await client.look("deliveries"))["deliveries"] == []


async def test_deliveries_are_recorded_as_sent(client: Client, app: ListeningApp) -> None:
    """The record has the payload, the headers and the answer of each delivery."""
    app.answer = lambda _received: web.Response(text="thanks")
    await client.say("UADA", "COPS", "hello")
    (received,) = await app.first(1)
    await client.workspace.settled()
    (delivery,) = (await client.look("deliveries"))["deliveries"]
    assert (delivery["kind"], delivery["payload"]) == ("event", received.payload)
    assert delivery["headers"]["X-Slack-Signature"] == received.headers["X-Slack-Signature"]
    assert delivery["response"] == {"status": 200, "body": "thanks", "error": None}


async def _plan(client: Client, **fault: Any) -> None:
    await client.control("faults", plan=[fault])


async def test_r1_a_duplicate_has_the_same_event_id(client: Client, app: ListeningApp) -> None:
    """R1: a duplicated event arrives twice, the same to the byte of its payload."""
    await _plan(client, match={"event": "message"}, do="duplicate")
    await client.say("UADA", "COPS", "hello")
    first, second = await app.first(2)
    assert first.payload == second.payload


async def test_r5_a_reordered_event_comes_after_the_next(client: Client, app: ListeningApp) -> None:
    """R5: held back, the `message` of a mention arrives after its `app_mention`."""
    await _plan(client, match={"event": "message"}, do="reorder", seconds=60)
    await client.say("UADA", "COPS", f"{APP} hello")
    received = await app.first(2)
    assert [r.event["type"] for r in received] == ["app_mention", "message"]


async def test_a_delayed_event_waits_for_the_clock(client: Client, app: ListeningApp) -> None:
    """A delay is counted on the workspace's clock, so that a test need not wait for it."""
    await _plan(client, match={"event": "message"}, do="delay", seconds=3600)
    await client.say("UADA", "COPS", "slow")
    await client.control("open_home", user="UADA")
    assert (await app.first(1))[0].event["type"] == "app_home_opened"
    await client.control("clock", advance="1h")
    assert (await app.first(2))[1].event["text"] == "slow"


async def test_r1_a_lost_answer_is_repeated(client: Client, app: ListeningApp) -> None:
    """R1: the app took the event and its answer was lost; the event comes again, marked as a repetition."""
    await _plan(client, match={"event": "message", "nth": 1}, do="drop_reply")
    await client.say("UADA", "COPS", "hello")
    first, second = await app.first(2)
    assert second.headers["X-Slack-Retry-Reason"] == "http_timeout"
    assert first.payload == second.payload


async def test_t12_a_rate_limit_says_how_long(client: Client) -> None:
    """T12: a rate-limited call is HTTP 429 with Retry-After, and has done nothing."""
    await _plan(client, match={"method": "chat.postMessage", "nth": 1}, do="rate_limit", retry_after=7)
    url, bearer = client.workspace.api_url, {"Authorization": f"Bearer {client.workspace.tokens.bot}"}
    call = {"channel": "COPS", "text": "hi"}
    async with client.http.post(url + "chat.postMessage", headers=bearer, json=call) as response:
        assert (response.status, response.headers["Retry-After"]) == (429, "7")
        assert (await response.json())["error"] == "ratelimited"
    assert await client.messages("COPS") == []
    assert (await client.api("chat.postMessage", **call))["ok"] is True


async def test_t8_a_revoked_token_is_dead_and_told(client: Client, app: ListeningApp) -> None:
    """T8: from the revoked call on the token is `token_revoked`; the app gets the event; a new plan gives it back."""
    await _plan(client, match={"method": "chat.postMessage"}, do="revoke")
    assert (await client.api("chat.postMessage", channel="COPS", text="hi"))["error"] == "token_revoked"
    assert (await client.api("auth.test"))["error"] == "token_revoked"
    assert (await app.first(1))[0].event == {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": ["USLICEWAY"]}}
    await client.control("faults", plan=[])
    assert (await client.api("auth.test"))["ok"] is True


async def test_an_error_of_the_plan_does_nothing(client: Client) -> None:
    """A call that the plan lets fail has its code and leaves nothing behind."""
    await _plan(client, match={"method": "chat.postMessage"}, do="error", error="fatal_error")
    assert (await client.api("chat.postMessage", channel="COPS", text="hi"))["error"] == "fatal_error"
    assert await client.messages("COPS") == []


async def test_faults_may_be_there_from_the_start(app: ListeningApp) -> None:
    """A workspace started with a plan follows it from the first call."""
    faults = faults_from({"plan": [{"match": {"method": "auth.test"}, "do": "error", "error": "internal_error"}]})
    async with workspace_client(*faults) as client:
        assert (await client.api("auth.test"))["error"] == "internal_error"
