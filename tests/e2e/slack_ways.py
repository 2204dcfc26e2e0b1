"""The two ways in which a workspace reaches the Slack side of a gateway in this process."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, replace
from typing import Literal

from aiohttp import web

from sliceway.slack.app import SlackDoor, Wiring
from sliceway.slack.socket_mode import SlackSocket
from sliceway.web.serving import bound, port_of, served
from tests.contract.workspace_client import Client

Transport = Literal["http", "socket"]
BOTH: tuple[Transport, ...] = ("http", "socket")


@dataclass(frozen=True)
class Way:
    """How it is reached: at an address, or through a socket."""

    url: str = ""
    socket: SlackSocket | None = None


def connected(slack: Client, wiring: Wiring, transport: Transport) -> AbstractAsyncContextManager[Way]:
    """Connect a Slack side to the workspace while the context is open."""
    return (_by_http if transport == "http" else _by_socket)(slack, wiring)


@asynccontextmanager
async def _by_http(slack: Client, wiring: Wiring) -> AsyncIterator[Way]:
    app = web.Application()
    app.add_routes(SlackDoor(wiring).routes())
    listener = bound(0)
    url = f"http://127.0.0.1:{port_of(listener)}/slack/events"
    async with served(app, listener):
        slack.workspace.connect(url)
        try:
            yield Way(url=url)
        finally:
            slack.workspace.connect(None)


@asynccontextmanager
async def _by_socket(slack: Client, wiring: Wiring) -> AsyncIterator[Way]:
    door = SlackDoor(replace(wiring, signing_secret=None))
    socket = SlackSocket(door, wiring.client, slack.workspace.tokens.app)
    try:
        await socket.start()
        yield Way(socket=socket)
    finally:
        await socket.stop()
