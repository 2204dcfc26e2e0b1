"""The app's open sockets: hello, envelopes to exactly one of them, acknowledgements, disconnect frames."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

from aiohttp import WSMsgType, web

from sliceway.workspace.clock import VirtualClock
from sliceway.workspace.faults import DisconnectReason
from sliceway.workspace.tickets import Tickets
from sliceway.workspace.transport import ACK_SECONDS, Answer, Parcel

PATH = "/link/"
MOST = 10  # connections of one app
LIFETIME = 18_060.0  # seconds after which a connection is refreshed
NOTICE = 10.0  # seconds between the warning and the refresh, and that a refreshed client has to leave by itself
GAP = 300.0  # seconds that a repetition waits for the app to connect again
_HEARTBEAT = 30.0  # seconds between pings of ours: a client that went without a word is noticed
_CLOSING = 1.0  # seconds that a client has to say goodbye
_HOST = "local-workspace"


class Sockets:
    """Every WebSocket that the app holds, and what was sent through them and not yet acknowledged."""

    def __init__(
        self, app_id: str, clock: VirtualClock, tickets: Tickets, *, moved: Callable[[], None] = lambda: None
    ) -> None:
        """Take what hello says, the time for acknowledgements and refreshes, what lets in, and what is to be told when
        a socket comes or goes."""
        self._moved = moved
        self._app_id = app_id
        self._clock = clock
        self.tickets = tickets
        self._here: dict[web.WebSocketResponse, asyncio.Transport | None] = {}  # each with the connection under it
        self._open: list[web.WebSocketResponse] = []  # those that envelopes go through
        self._waiting: dict[str, tuple[web.WebSocketResponse, asyncio.Future[Answer]]] = {}
        self._arrival = asyncio.Event()
        self._closings: set[asyncio.Task[None]] = set()
        self._turn = 0
        self._closed = False
        self.expected = False

    def __len__(self) -> int:
        """Return how many are open."""
        return len(self._open)

    async def serve(self, request: web.Request) -> web.StreamResponse:
        """Answer an app that connects: 401 without a good ticket, else a socket until either side closes it."""
        if not self.tickets.take(request.query.get("ticket", "")):
            return web.Response(status=401, text="This ticket is used, too old or none; call apps.connections.open.")
        socket = web.WebSocketResponse(heartbeat=_HEARTBEAT, timeout=_CLOSING)
        await socket.prepare(request)
        self._here[socket] = request.transport
        if len(self._open) >= MOST:
            await self._farewell(socket, "too_many_websockets")
            self._here.pop(socket, None)
            return socket
        aging = asyncio.create_task(self._refreshed_in_time(socket))
        try:
            await socket.send_json(self._hello())
            self._enter(socket)
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    self._acknowledged(message.data)
        except ConnectionError:
            pass  # it went while it was greeted: the same as leaving later
        finally:
            self._leave(socket)
            self._here.pop(socket, None)
            aging.cancel()
        return socket

    async def send(self, parcel: Parcel) -> Answer:
        """Put an envelope on the next socket and return its acknowledgement, or why there is none."""
        if not self._open:
            return Answer(error="connection_failed")
        socket = self._open[self._turn % len(self._open)]
        self._turn += 1
        answered: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[parcel.envelope] = (socket, answered)
        try:
            await socket.send_str(parcel.body.decode())
            if parcel.disconnect is not None:
                await self.disconnect(parcel.disconnect, socket)
            await self._clock.wait(answered, ACK_SECONDS)
            return answered.result() if answered.done() else Answer(error="timeout")
        except ConnectionError:
            return Answer(error="connection_failed")
        finally:
            del self._waiting[parcel.envelope]

    async def somebody(self) -> None:
        """Return once a socket is open, or when it has been waited for long enough."""
        if not self._open:
            arriving = asyncio.ensure_future(self._arrival.wait())
            try:
                await self._clock.wait(arriving, GAP)
            finally:
                arriving.cancel()

    async def disconnect(self, reason: DisconnectReason, only: web.WebSocketResponse | None = None) -> None:
        """Tell one socket, or all, that it has to go; `cut` breaks the connection off without a word.

        After anything but a warning nothing more is sent through it, and what was not acknowledged counts as lost. It
        is closed from here at once, or, where a refresh was requested, when the client does not do so soon.
        """
        for socket in [only] if only is not None else list(self._open):
            if reason != "warning":
                self._leave(socket)
            await self._farewell(socket, reason)

    async def close(self) -> None:
        """Close every socket, and let nobody wait for another one: the workspace ends."""
        self._closed = True
        self._arrival.set()
        for task in self._closings:
            task.cancel()
        for socket in list(self._here):
            self._leave(socket)
            await socket.close()

    async def _farewell(self, socket: web.WebSocketResponse, reason: DisconnectReason) -> None:
        if reason == "cut":
            if (connection := self._here.get(socket)) is not None:
                connection.abort()
            return
        frame = {"type": "disconnect", "reason": reason, "debug_info": {"host": _HOST}}
        try:
            await socket.send_json(frame)
            if reason == "refresh_requested":
                closing = asyncio.create_task(self._closed_soon(socket))
                self._closings.add(closing)
                closing.add_done_callback(self._closings.discard)
            elif reason != "warning":
                await socket.close()
        except ConnectionError:
            pass  # it is gone already

    def _hello(self) -> dict[str, Any]:
        return {
            "type": "hello",
            "num_connections": len(self._open) + 1,
            "debug_info": {"host": _HOST, "build_number": 1, "approximate_connection_time": int(LIFETIME)},
            "connection_info": {"app_id": self._app_id},
        }

    def _enter(self, socket: web.WebSocketResponse) -> None:
        self._open.append(socket)
        self.expected = True
        self._arrival.set()
        self._moved()

    def _leave(self, socket: web.WebSocketResponse) -> None:
        if socket in self._open:
            self._open.remove(socket)
            self._moved()
        if not self._open and not self._closed:
            self._arrival.clear()
        for through, answered in self._waiting.values():
            if through is socket and not answered.done():
                answered.set_result(Answer(error="connection_failed"))

    def _acknowledged(self, text: str) -> None:
        """Match an acknowledgement with its envelope; what names none that waits is ignored, as Slack does."""
        try:
            said = json.loads(text)
        except ValueError:
            return
        found = self._waiting.get(str(said.get("envelope_id"))) if isinstance(said, dict) else None
        if found is None or found[1].done():
            return
        payload = said.get("payload")
        body = payload if isinstance(payload, str) else json.dumps(payload) if payload is not None else ""
        found[1].set_result(Answer(status=200, body=body))

    async def _refreshed_in_time(self, socket: web.WebSocketResponse) -> None:
        await self._clock.sleep(LIFETIME - NOTICE)
        await self.disconnect("warning", socket)
        await self._clock.sleep(NOTICE)
        await self.disconnect("refresh_requested", socket)

    async def _closed_soon(self, socket: web.WebSocketResponse) -> None:
        await self._clock.sleep(NOTICE)
        await socket.close()
