"""The way in by Socket Mode, with the real SDK and a real Bolt app against the workspace."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import aiohttp
import pytest

from sliceway.errors import BootError
from sliceway.slack.app import SlackDoor, Wiring
from sliceway.slack.calls import client_for
from sliceway.slack.socket_mode import Patience, SlackSocket
from tests.contract.workspace_client import workspace_client
from tests.contract.workspace_socket import app_socket
from tests.e2e.slack_side import Kept, Side, slack_side
from tests.fakes.waiting import until
from tests.unit.slack.given import payload


@pytest.fixture
async def side() -> AsyncIterator[Side]:
    """A workspace with a Slack side connected by socket, which looks twice a second whether it still is."""
    async with slack_side("socket", patience=Patience(ping=0.5)) as opened:
        yield opened


def socket_of(side: Side) -> SlackSocket:
    """Return the connection."""
    assert side.way.socket is not None
    return side.way.socket


@pytest.mark.parametrize("reason", ["warning", "refresh_requested", "link_disabled", "cut"])
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
