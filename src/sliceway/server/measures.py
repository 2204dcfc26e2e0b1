"""What the server counts (OP2): names of calls, kinds of slices, states and codes; never a name or id of anyone."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from sliceway.core.pages import RecallResult
from sliceway.core.slices import kind_of
from sliceway.errors import SlicewayError
from sliceway.flows.metrics import Metrics
from sliceway.ports.outcomes import Outcome
from sliceway.wire.routes import Route

CALL = web.RequestKey("call", str)
"""Which call a request is."""
_NO_CALL = "other"
_WRITES = frozenset({"write_pages", "delete", "restore", "undo", "propose"})
_BY_WORD = {"mine": "agent", "user": "user"}


def measured(metrics: Metrics) -> Middleware:
    """Return the middleware that counts requests by call and status, and times them by call."""

    @web.middleware
    async def measure(request: web.Request, handler: Handler) -> web.StreamResponse:
        began = time.perf_counter()
        response = await handler(request)
        call = request.get(CALL, _NO_CALL)
        metrics.count("requests", call=call, status=str(response.status))
        metrics.spread("request", time.perf_counter() - began, call=call)
        return response

    return measure


def note_answer(metrics: Metrics, route: Route, fields: Mapping[str, Any], result: Any, seconds: float) -> None:
    """Count what a call came to, after so many seconds."""
    if route.call in _WRITES:
        outcome = result.outcome if isinstance(result, Outcome) else "pending"
        metrics.count("writes", destination=_destination(fields), outcome=outcome)
    if isinstance(result, RecallResult):
        metrics.spread("recall", seconds)
        for what in result.degraded:
            metrics.count("degraded_reads", what=what)


def note_refusal(metrics: Metrics, route: Route, fields: Mapping[str, Any], error: SlicewayError) -> None:
    """Count a write that was refused, by its code."""
    if route.call in _WRITES:
        metrics.count("writes", destination=_destination(fields), outcome=error.code)


def _destination(fields: Mapping[str, Any]) -> str:
    """Return the kind of slice a write is for."""
    name = str(fields.get("slice", ""))
    kind = kind_of(name)
    return _BY_WORD.get(name) or (kind.kind if kind is not None else "none")
