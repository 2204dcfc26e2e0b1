"""A server of raw bytes on a real socket: what no library would send, and when."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

Answer = Callable[[asyncio.StreamWriter], Awaitable[None]]
"""Writes what one request is answered with; the connection stays open unless it closes it."""


@dataclass
class RawServer:
    """What came in, by connection, and what to answer: the answers in turn, the last one for ever."""

    answers: list[Answer]
    address: str = ""
    requests: list[tuple[int, bytes]] = field(default_factory=list)
    connections: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection until it ends."""
        self.connections += 1
        me = self.connections
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = next(
                    (int(line[15:]) for line in head.lower().split(b"\r\n") if line[:15] == b"content-length:"), 0
                )
                self.requests.append((me, head + await reader.readexactly(length)))
                answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
                await answer(writer)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def raw_server(*answers: Answer) -> AsyncIterator[RawServer]:
    """Serve these answers on an ephemeral port of this machine while the context is open."""
    made = RawServer(list(answers))
    listening = await asyncio.start_server(made.serve, "127.0.0.1", 0)
    made.address = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    try:
        yield made
    finally:
        listening.close()
        await listening.wait_closed()


def says(body: bytes, *, promised: int | None = None, status: str = "200 OK", more: str = "") -> Answer:
    """Return an answer of JSON; `promised` bytes instead of as many as there are."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        length = len(body) if promised is None else promised
        writer.write(f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{more}".encode())
        writer.write(f"Content-Length: {length}\r\n\r\n".encode() + body)
        if promised is not None:
            writer.close()

    return answer


async def hangs_up(writer: asyncio.StreamWriter) -> None:
    """Close the connection without a word."""
    writer.close()


async def drips(writer: asyncio.StreamWriter) -> None:
    """Send a promising beginning, then a byte at a time, for ever."""
    writer.write(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"items": [')
    while not writer.is_closing():
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.01)


async def says_nothing(_writer: asyncio.StreamWriter) -> None:
    """Take the request and never answer."""
