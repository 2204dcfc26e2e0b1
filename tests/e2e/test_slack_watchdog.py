"""R58: a connection that only seems alive, and a Slack that does not come back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import aiohttp
import pytest
from aiohttp import web

from sliceway.errors import ChatError
from sliceway.slack.app import SlackDoor, Wiring
from sliceway.slack.calls import client_for
from sliceway.slack.socket_mode import Patience, SlackSocket
from sliceway.web.serving import bound, port_of, served
from sliceway.wiring import RunningGateway
from tests.e2e.slack_side import Kept
from tests.fakes.waiting import until

PATIENCE = Patience()


@dataclass
class Deaf:
    """A Slack that says hello and nothing more, not even to a ping; and the time, in the hand of the test."""

    address: str = ""
    asked: int = 0
    greeted: int = 0
    down: bool = False
    now: float = 0.0
    looks: asyncio.Queue[None] = field(default_factory=asyncio.Queue)

    async def open(self, _request: web.Request) -> web.Response:
        """Give an address for a socket, or be down."""
        self.asked += 1
        if self.down:
            return web.json_response({"ok": False, "error": "internal_error"}, status=500)
        return web.json_response({"ok": True, "url": self.address.replace("http", "ws", 1) + "/link"})

    async def link(self, request: web.Request) -> web.WebSocketResponse:
        """Greet, and listen to nobody."""
        socket = web.WebSocketResponse(autoping=False, timeout=0.1)
        await socket.prepare(request)
        await socket.send_json({"type": "hello", "num_connections": 1})
        self.greeted += 1
        async for _ in socket:
            continue
        return socket

    async def sleep(self, _seconds: float) -> None:
        """Sleep until the test wants a look."""
        await self.looks.get()

    async def after(self, seconds: float) -> None:
        """Let time pass and the watchdog look."""
        self.now += seconds
        self.looks.put_nowait(None)


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[Deaf, SlackSocket]]:
    """Open such a Slack, and a connection to it."""
    deaf, app, listener = Deaf(), web.Application(), bound(0)
    deaf.address = f"http://127.0.0.1:{port_of(listener)}"
    app.router.add_post("/api/apps.connections.open", deaf.open)
    app.router.add_get("/link", deaf.link)
    async with served(app, listener), aiohttp.ClientSession() as session:
        client = client_for("xoxb-1", f"{deaf.address}/api/", session)
        door = SlackDoor(Wiring(None, lambda: None, client, Kept()))
        socket = SlackSocket(door, client, "xapp-1", clock=lambda: deaf.now, sleep=deaf.sleep)
        try:
            await socket.start()
            yield deaf, socket
        finally:
            await socket.stop()


async def test_r58_a_silent_connection_is_replaced() -> None:
    """R58: without a sign of life readiness falls, and the watchdog puts a fresh connection in the place of it."""
    async with connected() as (deaf, socket):
        assert socket.health()["connected"] is True
        await deaf.after(PATIENCE.stale - 1)
        assert deaf.greeted == 1
        deaf.now += 1
        silent = socket.health()
        assert (silent["connected"], silent["sign_of_life_age_s"]) == (False, PATIENCE.stale)
        await deaf.after(0)

        async def fresh() -> bool:
            return deaf.greeted == 2 and bool(socket.health()["connected"])

        await until(fresh)
        assert socket.health()["sign_of_life_age_s"] == 0.0


async def test_r58_where_no_connection_can_be_made_the_process_ends() -> None:
    """R58: Slack does not come back: the watchdog tries again, then gives up, and serving ends with an error."""
    async with connected() as (deaf, socket):
        deaf.down = True
        running = RunningGateway("http://127.0.0.1:0", socket=socket)
        serving = asyncio.create_task(running.serve_until(asyncio.Event()))
        await deaf.after(PATIENCE.stale)

        async def tried() -> bool:
            return deaf.asked == 2

        await until(tried)
        assert not serving.done()
        await deaf.after(PATIENCE.give_up)
        with pytest.raises(ChatError, match="start the gateway anew"):
            await serving


async def test_serving_ends_when_it_is_told_to() -> None:
    """Told to stop, serving ends without an error, with a connection or without one."""
    stopped = asyncio.Event()
    stopped.set()
    await RunningGateway("http://127.0.0.1:0").serve_until(stopped)
    async with connected() as (_, socket):
        await RunningGateway("http://127.0.0.1:0", socket=socket).serve_until(stopped)
