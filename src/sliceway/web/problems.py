"""Errors over HTTP: RFC 9457 problem documents with a stable `code`; internals never appear in them (BR14)."""

from __future__ import annotations

import json
import logging
from http import HTTPStatus
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

from sliceway.core.traces import frames_of
from sliceway.errors import InvalidRequest, MethodNotAllowed, NotFound, SlicewayError, TooLarge, Unauthorized
from sliceway.web.request_ids import REQUEST_ID

log = logging.getLogger(__name__)

BROKEN = "Something broke here; the log says what, under this request's id. Nothing is known to be done."
"""What is told of a failure that nobody foresaw."""


def problem(error: SlicewayError) -> dict[str, Any]:
    """Return the problem document of an error; the facts it carries never replace the named members."""
    document: dict[str, Any] = {
        **error.facts,
        "type": f"urn:sliceway:error:{error.code}",
        "title": HTTPStatus(error.status).phrase,
        "status": int(error.status),
        "code": error.code,
        "detail": error.detail,
    }
    if isinstance(error, InvalidRequest) and error.errors:
        document["errors"] = [{"field": e.field, "code": e.code, "detail": e.detail} for e in error.errors]
    return document


def problem_response(error: SlicewayError) -> web.Response:
    """Return the answer that carries `problem(error)`, with the headers that go with it: `Retry-After` where the error
    says `retry_after`, `Allow` where it says `allowed`, and what to show where a token is wanted."""
    headers = {}
    if "retry_after" in error.facts:
        headers["Retry-After"] = str(error.facts["retry_after"])
    if "allowed" in error.facts:
        headers["Allow"] = ", ".join(error.facts["allowed"])
    if isinstance(error, Unauthorized):
        headers["WWW-Authenticate"] = "Bearer"
    return web.Response(
        status=error.status,
        body=json.dumps(problem(error)).encode(),
        content_type="application/problem+json",
        headers=headers,
    )


def as_error(problem: Exception) -> SlicewayError:
    """Return the error of our tree for whatever a handler raised; what nobody foresaw is told in general."""
    if isinstance(problem, SlicewayError):
        return problem
    if isinstance(problem, web.HTTPRequestEntityTooLarge):
        return TooLarge("The body is larger than this server takes.")
    if isinstance(problem, web.HTTPMethodNotAllowed):
        allowed = sorted(problem.allowed_methods)
        return MethodNotAllowed(f"Only {', '.join(allowed)} is answered here.", allowed=allowed)
    if isinstance(problem, web.HTTPNotFound):
        return NotFound("There is nothing at this address.")
    return SlicewayError(BROKEN)


@web.middleware
async def problems(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn what a handler raises into a problem document; the unforeseen is told in general, and logged with
    the way it came and without its message, which may quote people (OP3)."""
    try:
        return await handler(request)
    except web.HTTPException as error:
        if error.status < HTTPStatus.BAD_REQUEST:
            raise
        return problem_response(as_error(error))
    except SlicewayError as error:
        return problem_response(error)
    except Exception as error:
        route = request.match_info.route.resource  # never the path itself: a page's name may be in it
        about = (request.get(REQUEST_ID, "-"), request.method, route.canonical if route is not None else "-")
        log.error("request %s: %s %s failed: %s", *about, frames_of(error))
        log.debug("request %s: %s %s failed", *about, exc_info=error)
        return problem_response(as_error(error))
