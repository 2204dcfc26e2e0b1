"""An id for each request: the caller's own if it is a sane one, else a new one; echoed in `X-Request-Id`."""

from __future__ import annotations

import re
import uuid

from aiohttp import web
from aiohttp.typedefs import Handler

from sliceway.core.context import doing

HEADER = "X-Request-Id"
REQUEST_ID = web.RequestKey("request_id", str)
_SANE = re.compile(r"[A-Za-z0-9._-]{1,128}")


@web.middleware
async def request_ids(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Give the request its id, under `REQUEST_ID`, and echo it.

    An id that could break a log line (too long, spaces, control characters) is replaced, not repeated.
    """
    offered = request.headers.get(HEADER, "")
    request_id = offered if _SANE.fullmatch(offered) else uuid.uuid4().hex
    request[REQUEST_ID] = request_id
    with doing(request=request_id):
        response = await handler(request)
    if not response.prepared:
        response.headers[HEADER] = request_id
    return response
