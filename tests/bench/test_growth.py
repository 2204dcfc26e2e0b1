"""What a read costs as the store grows, and as what is read grows: prints figures, judges none (FR10).

`SLICEWAY_BENCH_STORES` names the sizes of the stores, by default 10000 and 100000 (`10000,100000,1000000` takes an hour
and some ten gigabytes); `SLICEWAY_BENCH_READ` those of what is read, by default 500, 2000, 8000 and 32000.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sliceway.core.principals import Principal
from sliceway.ports import Brain
from tests.bench import figures
from tests.bench.growing import Drawn, Place, filled, readable, sqlite_at
from tests.bench.test_brain_speed import WORDS
from tests.conftest import require

pytestmark = [pytest.mark.bench, pytest.mark.timeout(7200)]

STORES = [int(size) for size in os.environ.get("SLICEWAY_BENCH_STORES", "10000,100000").split(",")]
READS = [int(size) for size in os.environ.get("SLICEWAY_BENCH_READ", "500,2000,8000,32000").split(",")]
ROUNDS, ASKED = 20, 10
"""Rounds, and questions of three words that each store is asked in a round."""
WORDS_ALONE, MEANING = "by words", "with meaning"
_ENGINES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
_NOTES = (
    "Medians of a process that asks one question after another, all in turn in every round; three words, ten hits.",
    "With meaning: the vectors of pages and questions are drawn beforehand, so that no model is in the figure.",
    "CPU is that of the asking process. The server of PostgreSQL is one for tests, with 64 MB of shared buffers.",
    "Pages that nobody asks for are copies of sixteen slices, of every table, vectors too.",
)


@dataclass
class _Spent:
    """Milliseconds of each call, and CPU time of all."""

    calls: list[float] = field(default_factory=list)
    cpu: float = 0.0

    @property
    def median(self) -> float:
        return statistics.median(self.calls)

    @property
    def late(self) -> float:
        return sorted(self.calls)[int(len(self.calls) * 0.95)]


Asked = tuple[Brain, list[str] | None]
"""A brain, and which slices are read: None for all that may be."""


@pytest.mark.parametrize("engine", list(_ENGINES))
async def test_growth_of_the_store(tmp_path: Path, engine: str, request: pytest.FixtureRequest) -> None:
    """Target: p50 over the same readable 4 x 500 at a million pages in the store no more than 1.3 times that at 10k; by
    words under 1 ms and with meaning under 2 ms at 100k, on both engines."""
    async with AsyncExitStack() as stack:
        sizes: dict[str, dict[int, Asked]] = {WORDS_ALONE: {}, MEANING: {}}
        for size in STORES:
            place = _place(stack, tmp_path, engine, f"store-{size}", request)
            await filled(place, readable(), size)
            for how in sizes:
                door = await stack.enter_async_context(await place.open(semantic=how == MEANING))
                sizes[how][size] = (door.enter(Principal.agent("ada")), None)
        spent = await _rounds(sizes)
    for size in STORES:
        row = {"": f"{_ENGINES[engine]}, {size:,} pages in the store"} | _columns(spent, size, STORES[0])
        figures.add("growth", "The same 2,000 readable pages in a growing store", row, notes=_NOTES)
        print(f"\n{row}", end="")
    print(f"\n{figures.machine()}; load {figures.busy()}")


@pytest.mark.parametrize("engine", list(_ENGINES))
async def test_growth_of_what_is_read(tmp_path: Path, engine: str, request: pytest.FixtureRequest) -> None:
    """One store, of which ever more is read: four slices each time."""
    slices = {f"kb-{size}-{at}": size // 4 for size in READS for at in range(4)}
    async with AsyncExitStack() as stack:
        place = _place(stack, tmp_path, engine, "store", request)
        await filled(place, slices, max(STORES[-1] if len(STORES) == 1 else STORES[1], sum(slices.values())))
        sizes: dict[str, dict[int, Asked]] = {}
        for how in (WORDS_ALONE, MEANING):
            door = await stack.enter_async_context(await place.open(semantic=how == MEANING))
            brain = door.enter(Principal.agent("ada"))
            sizes[how] = {size: (brain, [f"kb-{size}-{at}" for at in range(4)]) for size in READS}
        spent = await _rounds(sizes)
    for size in READS:
        row = {"": f"{_ENGINES[engine]}, {size:,} pages read"} | _columns(spent, size, READS[0])
        figures.add("growth_of_what_is_read", "A growing readable set in one store", row, notes=_NOTES)
        print(f"\n{row}", end="")
    print(f"\n{figures.machine()}; load {figures.busy()}")


def _place(stack: AsyncExitStack, folder: Path, engine: str, name: str, request: pytest.FixtureRequest) -> Place:
    """Return where a store is to be, until the stack is closed."""
    if engine == "sqlite":
        return sqlite_at(folder, name)
    request.getfixturevalue("_postgres_server")
    require("psycopg")
    from tests.fakes.postgres import database

    made = stack.enter_context(database(empty=False))
    return Place(made.url, made.owner_url)


async def _rounds(sizes: Mapping[str, Mapping[int, Asked]]) -> dict[str, dict[int, _Spent]]:
    """Ask every store in turn, by words and with meaning."""
    drawn = random.Random(11)
    spent = {how: {size: _Spent() for size in of} for how, of in sizes.items()}
    stand = [(how, size) for how, of in sizes.items() for size in of]
    for turn in range(ROUNDS + 1):
        questions = [" ".join(drawn.sample(WORDS, k=3)) for _ in range(ASKED)]
        first = turn % len(stand)
        for how, size in [*stand[first:], *stand[:first]]:
            brain, slices = sizes[how][size]
            await Drawn().embed_pages(questions)  # drawn now, and known afterwards
            cpu, calls = time.process_time(), []
            for question in questions:
                began = time.perf_counter()
                found = await brain.recall(query=question, slices=slices)
                calls.append((time.perf_counter() - began) * 1e3)
                assert found.degraded == (("vectors",) if how == WORDS_ALONE else ())
            if turn:  # what is read once and kept is read in the round before the first
                spent[how][size].calls += calls
                spent[how][size].cpu += (time.process_time() - cpu) * 1e3
    return spent


def _columns(spent: Mapping[str, Mapping[int, _Spent]], size: int, smallest: int) -> dict[str, float]:
    """Return what a table says of one size."""
    row: dict[str, float] = {f"{how}, ms": round(of[size].median, 2) for how, of in spent.items()}
    for how, of in spent.items():
        one = of[size]
        row[f"{how}, times the smallest"] = round(one.median / of[smallest].median, 2)
        row[f"{how}, 95th of a hundred in ms"] = round(one.late, 2)
        row[f"{how}, CPU in ms"] = round(one.cpu / len(one.calls), 2)
    return row
