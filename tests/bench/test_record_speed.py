"""How fast the record as a whole is handled: prints numbers, never fails on time."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from sliceway.brain.local import open_local
from sliceway.core.principals import Principal
from sliceway.wire.record_lines import bytes_of
from sliceway.wiring.fresh import now
from tests.bench.test_brain_speed import note
from tests.fakes.clock import ids

PAGES = 20_000


async def _load() -> AsyncIterator[bytes]:
    for at in range(PAGES):
        page = {"slice": "kb-guide", "slug": f"n/{at}", "content": note()}
        yield json.dumps({"page": page}).encode() + b"\n"


async def _rate(what: str, events: int, act: Callable[[], Awaitable[object]]) -> None:
    began, cpu = time.perf_counter(), time.process_time()
    await act()
    spent, cpu = time.perf_counter() - began, time.process_time() - cpu
    print(f"\n{what}: {events / spent:,.0f} events/s, {cpu / events * 1e3:.2f} ms of CPU each", end="")


@pytest.mark.bench
@pytest.mark.timeout(900)
async def test_the_record_of_20k_pages(tmp_path: Path) -> None:
    """Target: 2,000 pages/s taken in, 25 words each."""
    one, two = (f"sqlite:///{tmp_path / name}" for name in ("a.db", "b.db"))
    async with (
        await open_local(one, sync="normal", clock=now, new_id=ids()) as door,
        await open_local(two, sync="normal", clock=now, new_id=ids()) as other,
    ):
        operator = door.enter(Principal.operator())
        await _rate("import of pages", PAGES, lambda: operator.import_(_load()))
        await _rate("verify", PAGES, operator.verify)
        await _rate("rebuild", PAGES, operator.rebuild)
        file: list[bytes] = []

        async def exported() -> None:
            file.extend([bytes_of(line) async for line in operator.export()])

        async def given() -> AsyncIterator[bytes]:
            for line in file:
                yield line

        await _rate("export", PAGES, exported)
        await _rate("restore", PAGES, lambda: other.enter(Principal.operator()).import_(given()))
    print()
