"""The pages that machines look at: alive, ready, measured; and the one path that Slack posts to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

from sliceway.web.guard import check_origin, guard
from sliceway.web.problems import problems
from sliceway.web.request_ids import request_ids

SIGNED_PATH = "/slack/events"
"""Where each request proves itself by its signature."""
PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8"
"""The form of text that Prometheus reads."""


def health_application(
    ready: Callable[[], Awaitable[Mapping[str, Any]]],
    signed: Callable[[web.Request], Awaitable[web.StreamResponse]],
    metrics: Callable[[], Awaitable[str]],
    *,
    hosts: Collection[str],
) -> web.Application:
    """Return the gateway's application: `/healthz`, `/readyz`, `/metrics`, and the signed path.

    The signed path answers under every host name: behind a proxy it has the public one, and a page in a browser cannot
    sign. Requests that a page of another site sends are refused there too (OP5).

    :param ready: returns the facts; `ready` among them says whether it is.
    :param metrics: returns what was counted, as Prometheus reads it.
    :param hosts: the names that the other paths answer to.
    """
    guarded = guard(hosts)

    @web.middleware
    async def at_the_gate(request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.path == SIGNED_PATH:
            check_origin(request.headers.getall("Origin", []), request.headers.get("Host", ""))
            return await handler(request)
        return await guarded(request, handler)

    async def healthz(_request: web.Request) -> web.Response:
        return web.json_response({"alive": True})

    async def readyz(_request: web.Request) -> web.Response:
        facts = dict(await ready())
        return web.json_response(facts, status=200 if facts.get("ready") else 503)

    async def counted(_request: web.Request) -> web.Response:
        return web.Response(text=await metrics(), headers={"Content-Type": PROMETHEUS})

    app = web.Application(middlewares=[request_ids, problems, at_the_gate])
    app.router.add_get("/healthz", healthz)
    app.router.add_get("/readyz", readyz)
    app.router.add_get("/metrics", counted)
    app.router.add_post(SIGNED_PATH, signed)
    return app
