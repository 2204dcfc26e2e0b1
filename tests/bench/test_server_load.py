"""What a brain's server costs: calls beside its own `/healthz`, that while others read, memory over many requests.

Prints ratios of one run and the load of the machine, and never fails on time.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import pytest

from sliceway.brain.local import open_local
from sliceway.core.principals import Principal
from tests.bench.load import Asked, Spent, loading, timed
from tests.bench.test_brain_speed import READ, WORDS, fill
from tests.bench.test_processes import resident_mb
from tests.e2e.brain_server import Served, brain_server, make_tokens
from tests.fakes.clock import ids

HEALTH: list[Asked] = [("GET", "/healthz", None, None)]
CLIENTS = 8
PARTS, REQUESTS = 10, 10_000
DRAWN = random.Random(11)


@dataclass(frozen=True)
class Measured:
    """A server of 2,000 pages in four slices, and the token of an agent that reads them all."""

    served: Served
    token: str

    @property
    def recalls(self) -> list[Asked]:
        """Searches for three words each."""
        queries = [" ".join(DRAWN.sample(WORDS, k=3)) for _ in range(200)]
        return [("POST", "/v1/recall", self.token, {"query": query}) for query in queries]

    def writes(self, slugs: int = 10**6) -> list[Asked]:
        """Writes of a page each, to so many pages."""
        texts = [(f"w/{at % slugs}", " ".join(DRAWN.choices(WORDS, k=25))) for at in range(300)]
        return [
            ("POST", "/v1/pages", self.token, {"slice": "mine", "pages": [{"slug": slug, "content": text}]})
            for slug, text in texts
        ]

    async def timed(self, asked: list[Asked], count: int, *, pause: float = 0.0) -> Spent:
        """See `load.timed`."""
        return await timed(self.served.url, asked, count, pause=pause)


def _now() -> datetime:
    return datetime.now(UTC)


async def _store(folder: Path) -> str:
    tokens = await make_tokens(folder)
    url = f"sqlite:///{folder / 'brain.db'}"
    async with await open_local(url, sync="normal", clock=_now, new_id=ids()) as door:
        await door.enter(Principal.operator()).set_policy(kb={"ada": ["kb-guide"]})
        for name in READ:
            await door.store.writing(partial(fill, name=name))
    return tokens["ada"]


@pytest.fixture
def measured(tmp_path: Path) -> Iterator[Measured]:
    """A server with much to find."""
    token = asyncio.run(_store(tmp_path))
    with brain_server(tmp_path, SLICEWAY_STORE__SYNC="normal", SLICEWAY_SERVER__RATE_LIMIT="1000000") as served:
        yield Measured(served, token)


def _busy() -> str:
    return f"load of the machine {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


@pytest.mark.bench
@pytest.mark.timeout(300)
async def test_calls_beside_healthz(measured: Measured) -> None:
    """Recall and write over HTTP beside `/healthz` and `whoami` of the same server, one client, one connection."""
    await measured.timed(measured.recalls, 50)
    alone = await measured.timed(HEALTH, 500)
    print(f"\n/healthz: {alone}; {_busy()}")
    whoami: list[Asked] = [("GET", "/v1/whoami", measured.token, None)]
    for name, asked in (("whoami", whoami), ("recall", measured.recalls), ("write", measured.writes())):
        spent = await measured.timed(asked, 300)
        print(f"{name}: {spent}; {spent.p50 / alone.p50:.1f} and {spent.p95 / alone.p95:.1f} times /healthz")


@pytest.mark.bench
@pytest.mark.timeout(300)
async def test_healthz_while_others_read(measured: Measured) -> None:
    """Target: p95 of `/healthz`, asked every 5 ms, at most 5 times as long while 8 clients of another process search
    without a pause as while nobody does. Beside it the same while those 8 ask for `/healthz`: what it costs that the
    machine is busy."""
    await measured.timed(measured.recalls, 50)
    for _ in range(3):
        alone = await measured.timed(HEALTH, 1500, pause=0.005)
        print(f"\n/healthz alone: {alone}; {_busy()}")
        for name, asked in (("ask for /healthz", HEALTH), ("search", measured.recalls)):
            with loading(measured.served.url, CLIENTS, asked):
                await measured.timed(measured.recalls, 20)
                spent = await measured.timed(HEALTH, 1500, pause=0.005)
            print(f"while {CLIENTS} {name}: {spent}; {spent.p95 / alone.p95:.1f} times")


@pytest.mark.bench
@pytest.mark.timeout(1800)
async def test_memory_over_many_requests(measured: Measured) -> None:
    """Target: flat over 100,000 requests of every kind, those that are refused included. Beside what is resident, which
    holds the pages of the store's file that the kernel has mapped, the part that is the process's own."""
    mixed: list[Asked] = [
        ("GET", "/v1/whoami", measured.token, None), ("GET", "/v1/pages/shared/n%2F7", measured.token, None),
        ("GET", "/v1/pages?limit=5", measured.token, None), ("GET", "/v1/pages/shared/none", measured.token, None),
        ("GET", "/v1/whoami", "slw_guess", None), ("POST", "/v1/recall", measured.token, {"nonsense": "x" * 2000}),
        ("GET", "/healthz", None, None), ("GET", "/v1/changes", measured.token, None),
    ]  # fmt: skip
    asked = [each for at, recall in enumerate(measured.recalls) for each in (
        *mixed, ("GET", f"/v1/pages/agent-x{at}/n", measured.token, None), recall, *measured.writes(50)[at : at + 1]
    )]  # fmt: skip
    pid = measured.served.process.pid
    print(f"\nat the start: {resident_mb(pid):.0f} MB resident, {resident_mb(pid, 'RssAnon'):.0f} MB its own")
    for part in range(1, PARTS + 1):
        with loading(measured.served.url, CLIENTS, asked, REQUESTS) as process:
            assert process.stdout is not None
            answered = await asyncio.to_thread(process.stdout.read)
        statuses = {int(status): count for status, count in json.loads(answered).items()}
        assert sum(statuses.values()) == REQUESTS
        assert max(statuses) < 500
        held = f"{resident_mb(pid):.0f} MB resident, {resident_mb(pid, 'RssAnon'):.0f} MB its own"
        print(f"after {part * REQUESTS:,}: {held}; {statuses}; {_busy()}")
