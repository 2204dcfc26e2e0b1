"""The pages that machines look at: alive, ready, measured; and the one path that Slack posts to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

from sliceway.ports.meters import METRICS_TYPE as CONTENT_TYPE
from sliceway.web.guard import check_origin, guard
from sliceway.web.problems import problems
from sliceway.web.request_ids import request_ids

SIGNED_PATH = "/slack/events"
"""Where each request proves itself by its signature."""


def health_application(
    ready: Callable[[], Awaitable[Mapping[str, Any]]],
    signed: Callable[[web.Request], Awaitable[web.StreamResponse]],
    *,
    hosts: Collection[str],
    metrics: Callable[[], Awaitable[bytes]] | None = None,
) -> web.Application:
    """Return the gateway's application: `/healthz`, `/readyz`, `/metrics` where it is given, and the signed path.

    The signed path answers under every host name: behind a proxy it has the public one, and a page in a browser cannot
    sign. Requests that a page of another site sends are refused there too (OP5).

    :param ready: returns the facts; `ready` among them says whether it is.
    :param hosts: the names that the other paths answer to.
    :param metrics: returns what is measured, in Prometheus' text format.
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

    app = web.Application(middlewares=[request_ids, problems, at_the_gate])
    app.router.add_get("/healthz", healthz)
    app.router.add_get("/readyz", readyz)
    if metrics is not None:
        measured = metrics

        async def metered(_request: web.Request) -> web.Response:
            return web.Response(body=await measured(), headers={"Content-Type": CONTENT_TYPE})

        app.router.add_get("/metrics", metered)
    app.router.add_post(SIGNED_PATH, signed)
    return app
