"""Opening a server on a port and closing it again, the same way for every server."""

from __future__ import annotations

import errno
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from sliceway.errors import BootError, PortTaken

LOOPBACK_ADDRESS = "127.0.0.1"
_BACKLOG = 128


def bound(port: int, host: str = LOOPBACK_ADDRESS) -> socket.socket:
    """Return a socket that listens, so that the address is known before the application is made.

    :param port: 1-65535, or 0 for any free one.
    :param host: the address of one interface, IPv4.
    :raises PortTaken: another program listens there.
    :raises BootError: the address cannot be used for another reason.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
            detail = f"Port {port} on {host} is in use by another program; choose another one with --port, or 0."
            raise PortTaken(detail, port=port) from error
        raise BootError(f"Cannot listen on {host}:{port}: {error}.") from error
    listener.setblocking(False)
    return listener


def port_of(listener: socket.socket) -> int:
    """Return the port that a socket listens on."""
    port: int = listener.getsockname()[1]
    return port


@asynccontextmanager
async def served(
    app: web.Application,
    listener: socket.socket,
    *,
    drain: float = 2.0,
    until_hung_up: bool = False,
    longest_line: int = 8190,
    idle: float = 3630.0,
    unpacks: bool = True,
) -> AsyncIterator[None]:
    """Serve `app` on a socket of `bound` while the context is open; then let running requests end, and close it.

    :param drain: seconds that running requests have to end.
    :param until_hung_up: stop working on a request once its caller is gone; else it is finished all the same.
    :param longest_line: bytes in the first line of a request, or in one header, at most.
    :param idle: seconds after which a connection is closed that sends no whole request.
    :param unpacks: whether a compressed body is unpacked before anyone looks at it.
    """
    runner = web.AppRunner(
        app, access_log=None, shutdown_timeout=drain, handler_cancellation=until_hung_up, max_line_size=longest_line,
        max_field_size=longest_line, keepalive_timeout=idle, auto_decompress=unpacks,
    )  # fmt: skip
    try:
        await runner.setup()
        await web.SockSite(runner, listener).start()
        yield
    finally:
        await runner.cleanup()
        listener.close()
