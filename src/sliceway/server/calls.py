"""One call over HTTP, from request to answer: who calls, what for, what the brain says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from aiohttp import web

from sliceway.core.pages import Listing
from sliceway.core.principals import Principal
from sliceway.core.proposals import Changes
from sliceway.errors import SlicewayError
from sliceway.flows.metrics import Metrics
from sliceway.ports import Brain
from sliceway.server.answers import answer_of
from sliceway.server.arguments import arguments
from sliceway.server.callers import Callers, bearer
from sliceway.server.measures import CALL, note_answer, note_refusal
from sliceway.server.polls import polled
from sliceway.server.reading import given
from sliceway.server.running import Running
from sliceway.wire.routes import Route

_MUCH = 16 * 1024
"""Bytes of a body from which on it is read in another thread."""
_MANY = 20
"""Items of an answer from which on it is written in another thread."""
_AGAIN = 1.0
"""Seconds that a body may take to come before its token is looked up again (BR2)."""


class Calls:
    """What serves the rows of the table."""

    def __init__(
        self, enter: Callable[[Principal], Brain], callers: Callers, running: Running, metrics: Metrics,
        now: Callable[[], float],
    ) -> None:  # fmt: skip
        """Serve the brain that `enter` opens for a principal; `now` returns seconds that only grow."""
        self._enter = enter
        self._callers = callers
        self._running = running
        self._metrics = metrics
        self._now = now

    def handler(self, route: Route) -> Callable[[web.Request], Awaitable[web.Response]]:
        """Return what answers a route."""

        async def handle(request: web.Request) -> web.Response:
            request[CALL] = route.call
            with self._running.request():
                return await self._answered(route, request)

        return handle

    async def _answered(self, route: Route, request: web.Request) -> web.Response:
        shown = request.headers.getall("Authorization", [])
        caller = await self._callers.caller(shown)
        began = self._now()
        asked = await given(request, has_body=not route.in_query)
        if self._now() - began >= _AGAIN:  # whoever lost the token meanwhile has not begun to write
            caller = await self._callers.again(bearer(shown))
        heavy = len(asked.body or b"") > _MUCH
        method, fields = await asyncio.to_thread(arguments, route, asked) if heavy else arguments(route, asked)
        result = await self._result(route, method, fields, caller, shown)
        many = isinstance(result, Listing) and len(result.items) > _MANY
        status, body = await asyncio.to_thread(answer_of, route, result) if many else answer_of(route, result)
        return web.Response(status=status, body=body, content_type="application/json", charset="utf-8")

    async def _result(
        self, route: Route, method: str, fields: dict[str, Any], caller: Principal, shown: Sequence[str]
    ) -> Any:  # fmt: skip
        """Return what the brain says. All but a long poll runs to its end, whether anyone waits or not: nothing is half
        written, and whoever hangs up on a refusal is in the record all the same (OP1)."""
        if method == "changes" and fields.get("wait"):
            return await self._polled(caller, fields, bearer(shown))
        noted, began = dict(fields), time.perf_counter()
        work = getattr(self._enter(caller), method)(**fields)
        try:
            result = await self._running.to_its_end(work)
        except SlicewayError as error:
            note_refusal(self._metrics, route, noted, error)
            raise
        note_answer(self._metrics, route, noted, result, time.perf_counter() - began)
        return result

    async def _polled(self, caller: Principal, fields: dict[str, Any], token: str) -> Changes:
        async def again() -> Brain | None:
            nonlocal caller
            before, caller = caller, await self._callers.again(token)
            return self._enter(caller) if caller != before else None

        self._callers.poll_begins(token)
        try:
            return await polled(
                self._enter(caller), fields, again=again, stopping=self._running.stopping, now=time.monotonic
            )
        finally:
            self._callers.poll_ends(token)
