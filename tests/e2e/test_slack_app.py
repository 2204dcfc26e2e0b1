"""The way in from Slack, with a real Bolt app and real signatures against the workspace."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import urlencode

import aiohttp
import pytest
from slack_bolt.middleware.async_custom_middleware import AsyncCustomMiddleware

from sliceway.core.turns import PlaceKind
from sliceway.errors import SettingsError
from sliceway.slack.app import SlackDoor, Wiring
from sliceway.slack.calls import client_for
from tests.contract.workspace_client import APP
from tests.e2e.slack_side import Kept, Side, slack_side
from tests.unit.slack.given import payload

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture
async def side() -> AsyncIterator[Side]:
    """A workspace with a Slack side connected to it."""
    async with slack_side() as opened:
        yield opened


async def test_r1_r4_a_mention_said_once_is_kept_once(side: Side) -> None:
    """R1, R4: a mention arrives as two events, and duplicated as four; one turn is kept."""
    await side.slack.control("faults", plan=[{"match": {"event": "app_mention"}, "do": "duplicate"}])
    ts = await side.slack.say("UADA", "CDEPLOYS", f"{APP} remember that build 2301 is the rollback target")
    await side.kept.until(lambda: len(side.kept.offered) == 3)
    (turn,) = side.kept.turns.values()
    assert turn.text == "remember that build 2301 is the rollback target"
    assert (turn.place.channel, turn.place.thread, turn.place.kind) == ("CDEPLOYS", ts, PlaceKind.CHANNEL)
    assert side.kept.queues[turn.key] == f"THARBOR/CDEPLOYS/{ts}"


async def test_r5_both_orders_of_message_and_mention_end_in_one_turn(side: Side) -> None:
    """R5: whichever of the two comes first, exactly one turn is kept, and it is the addressed one."""
    for order in ("as sent", "reordered"):
        if order == "reordered":
            await side.slack.control("faults", plan=[{"match": {"event": "message"}, "do": "reorder"}])
        before = len(side.kept.turns)
        await side.slack.say("UBEN", "COPS", f"{APP} undo")
        await side.slack.workspace.settled()
        assert len(side.kept.turns) == before + 1


async def test_t4_what_cannot_be_kept_is_not_acknowledged_and_comes_again(
    side: Side, caplog: pytest.LogCaptureFixture
) -> None:
    """T4: when the desk fails the answer is 500, and the event that Slack then delivers again is kept."""
    side.kept.failing = 1
    with caplog.at_level(logging.CRITICAL, logger="sliceway.slack"):
        status, _ = await side.raw(json.dumps(payload("app_mention")).encode())
    assert status == 500
    assert side.kept.turns == {}
    again = {"X-Slack-Retry-Num": "1", "X-Slack-Retry-Reason": "http_error"}
    status, _ = await side.raw(json.dumps(payload("message_in_dm")).encode(), **again)
    assert status == 200
    assert len(side.kept.turns) == 1


async def test_t10_a_first_delivery_with_a_retry_header_is_kept(side: Side) -> None:
    """T10, R2, R3: retries are told by their key, however the header is spelt: `x-slack-retry-num: 0` on a first
    delivery drops nothing, and a real repetition is acknowledged without a second turn."""
    body = json.dumps(payload("message_in_dm")).encode()
    for header in ({"x-slack-retry-num": "0"}, {"X-Slack-Retry-Num": "2"}, {"X-SLACK-RETRY-NUM": "3"}):
        assert (await side.raw(body, **header))[0] == 200
    assert len(side.kept.offered) == 3
    assert len(side.kept.turns) == 1


async def test_t1_r30_a_command_may_say_payload(side: Side) -> None:
    """T1, R30: `/1on1 what is the payload limit` arrives whole, and is acknowledged."""
    answer = await side.slack.control(
        "command", user="UADA", channel="COPS", command="/1on1", text="what is the payload limit"
    )
    assert answer["acked"] is True
    (command,) = side.kept.commands
    assert (command.name, command.text, command.by.user) == ("1on1", "what is the payload limit", "UADA")
    assert command.by.key == ("THARBOR", "UADA")


async def test_t3_everything_is_acknowledged(side: Side) -> None:
    """T3: an event, a press, a view and a shortcut that nobody expects are answered 200; an odd press is handed on."""
    unknown = payload("app_mention")
    unknown["event"] = {"type": "emoji_changed", "subtype": "add"}
    assert (await side.raw(json.dumps(unknown).encode()))[0] == 200
    unknown["event"] = {}
    assert (await side.raw(json.dumps(unknown).encode()))[0] == 200
    press = payload("block_actions", actions=[{"type": "button", "action_id": "other", "value": "v1.01J.1"}])
    closed = payload("view_submission", type="view_closed")
    shortcut = {"type": "shortcut", "callback_id": "x", "user": {"id": "U1"}, "team": {"id": "T1"}, "trigger_id": "1"}
    for interactive in (press, closed, shortcut, {"type": "something_new", "team": {"id": "T1"}}):
        body = urlencode({"payload": json.dumps(interactive)}).encode()
        assert (await side.raw(body, **FORM))[0] == 200
    (click,) = side.kept.clicks
    assert (click.action, click.proposal, click.revision) == ("unknown", "", 0)


async def test_t5_withheld_events_and_empty_texts_are_acknowledged(side: Side) -> None:
    """T5: `app_rate_limited` has no event in it and a text may be null; both are answered 200."""
    assert (await side.raw(json.dumps(payload("app_rate_limited")).encode()))[0] == 200
    assert side.kept.held_back == ["T0TEAM"]
    assert (await side.raw(json.dumps(payload("text_null")).encode()))[0] == 200
    assert side.kept.turns == {}


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Slack-Request-Timestamp": ""},
        {"X-Slack-Request-Timestamp": "yesterday"},
        {"X-Slack-Request-Timestamp": "1"},
        {"X-Slack-Request-Timestamp": "²"},
        {"X-Slack-Signature": ""},
        {"X-Slack-Signature": "v0=ümlaut"},
        {"X-Slack-Signature": "v0=" + "0" * 64},
    ],
)
async def test_t6_what_is_not_surely_slacks_is_refused(side: Side, headers: dict[str, str]) -> None:
    """T6, R63: a wrong, odd or missing timestamp or signature is 401, never an error of ours, and nothing is kept: a
    door that is pointed at the workspace verifies as it does against Slack."""
    status, _ = await side.raw(json.dumps(payload("app_mention")).encode(), **headers)
    assert status == 401
    assert side.kept.offered == []


@pytest.mark.parametrize("body", [b"{", b"[]", b'"x"', b"\xff\xfe", b"[" * 5000, b"payload=%7B", b"payload=%5B%5D"])
async def test_a_body_that_cannot_be_read_is_refused(side: Side, body: bytes) -> None:
    """A signed body that is not JSON, not UTF-8 or no object is a refusal, never an error of ours."""
    kind = "application/x-www-form-urlencoded" if body.startswith(b"payload") else "application/json"
    status, _ = await side.raw(body, **{"Content-Type": kind})
    assert status in {400, 401}


async def test_an_endless_body_is_refused(side: Side) -> None:
    """A body larger than any of Slack's is not read to its end."""
    status, _ = await side.raw(b"x" * (3 * 1024 * 1024 + 1))
    assert status == 413


async def test_t6_an_empty_signing_secret_stops_the_boot() -> None:
    """T6: without a signing secret the door is not built, and the error says which setting."""
    async with aiohttp.ClientSession() as session:
        client = client_for("xoxb-x", "http://127.0.0.1:1/api/", session)
        with pytest.raises(SettingsError, match="SLACK_SIGNING_SECRET"):
            SlackDoor(Wiring(" ", lambda: None, client, Kept()))


async def test_t2_nothing_stands_around_the_listeners() -> None:
    """T2: Bolt's middleware is no onion, so none of ours is there: what has to be done is done in the listener."""
    async with aiohttp.ClientSession() as session:
        client = client_for("xoxb-x", "http://127.0.0.1:1/api/", session)
        door = SlackDoor(Wiring("secret", lambda: None, client, Kept()))
        assert door.app._async_middleware_list
        assert not [one for one in door.app._async_middleware_list if isinstance(one, AsyncCustomMiddleware)]
        for listener in door.app._async_listeners:
            assert not [one for one in listener.middleware if isinstance(one, AsyncCustomMiddleware)]


async def test_t9_names_in_the_environment_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """T9: with OAuth's names and another token in the environment the given token serves, and a mention is kept."""
    for name in ("SLACK_CLIENT_ID", "SLACK_CLIENT_SECRET", "SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"):
        monkeypatch.setenv(name, "from-the-environment")
    async with slack_side() as side:
        await side.slack.say("UADA", "CDEPLOYS", f"{APP} hello")
        await side.kept.until(lambda: bool(side.kept.turns))


async def test_t15_a_proxy_in_the_environment_is_not_between_us_and_this_machine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """T15: with a proxy in the environment a workspace on this machine is reached all the same."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with slack_side() as side:
        assert side.me.user == "USLICEWAY"


async def test_t17_a_foreign_click_is_of_the_clickers_team_at_our_card(side: Side) -> None:
    """T17: a click from another team is verified and handed on: by its own team, in the agent's place."""
    body = urlencode({"payload": json.dumps(payload("block_actions_foreign"))}).encode()
    assert (await side.raw(body, **FORM))[0] == 200
    (click,) = side.kept.clicks
    assert click.by.key == ("T0EXT", "U0EXT")
    assert (click.place.team, click.place.channel, click.message) == ("THARBOR", "C0DEPLOY", "1767225800.000100")


async def test_a_request_before_the_account_is_known_comes_again() -> None:
    """While the agent does not know its own ids nothing is let in, and Slack is asked to deliver again."""
    async with slack_side(known=False) as side:
        assert (await side.raw(json.dumps(payload("app_mention")).encode()))[0] == 503
        assert (await side.raw(json.dumps(payload("url_verification")).encode()))[0] == 200
        assert side.kept.offered == []


async def test_url_verification_is_answered(side: Side) -> None:
    """The challenge that Slack sends when a request URL is set comes back."""
    status, text = await side.raw(json.dumps(payload("url_verification")).encode())
    assert (status, json.loads(text)) == (200, {"challenge": payload("url_verification")["challenge"]})


async def test_a_form_that_cannot_be_taken_stays_open_and_says_why(side: Side) -> None:
    """What is wrong with a field is shown at it; a refusal of the whole takes the form's place."""
    filled = urlencode({"payload": json.dumps(payload("view_submission"))}).encode()
    assert await side.raw(filled, **FORM) == (200, "")
    assert side.kept.clicks[0].values == {"reason": "needs_edits", "note": "say which week"}
    side.kept.wrong = {"note": "Say a little more."}
    answer: dict[str, Any] = json.loads((await side.raw(filled, **FORM))[1])
    assert answer == {"response_action": "errors", "errors": {"field:note": "Say a little more."}}
    side.kept.wrong = {"": "Only UMIA can decide."}
    answer = json.loads((await side.raw(filled, **FORM))[1])
    assert answer["response_action"] == "update"
    assert "Only UMIA can decide." in json.dumps(answer["view"])


async def test_sc7_a_speaker_in_a_channel_is_observed_once(side: Side) -> None:
    """SC7: that somebody speaks in a channel is told once, addressed or not, so that a guest is noticed."""
    for text in ("lunch?", "lunch!"):
        await side.slack.say("UADA", "COPS", text)
    await side.slack.say("UBEN", "COPS", "yes")
    await side.slack.workspace.settled()
    assert [(one.what, one.person and one.person.user) for one in side.kept.observed] == [
        ("spoke", "UADA"),
        ("spoke", "UBEN"),
    ]
    assert side.kept.turns == {}


async def test_becoming_external_and_leaving_are_observed(side: Side) -> None:
    """SC7, AP17: a channel that is shared and a person who is deactivated are told as the workspace sends it."""
    await side.slack.control("channel", channel="CDEPLOYS", kind="external")
    await side.slack.control("person", user="UADA", deleted=True)
    await side.kept.until(lambda: {"external", "person"} <= {one.what for one in side.kept.observed})


async def test_r16_an_edit_and_a_deletion_are_no_turns(side: Side) -> None:
    """R16: editing and deleting a message that was handled leads to no second turn."""
    ts = await side.slack.say("UADA", "COPS", f"{APP} undo")
    await side.slack.control("edit", user="UADA", channel="COPS", ts=ts, text=f"{APP} undo it")
    await side.slack.control("delete", user="UADA", channel="COPS", ts=ts)
    await side.slack.workspace.settled()
    assert len(side.kept.turns) == 1
