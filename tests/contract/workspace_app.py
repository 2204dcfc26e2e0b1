"""An app that keeps what it is sent and answers as it is told, for looking at the wire itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl

from aiohttp import web

from sliceway.web.serving import bound, port_of, served

Json = dict[str, Any]


@dataclass(frozen=True)
class Received:
    """One request as the app got it."""

    headers: dict[str, str]
    body: bytes

    @property
    def payload(self) -> Json:
        """The payload, out of whichever encoding it came in."""
        if self.headers["Content-Type"] == "application/json":
            document: Json = json.loads(self.body)
        else:
            form = dict(parse_qsl(self.body.decode(), keep_blank_values=True))
            document = json.loads(form["payload"]) if "payload" in form else form
        return document

    @property
    def event(self) -> Json:
        """The event inside the envelope."""
        found: Json = self.payload["event"]
        return found


@dataclass
class ListeningApp:
    """The app: `received` is what came, oldest first; `answer` decides what is answered."""

    url: str = ""
    received: list[Received] = field(default_factory=list)
    answer: Callable[[Received], web.Response] = lambda _received: web.Response()
    _more: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def handle(self, request: web.Request) -> web.Response:
        """Keep a request and answer it."""
        received = Received(dict(request.headers), await request.read())
        self.received.append(received)
        async with self._more:
            self._more.notify_all()
        return self.answer(received)

    async def first(self, count: int) -> list[Received]:
        """Return the first `count` requests as soon as they have come."""
        async with self._more:
            await asyncio.wait_for(self._more.wait_for(lambda: len(self.received) >= count), timeout=10)
        return self.received[:count]

    def events(self, kind: str) -> list[Json]:
        """Return the events of one type that came."""
        payloads = [received.payload for received in self.received]
        return [p["event"] for p in payloads if p.get("type") == "event_callback" and p["event"]["type"] == kind]


@asynccontextmanager
async def listening_app() -> AsyncIterator[ListeningApp]:
    """Open such an app on a free port."""
    app = ListeningApp()
    server = web.Application()
    server.router.add_post("/slack/events", app.handle)
    listener = bound(0)
    app.url = f"http://127.0.0.1:{port_of(listener)}/slack/events"
    async with served(server, listener):
        yield app
