"""What a request carries, as bytes: of the right type, in its limits, in time."""

from __future__ import annotations

import asyncio
import re

from aiohttp import web

from sliceway.errors import FieldError, InvalidRequest, MalformedRequest, TooLarge, TooSlow, UnsupportedMediaType
from sliceway.server.arguments import Given

MAX_BODY = 8 * 1024 * 1024
"""Bytes in a body, at most."""
_BODY_SECONDS = 30.0
_JSON = re.compile(r'application/json(\s*;\s*charset\s*=\s*("utf-8"|utf-8))?\s*', re.IGNORECASE)


async def given(request: web.Request, *, has_body: bool) -> Given:
    """Return what a request carries.

    :param has_body: whether its method has a body; one that comes all the same is refused, not passed over (BR5).
    :raises UnsupportedMediaType: the body is another thing than plain JSON. :raises TooLarge: it is over 8 MiB.
    :raises TooSlow: it did not arrive in 30 s. :raises MalformedRequest: it is not sent as HTTP has it.
    """
    body: bytes | None = None
    if request.body_exists and request.content_length != 0:
        if not has_body:
            raise InvalidRequest(errors=[FieldError("body", "unknown_field", "a GET carries its fields in its query")])
        body = await _body(request) or None
    return Given(request.rel_url.raw_path, request.rel_url.raw_query_string, body)


async def _body(request: web.Request) -> bytes:
    types = request.headers.getall("Content-Type", [])
    if len(types) != 1 or not _JSON.fullmatch(types[0].strip()):
        raise UnsupportedMediaType()
    if any(each.strip().lower() != "identity" for each in request.headers.getall("Content-Encoding", [])):
        raise UnsupportedMediaType("A body comes as it is, not compressed.")
    if (request.content_length or 0) > MAX_BODY:
        raise TooLarge("A body is at most 8 MiB.")
    try:
        async with asyncio.timeout(_BODY_SECONDS):
            return await request.read()
    except TimeoutError:
        raise TooSlow() from None
    except web.RequestPayloadError:
        raise MalformedRequest("The body breaks off or is not in the chunks it says; send it again whole.") from None
    except web.HTTPRequestEntityTooLarge:
        raise TooLarge("A body is at most 8 MiB.") from None
