"""The two calls that are longer than any body: an export goes out as it is read, an import comes in as it is sent."""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

from aiohttp import web

from sliceway.core.principals import Principal
from sliceway.core.traces import trace_of
from sliceway.errors import SlicewayError, TooSlow, Unavailable, UnsupportedMediaType
from sliceway.ports import Brain
from sliceway.ports.outcomes import ExportLine
from sliceway.server.arguments import Given, arguments
from sliceway.server.callers import Callers, bearer
from sliceway.server.measures import CALL
from sliceway.server.reading import given
from sliceway.server.running import Running
from sliceway.wire.codec import to_json
from sliceway.wire.record_lines import bytes_of
from sliceway.wire.routes import NDJSON, STREAMS, Route

log = logging.getLogger(__name__)

_AGAIN = 2.0
"""Seconds after which the token of an open stream is looked up again (BR2)."""
_IDLE = 30.0
"""Seconds in which the other side takes something, or sends something."""
_SENT = 64 * 1024
_NDJSON = re.compile(r'application/x-ndjson(\s*;\s*charset\s*=\s*("utf-8"|utf-8))?\s*', re.IGNORECASE)


class Streams:
    """What serves the rows of `STREAMS`."""

    def __init__(
        self, enter: Callable[[Principal], Brain], callers: Callers, running: Running, now: Callable[[], float]
    ) -> None:  # fmt: skip
        """Serve the brain that `enter` opens for a principal; `now` returns seconds that only grow."""
        self._enter, self._callers, self._running, self._now = enter, callers, running, now

    def handlers(self) -> Mapping[Route, Callable[[web.Request], Awaitable[web.StreamResponse]]]:
        """Return what answers each route."""
        by_call = {"export": self._export, "import_": self._import}
        return {route: self._handler(route, by_call[route.call]) for route in STREAMS}

    def _handler(
        self, route: Route, answer: Callable[[Route, web.Request], Awaitable[web.StreamResponse]]
    ) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        async def handle(request: web.Request) -> web.StreamResponse:
            request[CALL] = route.call
            with self._running.request():
                return await answer(route, request)

        return handle

    async def _export(self, route: Route, request: web.Request) -> web.StreamResponse:
        brain, token = await self._caller(request)
        _, fields = arguments(route, await given(request, has_body=False))
        lines = aiter(brain.export(**fields))
        first = await anext(lines)  # a refusal comes before anything is sent, as every other
        response = web.StreamResponse(headers={"Content-Type": NDJSON})
        await response.prepare(request)
        try:
            await self._sent(response, first, lines, _Watch(self, token))
            await response.write_eof()
        except (SlicewayError, ConnectionError, TimeoutError) as error:
            log.info("an export was broken off: %s", type(error).__name__)
            log.debug("an export was broken off: %s", trace_of(error))
            if request.transport is not None:  # without its end nobody takes what was sent for the whole
                request.transport.abort()
        return response

    async def _sent(
        self, response: web.StreamResponse, first: ExportLine, lines: AsyncIterator[ExportLine], watch: _Watch
    ) -> None:
        waiting = bytearray(bytes_of(first))
        async for line in lines:
            waiting += bytes_of(line)
            if len(waiting) >= _SENT:
                await watch.look()
                await asyncio.wait_for(response.write(bytes(waiting)), _IDLE)
                waiting.clear()
        await asyncio.wait_for(response.write(bytes(waiting)), _IDLE)

    async def _import(self, route: Route, request: web.Request) -> web.StreamResponse:
        brain, token = await self._caller(request)
        _, fields = arguments(route, Given(request.rel_url.raw_path, request.rel_url.raw_query_string, None))
        types = request.headers.getall("Content-Type", [])
        if len(types) != 1 or not _NDJSON.fullmatch(types[0].strip()):
            raise UnsupportedMediaType(f"Send {NDJSON}: one JSON document a line.")
        if any(each.strip().lower() != "identity" for each in request.headers.getall("Content-Encoding", [])):
            raise UnsupportedMediaType("A body comes as it is, not compressed.")
        report = await brain.import_(self._received(request, _Watch(self, token)), **fields)
        body = json.dumps(to_json(report), ensure_ascii=False, separators=(",", ":")).encode()
        return web.Response(body=body, content_type="application/json", charset="utf-8")

    async def _received(self, request: web.Request, watch: _Watch) -> AsyncIterator[bytes]:
        """Give a body as it comes.

        :raises TooSlow: nothing came for too long. :raises Unavailable: the server stops, or the caller hung up.
        """
        while True:
            try:
                async with asyncio.timeout(_IDLE):
                    chunk = await request.content.readany()
            except TimeoutError:
                raise TooSlow() from None
            except (ConnectionError, web.RequestPayloadError):
                raise Unavailable("The body ended before it was whole; send it again, what came in stays.") from None
            await watch.look(at_once=not chunk)  # what still waits for more is written after the last look
            if not chunk:
                return
            yield chunk

    async def _caller(self, request: web.Request) -> tuple[Brain, str]:
        shown = request.headers.getall("Authorization", [])
        return self._enter(await self._callers.caller(shown)), bearer(shown)

    async def look(self, token: str) -> None:
        """See that a stream may go on.

        :raises Unauthorized: its token is good no more. :raises Unavailable: the server stops.
        """
        await self._callers.again(token)
        if self._running.stopping.is_set():
            raise Unavailable("This server is stopping; send it again, what came in stays.", retry_after=1)

    def now(self) -> float:
        """Return the time by which streams are watched."""
        return self._now()


class _Watch:
    """Looks after an open stream from time to time."""

    def __init__(self, streams: Streams, token: str) -> None:
        self._streams, self._token = streams, token
        self._looked = streams.now()

    async def look(self, *, at_once: bool = False) -> None:
        if at_once or self._streams.now() - self._looked >= _AGAIN:
            await self._streams.look(self._token)
            self._looked = self._streams.now()
