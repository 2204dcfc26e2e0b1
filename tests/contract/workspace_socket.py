"""A raw socket of an app, for looking at Socket Mode's wire itself."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp

from tests.contract.workspace_client import Client, Json


@dataclass(frozen=True)
class AppSocket:
    """One open socket, and what came first through it."""

    ws: aiohttp.ClientWebSocketResponse
    hello: Json

    async def frame(self) -> Json:
        """Return the next frame."""
        frame: Json = await self.ws.receive_json(timeout=10)
        return frame

    async def ack(self, envelope: Json, payload: Any = None) -> None:
        """Acknowledge an envelope."""
        said = {"envelope_id": envelope["envelope_id"]} | ({} if payload is None else {"payload": payload})
        await self.ws.send_str(json.dumps(said))

    async def taken(self, payload: Any = None) -> Json:
        """Return the next envelope, acknowledged."""
        envelope = await self.frame()
        await self.ack(envelope, payload)
        return envelope

    async def closed(self) -> None:
        """Return once the other side has closed it."""
        while (await self.ws.receive(timeout=10)).type is aiohttp.WSMsgType.TEXT:
            continue
        assert self.ws.closed


async def address(client: Client) -> str:
    """Ask for the address of a new socket."""
    opened = await client.api("apps.connections.open", _token=client.workspace.tokens.app)
    assert opened["ok"] is True, opened
    url: str = opened["url"]
    return url


@asynccontextmanager
async def app_socket(client: Client) -> AsyncIterator[AppSocket]:
    """Open a socket and read its hello."""
    async with client.http.ws_connect(await address(client)) as ws:
        yield AppSocket(ws, await ws.receive_json(timeout=10))
