"""Opening a server on a port and closing it again, the same way for every server."""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from aiohttp import web

from sliceway.errors import BootError, PortTaken
from sliceway.web.connections import Bounds, Entrance

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
    bounds: Bounds | None = None,
) -> AsyncIterator[None]:
    """Serve `app` on a socket of `bound` while the context is open; then let running requests end, and close it.

    :param drain: seconds that running requests have to end.
    :param until_hung_up: stop working on a request once its caller is gone; else it is finished all the same.
    :param bounds: what connections may cost.
    """
    runner = web.AppRunner(app, shutdown_timeout=drain, handler_cancellation=until_hung_up)
    listening: asyncio.Server | None = None
    try:
        await runner.setup()
        entrance = Entrance(runner, bounds or Bounds())
        listening = await asyncio.get_running_loop().create_server(entrance, sock=listener, backlog=_BACKLOG)
        yield
    finally:
        if listening is not None:
            listening.close()
        await runner.cleanup()
        listener.close()
