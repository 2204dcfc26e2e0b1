"""The live stream of one page: what changed, as one person sees it, as server-sent events.

A page asks for it with `fetch`, not with `EventSource`, because the latter sends no header and the control key has no
place in an address or a cookie. Changes wait in a set of what is to be told, so a page that reads slowly gets the
latest version of each message once instead of a growing queue.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Iterator

from aiohttp import web

from sliceway.errors import SlicewayError
from sliceway.workspace.control_bodies import StreamQuery, parsed
from sliceway.workspace.control_views import open_views, public_state
from sliceway.workspace.hub import Hub
from sliceway.workspace.landings import Landings
from sliceway.workspace.model import Change, Json, Person
from sliceway.workspace.shapes import message_shape
from sliceway.workspace.sight import can_see

GATHERED = 0.03
"""Seconds in which changes are gathered into one event."""
LOOK_EVERY = 0.3
"""Seconds between two looks at where memories landed."""
ALIVE_EVERY = 15.0
"""Seconds of silence after which a comment says that the stream lives."""


class Streams:
    """All pages that listen."""

    def __init__(self, hub: Hub, landings: Landings | None = None) -> None:
        """Take the workspace, and where memories landed if anybody can tell."""
        self._hub = hub
        self._landings = landings
        self._open: set[_Listener] = set()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        """Stream changes as one person sees them, until the page goes or the workspace ends."""
        asked = parsed(StreamQuery, dict(request.query))
        listener = _Listener(self._hub, self._hub.workspace.person(asked.viewer))
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", "Cache-Control": "no-store"})
        await response.prepare(request)
        unwatch = self._hub.workspace.watch(listener.changed)
        looking = asyncio.create_task(listener.look_at(self._landings)) if self._landings else None
        self._open.add(listener)
        try:
            with contextlib.suppress(ConnectionError):
                async for event in listener.events():
                    await response.write(event)
        finally:
            self._open.discard(listener)
            unwatch()
            if looking is not None:
                looking.cancel()
                await asyncio.wait([looking])
        return response

    async def close(self, _app: web.Application) -> None:
        """End every stream, so that a page never holds up the end of the workspace."""
        for listener in self._open:
            listener.end()


class _Listener:
    """One page: what it has not been told yet."""

    def __init__(self, hub: Hub, viewer: Person) -> None:
        self._hub = hub
        self._viewer = viewer.id
        self._messages: dict[tuple[str, str], None] = {}
        self._state = True  # a page begins with whole state, so that nothing is lost between its looks and its stream
        self._views = True
        self._landed: Json | None = None
        self._told: Json | None = None
        self._ended = False
        self._news = asyncio.Event()
        self._news.set()

    def changed(self, change: Change) -> None:
        """Note a change; it is looked up when it is told."""
        if change.kind == "message" and change.channel is not None:
            self._messages[change.channel, change.id] = None
        elif change.kind == "view":
            self._views = True
        else:
            self._state = True
        self._news.set()

    def end(self) -> None:
        """End the stream."""
        self._ended = True
        self._news.set()

    async def look_at(self, landings: Landings) -> None:
        """Look again and again at where memories landed, and note what is new."""
        while True:
            with contextlib.suppress(SlicewayError):
                seen = await landings.look()
                if seen != self._told:
                    self._told = self._landed = seen
                    self._news.set()
            await asyncio.sleep(LOOK_EVERY)

    async def events(self) -> AsyncIterator[bytes]:
        """Yield encoded events until the end."""
        while not self._ended:
            try:
                await asyncio.wait_for(self._news.wait(), ALIVE_EVERY)
            except TimeoutError:
                yield b": still here\n\n"
                continue
            await asyncio.sleep(GATHERED)
            self._news.clear()
            if batch := self._batch():
                yield f"data: {json.dumps(batch, ensure_ascii=False)}\n\n".encode()

    def _batch(self) -> Json:
        """Return what is to be told now, and forget that it was."""
        batch: Json = {}
        if self._state:
            batch["state"] = public_state(self._hub)
        if self._views:
            batch["views"] = open_views(self._hub, self._viewer)
        if self._landed is not None:
            batch["landings"] = self._landed
        if self._messages:
            batch["messages"] = list(self._shapes())
        self._state = self._views = False
        self._landed = None
        self._messages = {}
        return batch

    def _shapes(self) -> Iterator[Json]:
        """Return each changed message as the viewer sees it, none where it is gone; a thread's root changes with it."""
        workspace = self._hub.workspace
        viewer = workspace.person(self._viewer)
        asked = dict(self._messages)
        for channel, ts in self._messages:
            message = workspace.message(channel, ts)
            if message is not None and message.is_reply and message.thread_ts is not None:
                asked[channel, message.thread_ts] = None
        for channel, ts in asked:
            message = workspace.message(channel, ts)
            seen = message is not None and can_see(viewer, workspace.channels[channel], message)
            shape = message_shape(workspace, message) if message is not None and seen else None
            yield {"channel": channel, "ts": ts, "message": shape}
