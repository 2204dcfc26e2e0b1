"""The way in by Socket Mode, with the real SDK and a real Bolt app against the workspace."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import aiohttp
import pytest
from aiohttp import web

from sliceway.errors import BootError
from sliceway.slack.app import SlackDoor, Wiring
from sliceway.slack.calls import client_for
from sliceway.slack.socket_mode import SlackSocket
from sliceway.web.serving import bound, port_of, served
from tests.contract.workspace_client import APP, workspace_client
from tests.contract.workspace_socket import app_socket
from tests.e2e.slack_side import Kept, Side, slack_side
from tests.fakes.waiting import until
from tests.unit.slack.given import payload


@pytest.fixture
async def side() -> AsyncIterator[Side]:
    """A workspace with a Slack side connected by socket."""
    async with slack_side("socket") as opened:
        yield opened


def socket_of(side: Side) -> SlackSocket:
    """Return the connection."""
    assert side.way.socket is not None
    return side.way.socket


async def test_t10_r2_a_repetition_is_told_by_its_key(side: Side) -> None:
    """T10, R2: `retry_attempt` 0 drops nothing; attempt 2 of what is kept is acknowledged and changes nothing."""
    body = payload("message_in_dm")
    for number in (0, 2):
        answer = await side.slack.control("deliver", type="event", payload=body, retry_num=number)
        assert answer["acked"] is True
    assert len(side.kept.offered) == 2
    assert len(side.kept.turns) == 1


async def test_t14_what_cannot_be_kept_is_not_acknowledged_and_comes_again(
    side: Side, caplog: pytest.LogCaptureFixture
) -> None:
    """T14, T4: when the desk fails no acknowledgement is sent, and the same event that then comes again is kept."""
    side.kept.failing = 1
    with caplog.at_level(logging.CRITICAL, logger="sliceway.slack"):
        await side.slack.say("UADA", "DADA", "remember this")

        async def tried() -> bool:
            return not side.kept.failing

        await until(tried)
        assert side.kept.turns == {}
        await side.slack.control("clock", advance="3s")
        await side.kept.until(lambda: bool(side.kept.turns))
    await side.slack.workspace.settled()
    first, again = (await side.slack.look("deliveries"))["deliveries"]
    assert first["payload"]["event_id"] == again["payload"]["event_id"]
    assert (first["response"]["status"], again["response"]["status"]) == (None, 200)


@pytest.mark.parametrize("reason", ["warning", "refresh_requested", "link_disabled"])
async def test_t13_r14_a_change_of_socket_loses_nothing_and_doubles_nothing(side: Side, reason: str) -> None:
    """T13, R14: an event before, one in the gap and one after a change of socket are each kept once."""
    plan = [{"match": {"event": "message", "nth": 1}, "do": "disconnect", "reason": reason}]
    await side.slack.control("faults", plan=plan)
    for text in ("before", "in between", "after"):
        await side.slack.say("UADA", "DADA", text)
        await asyncio.sleep(0)
    await side.kept.until(lambda: len(side.kept.turns) == 3)
    sockets = side.slack.workspace.hub.sockets

    async def settled() -> bool:
        given = (await side.slack.look("deliveries"))["deliveries"]
        taken = {one["payload"]["event_id"] for one in given if (one["response"] or {}).get("status") == 200}
        return len(taken) == 3 and len(sockets) == 1

    await until(settled)
    assert sorted(turn.text for turn in side.kept.turns.values()) == ["after", "before", "in between"]


async def test_an_answer_to_a_command_and_a_refused_form_come_with_the_acknowledgement(side: Side) -> None:
    """T1, R30: by socket too a command may say payload, and its answer is shown; a form stays open and says why."""
    typed = {"user": "UADA", "channel": "COPS", "command": "/1on1", "text": "what is the payload limit"}
    assert (await side.slack.control("command", **typed))["acked"] is True
    (message,) = await side.slack.messages("COPS", **{"as": "UADA"})
    assert (message["text"], message["is_ephemeral"]) == ("heard: what is the payload limit", True)
    side.kept.wrong = {"note": "Say a little more."}
    answer = await side.slack.control("deliver", type="interactive", payload=payload("view_submission"))
    assert json.loads(answer["body"]) == {
        "response_action": "errors", "errors": {"field:note": "Say a little more."},
    }  # fmt: skip


async def test_t3_t5_everything_is_acknowledged(side: Side) -> None:
    """T3, T5: events and interactions that nobody expects, and withheld events, are acknowledged by socket too."""
    unknown = payload("app_mention")
    unknown["event"] = {"type": "emoji_changed", "subtype": "add"}
    for kind, body in (
        ("event", unknown),
        ("event", payload("text_null")),
        ("event", payload("app_rate_limited")),
        ("interactive", {"type": "something_new", "team": {"id": "T1"}}),
    ):
        assert (await side.slack.control("deliver", type=kind, payload=body))["acked"] is True
    assert side.kept.held_back == ["T0TEAM"]


async def test_t14_op4_a_stop_finishes_what_came_and_leaves_the_rest_to_slack(side: Side) -> None:
    """T14, OP4: what is being kept when the stop begins is kept and acknowledged; what comes then is not taken."""
    going, coming = asyncio.Event(), asyncio.Event()

    async def slowly(_click: object) -> None:
        coming.set()
        await going.wait()

    side.kept.on_click = slowly
    press = {"type": "interactive", "payload": payload("block_actions")}
    first = asyncio.create_task(side.slack.control("deliver", **press))
    await coming.wait()
    stopping = asyncio.create_task(socket_of(side).stop())
    await asyncio.sleep(0)
    second = asyncio.create_task(side.slack.control("deliver", **press))

    async def both_sent() -> bool:
        return len((await side.slack.look("deliveries"))["deliveries"]) == 2

    await until(both_sent)
    going.set()
    assert (await first)["acked"] is True
    await stopping
    assert (await second)["acked"] is False
    assert len(side.kept.clicks) == 1


async def test_r57_a_shared_token_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    """R57: a second connection of the app is told of in the log, and shown by readiness."""
    async with AsyncExitStack() as stack:
        slack = await stack.enter_async_context(workspace_client())
        await stack.enter_async_context(app_socket(slack))
        session = await stack.enter_async_context(aiohttp.ClientSession())
        client = client_for(slack.workspace.tokens.bot, slack.workspace.api_url, session)
        socket = SlackSocket(SlackDoor(Wiring(None, lambda: None, client, Kept())), client, slack.workspace.tokens.app)
        stack.push_async_callback(socket.stop)
        await socket.start()
        assert "2 connections use this SLACK_APP_TOKEN" in caplog.text
        assert socket.health()["connections"] == 2


@pytest.mark.parametrize(("kind", "words"), [("bot", "xapp-"), ("other", "new app-level token")])
async def test_a_token_that_opens_no_socket_ends_the_boot_with_its_cure(kind: str, words: str) -> None:
    """ID5: a token that Slack refuses is fatal at once, and the error names the setting and what to do."""
    async with workspace_client() as slack, aiohttp.ClientSession() as session:
        client = client_for(slack.workspace.tokens.bot, slack.workspace.api_url, session)
        door = SlackDoor(Wiring(None, lambda: None, client, Kept()))
        socket = SlackSocket(door, client, getattr(slack.workspace.tokens, kind, "xapp-other"))
        with pytest.raises(BootError, match=f"SLACK_APP_TOKEN.*{words}"):
            await socket.start()
        await socket.stop()


async def test_a_slack_that_is_not_there_yet_is_asked_again() -> None:
    """ID4: an error of Slack's own at the first attempt is waited out."""
    waited = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) > 1:  # from here on it is the watchdog that sleeps
            await asyncio.Event().wait()

    async with workspace_client() as slack, aiohttp.ClientSession() as session:
        fault = {"match": {"method": "apps.connections.open", "nth": 1}, "do": "rate_limit", "retry_after": 7}
        await slack.control("faults", plan=[fault])
        client = client_for(slack.workspace.tokens.bot, slack.workspace.api_url, session)
        door = SlackDoor(Wiring(None, lambda: None, client, Kept()))
        socket = SlackSocket(door, client, slack.workspace.tokens.app, sleep=sleep)
        await socket.start()
        assert waited[0] == 7.0
        assert socket.health()["connected"] is True
        await socket.stop()
        assert socket.health()["connected"] is False


async def test_t15_no_proxy_stands_before_a_socket_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """T15: with a proxy in the environment the socket of a workspace on this machine is opened all the same."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with slack_side("socket") as side:
        await side.slack.say("UADA", "COPS", f"{APP} hello")
        await side.kept.until(lambda: bool(side.kept.turns))


async def test_t6_without_a_signing_secret_nothing_is_taken_over_http() -> None:
    """T6: a gateway that connects by socket and knows no secret refuses every request, signed or not."""
    async with aiohttp.ClientSession() as session:
        client, kept = client_for("xoxb-x", "http://127.0.0.1:1/api/", session), Kept()
        app = web.Application()
        app.add_routes(SlackDoor(Wiring(None, lambda: None, client, kept)).routes())
        listener = bound(0)
        async with served(app, listener):
            headers = {"X-Slack-Request-Timestamp": "1796069851", "X-Slack-Signature": "v0=" + "0" * 64}
            url = f"http://127.0.0.1:{port_of(listener)}/slack/events"
            async with session.post(url, json=payload("app_mention"), headers=headers) as response:
                assert response.status == 401
        assert kept.offered == []
