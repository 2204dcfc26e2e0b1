"""Clients of a brain's server that cost little themselves: raw HTTP on kept connections, here or in another process.

As a program: `python -m tests.bench.load URL CLIENTS COUNT` reads requests as JSON lines from stdin, each
`[method, path, token, body]`, sends them in turn from so many connections until COUNT are answered, and prints how many
answers each status got.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from yarl import URL

Asked = tuple[str, str, str | None, Any]
"""Method, path, token and body."""


@dataclass(frozen=True, slots=True)
class Spent:
    """How long requests took, in milliseconds."""

    p50: float
    p95: float

    def __str__(self) -> str:
        """Return both, in words."""
        return f"p50 {self.p50:.1f} ms, p95 {self.p95:.1f} ms"


class Connection:
    """One kept connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Take what `connected` opened."""
        self._reader, self._writer = reader, writer

    async def ask(self, asked: Asked) -> int:
        """Send a request, read the answer whole, return its status."""
        method, path, token, body = asked
        raw = json.dumps(body).encode() if body is not None else b""
        kind = f"Content-Type: application/json\r\nContent-Length: {len(raw)}\r\n" if body is not None else ""
        shown = f"Authorization: Bearer {token}\r\n" if token is not None else ""
        self._writer.write(f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{shown}{kind}\r\n".encode() + raw)
        head = await self._reader.readuntil(b"\r\n\r\n")
        length = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        await self._reader.readexactly(length)
        return int(head[9:12])

    def close(self) -> None:
        """Let go of it."""
        self._writer.close()


async def connected(url: str) -> Connection:
    """Open a connection."""
    address = URL(url)
    return Connection(*await asyncio.open_connection(address.host, address.port))


async def timed(url: str, asked: list[Asked], count: int, *, pause: float = 0.0) -> Spent:
    """Return how long requests take one after the other on one connection, with so many seconds between them."""
    one, spent = await connected(url), []
    for _, each in zip(range(count), cycle(asked), strict=False):
        if pause:
            await asyncio.sleep(pause)
        began = time.perf_counter()
        status = await one.ask(each)
        spent.append((time.perf_counter() - began) * 1e3)
        assert status < 500
    one.close()
    return Spent(statistics.median(spent), sorted(spent)[int(len(spent) * 0.95)])


@contextmanager
def loading(url: str, clients: int, asked: list[Asked], count: int = 10**9) -> Iterator[subprocess.Popen[str]]:
    """Have so many clients ask in a process of their own, until they got `count` answers or the context ends."""
    command = [sys.executable, "-m", "tests.bench.load", url, str(clients), str(count)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        process.stdin.write("".join(json.dumps(each) + "\n" for each in asked))
        process.stdin.close()
        try:
            yield process
        finally:
            process.kill()


async def _loaded(url: str, clients: int, asked: list[Asked], count: int) -> Counter[int]:
    left, statuses = iter(range(count)), Counter[int]()

    async def client(at: int) -> None:
        one = await connected(url)
        mine = cycle(asked[at:] + asked[:at])
        for _ in left:
            statuses[await one.ask(next(mine))] += 1
        one.close()

    await asyncio.gather(*(client(at) for at in range(clients)))
    return statuses


if __name__ == "__main__":
    lines: list[Asked] = [tuple(json.loads(line)) for line in sys.stdin]
    answered = asyncio.run(_loaded(sys.argv[1], int(sys.argv[2]), lines, int(sys.argv[3])))
    print(json.dumps(answered), flush=True)
