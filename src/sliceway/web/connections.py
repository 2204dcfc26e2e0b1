"""The connections of a server: how many there are, how long each may keep it waiting, and what is told to whom sends no
HTTP. Nothing of what a stranger sends reaches an answer, or the log above debug."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from dataclasses import dataclass
from typing import Any, cast

from aiohttp import web
from aiohttp.web_protocol import RequestHandler

from sliceway.core.traces import frames_of
from sliceway.errors import MalformedRequest, SlicewayError, Unavailable
from sliceway.web.problems import BROKEN, problem, problem_response

log = logging.getLogger(__name__)

_AGAIN_S = 60.0
_LEAVING_S = 1.0
_MOST_LEAVING = 64


@dataclass(frozen=True, slots=True)
class Bounds:
    """What connections may cost.

    :ivar most: connections at once; one more is answered 503 and closed.
    :ivar idle: seconds after which a connection is closed that sent no whole head of a request, since it began or since
        the last answer, however often it sends a byte.
    :ivar lingering: seconds for the rest of a body that nobody reads.
    :ivar stuck: seconds after which a connection is closed that takes nothing of its answer.
    :ivar longest_line: bytes in the first line of a request, or in one header.
    :ivar unpacks: whether a compressed body is unpacked before anyone looks at it.
    """

    most: int = 500
    idle: float = 75.0
    lingering: float = 10.0
    stuck: float = 60.0
    longest_line: int = 8190
    unpacks: bool = True


class Entrance:
    """Makes the protocol of each new connection of a runner's server."""

    def __init__(self, runner: web.AppRunner, bounds: Bounds) -> None:
        """Stand before `runner`, which is set up by the time anybody comes."""
        self._runner, self._bounds = runner, bounds
        self._leaving = 0
        self._told = float("-inf")

    def __call__(self) -> asyncio.Protocol:
        """Return the protocol of a connection that was just accepted."""
        return _Knock(self)

    def admit(self, transport: asyncio.Transport) -> None:
        """Let a connection in, or send it away where there are as many as may be."""
        server = self._runner.server
        if server is None:
            transport.abort()
        elif len(server.connections) >= self._bounds.most:
            self._send_away(transport)
        else:
            _bound_sending(transport, self._bounds.stuck)
            bounds, loop = self._bounds, asyncio.get_running_loop()
            connection = _Connection(
                server, loop=loop, access_log=cast("Any", None), keepalive_timeout=bounds.idle,
                lingering_time=bounds.lingering, max_line_size=bounds.longest_line, max_field_size=bounds.longest_line,
                auto_decompress=bounds.unpacks,
            )  # fmt: skip
            transport.set_protocol(connection)
            connection.connection_made(transport)

    def _send_away(self, transport: asyncio.Transport) -> None:
        loop = asyncio.get_running_loop()
        if loop.time() - self._told >= _AGAIN_S:
            self._told = loop.time()
            log.warning("%d connections are open, as many as may be; new ones are answered 503", self._bounds.most)
        if self._leaving >= _MOST_LEAVING:
            transport.abort()
            return
        self._leaving += 1
        # What came unread would make the close a reset, and the answer would be lost: so the rest is read for a moment.
        transport.write(_full())
        transport.write_eof()
        loop.call_later(_LEAVING_S, self._left, transport)

    def _left(self, transport: asyncio.Transport) -> None:
        self._leaving -= 1
        transport.abort()


class _Knock(asyncio.Protocol):
    """A connection that nobody looked at yet, or that is sent away and read to its end."""

    def __init__(self, entrance: Entrance) -> None:
        self._entrance = entrance

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._entrance.admit(cast("asyncio.Transport", transport))


class _Connection(RequestHandler):
    """A connection whose broken requests are answered in our words, and logged without theirs."""

    __slots__ = ()

    def handle_error(
        self,
        request: web.BaseRequest,
        status: int = 500,
        exc: BaseException | None = None,
        message: str | None = None,
    ) -> web.StreamResponse:
        """Answer what is no request, or what broke outside of every handler; the connection ends with it."""
        if status < 500:
            log.debug("what came is no request: %s", type(exc).__name__)
            error: SlicewayError = MalformedRequest()
        else:
            self.log_exception(exc_info=exc)
            error = SlicewayError(BROKEN)
        if request.writer.output_size > 0:
            raise ConnectionError("the answer had begun")
        response = problem_response(error)
        response.headers["Server"] = "sliceway"
        response.force_close()
        return response

    def log_exception(self, *args: Any, **kw: Any) -> None:
        """Log that something broke, by the way it came and without its message (OP3)."""
        error = kw.get("exc_info")
        where = frames_of(error) if isinstance(error, Exception) else type(error).__name__
        log.error("a request failed outside of its handler: %s", where)
        log.debug("a request failed outside of its handler", exc_info=error)


def _bound_sending(transport: asyncio.Transport, seconds: float) -> None:
    """Have the kernel end a connection whose other side takes nothing for so long, where it can."""
    ours = transport.get_extra_info("socket")
    if ours is not None and hasattr(socket, "TCP_USER_TIMEOUT"):
        ours.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(seconds * 1000))


def _full() -> bytes:
    error = Unavailable("This server has as many connections as it takes; try again in a moment.", retry_after=1)
    body = json.dumps(problem(error)).encode()
    head = (
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\nRetry-After: 1\r\n"
        f"Server: sliceway\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
