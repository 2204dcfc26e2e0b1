"""The server's application: the table of calls, the pages that machines look at, and what stands before them all."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from sliceway.core.principals import Principal
from sliceway.flows.metrics import Metrics
from sliceway.ports import Brain
from sliceway.server.callers import Callers, PrincipalOf
from sliceway.server.calls import Calls
from sliceway.server.measures import measured
from sliceway.server.openapi import openapi_bytes
from sliceway.server.reading import MAX_BODY
from sliceway.server.running import Running
from sliceway.server.streams import Streams
from sliceway.web.guard import guard
from sliceway.web.health import PROMETHEUS
from sliceway.web.problems import problems
from sliceway.web.request_ids import request_ids
from sliceway.wire.routes import ROUTES


@dataclass(frozen=True, slots=True)
class Parts:
    """What a server is made of.

    :ivar enter: opens the brain for a principal. :ivar principal_of: whom a token stands for, by its row as it is now.
    :ivar ready: the facts of readiness; `ready` among them says whether it is.
    :ivar gauges: what stands at a number now, for `/metrics`. :ivar hosts: the names it answers to.
    :ivar rate: calls a second for each token. :ivar now: seconds that only grow.
    """

    enter: Callable[[Principal], Brain]
    principal_of: PrincipalOf
    ready: Callable[[], Awaitable[Mapping[str, Any]]]
    gauges: Callable[[], Awaitable[Mapping[str, int]]]
    hosts: Collection[str]
    rate: float
    now: Callable[[], float] = time.monotonic


def brain_application(parts: Parts, running: Running) -> web.Application:
    """Return the application that serves the brain until `running` is told to stop."""
    metrics = Metrics()
    callers = Callers(parts.principal_of, rate=parts.rate, now=parts.now, metrics=metrics)
    calls = Calls(parts.enter, callers, running, metrics, parts.now)

    async def healthz(_request: web.Request) -> web.Response:
        return web.json_response({"alive": True})

    async def readyz(_request: web.Request) -> web.Response:
        facts = {**await parts.ready(), "stopping": running.stopping.is_set()}
        facts["ready"] = bool(facts.get("ready")) and not facts["stopping"]
        return web.json_response(facts, status=200 if facts["ready"] else 503)

    async def counted(_request: web.Request) -> web.Response:
        gauges = {**await parts.gauges(), "open_polls": callers.open_polls}
        return web.Response(text=metrics.text(gauges), headers={"Content-Type": PROMETHEUS})

    async def described(_request: web.Request) -> web.Response:
        return web.Response(body=openapi_bytes(), content_type="application/json", charset="utf-8")

    app = web.Application(
        middlewares=[request_ids, measured(metrics), problems, guard(parts.hosts)], client_max_size=MAX_BODY
    )
    app.router.add_get("/healthz", healthz)
    app.router.add_get("/readyz", readyz)
    app.router.add_get("/metrics", counted)
    app.router.add_get("/openapi.json", described)
    for route in ROUTES:
        app.router.add_route(route.method, route.path, calls.handler(route))
    for route, handler in Streams(parts.enter, callers, running, parts.now).handlers().items():
        app.router.add_route(route.method, route.path, handler)
    app.on_response_prepare.append(_not_to_be_kept)
    return app


async def _not_to_be_kept(_request: web.Request, response: web.StreamResponse) -> None:
    """Tell whatever stands between that an answer is one caller's alone and what it says it is; and not what runs
    here."""
    response.headers["Server"] = "sliceway"
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Content-Type-Options"] = "nosniff"
