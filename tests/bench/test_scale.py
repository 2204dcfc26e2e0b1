"""What a call costs on PostgreSQL, and what a company of that size asks of it: the constants and the tables of
docs/scale.md. Prints, and judges no time."""

from __future__ import annotations

import json
import os
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("psycopg")

import psycopg

from sliceway.brain.local import LocalDoor, open_local
from sliceway.core.principals import Principal
from sliceway.store.bell import _LOOK_ANYWAY
from sliceway.wiring.fresh import new_id, now
from tests.bench import figures
from tests.bench.capacity import MEASURED_POSTINGS, Company, Costs, Machines, grown, pages_a_day, replayed
from tests.bench.test_brain_speed import DRAWN, READ, WORDS, note
from tests.contract.office import gateway, settle
from tests.fakes.postgres import Made

pytestmark = [pytest.mark.bench, pytest.mark.timeout(1500)]

PAGES = int(os.environ.get("SLICEWAY_BENCH_PAGES", "20000"))
ROUNDS = 300
_IN_SLICE, _LARGE = 500, 8000
"""Pages of a slice, and of the mind of one agent that remembers much."""
_TICK = os.sysconf("SC_CLK_TCK")


class _Database:
    """The server's processes that work for one database."""

    def __init__(self, made: Made) -> None:
        self._owner = psycopg.connect(made.owner_url, autocommit=True)

    def spent(self) -> float:
        """Return the processor time of the connections that stand, in seconds."""
        rows = self._owner.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchall()
        return sum(_cpu(pid) for (pid,) in rows)

    def sizes(self) -> dict[str, int]:
        """Return the bytes of each table with its indexes."""
        rows = self._owner.execute(
            "SELECT relname, pg_total_relation_size(relid) FROM pg_stat_user_tables WHERE pg_relation_size(relid) > 0"
        ).fetchall()
        return dict(sorted(rows, key=lambda row: -row[1]))

    def close(self) -> None:
        self._owner.close()


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK


@contextmanager
def _looking_at(made: Made) -> Iterator[_Database]:
    database = _Database(made)
    try:
        yield database
    finally:
        database.close()


async def _lines() -> AsyncIterator[bytes]:
    others = (PAGES - _LARGE) // _IN_SLICE - len(READ)
    counts = dict.fromkeys([*READ, *(f"agent-x{at}" for at in range(others))], _IN_SLICE) | {"agent-large": _LARGE}
    for name, count in counts.items():
        for at in range(count):
            page = {"slice": name, "slug": f"n/{at}", "content": note()}
            yield json.dumps({"page": page}).encode() + b"\n"


async def _costs(database: _Database, act: Callable[[int], Awaitable[object]]) -> tuple[float, float]:
    """Return the processor time of a call, here and in the database, in milliseconds."""
    for at in range(20):
        await act(-1 - at)
    here, there = time.process_time(), database.spent()
    for at in range(ROUNDS):
        await act(at)
    return (time.process_time() - here) / ROUNDS * 1e3, (database.spent() - there) / ROUNDS * 1e3


def _asked() -> str:
    return " ".join(DRAWN.sample(WORDS, k=3))


async def _measured(door: LocalDoor, made: Made) -> tuple[Costs, dict[str, Any]]:
    await settle(door)
    operator = door.enter(Principal.operator())
    await operator.set_policy(kb={"ada": ["kb-guide"]})
    report = await operator.import_(_lines())
    assert report.errors == ()
    ada = door.enter(Principal.agent("ada"))
    large = door.enter(Principal.agent("large"))
    asker = gateway(door)
    after = (await asker.changes()).cursor
    with psycopg.connect(made.owner_url, autocommit=True) as owner:
        owner.execute("VACUUM ANALYZE")
    with _looking_at(made) as database:
        sizes = database.sizes()
        recall = await _costs(database, lambda _: ada.recall(query=_asked(), slices=READ))
        more = await _costs(database, lambda _: large.recall(query=_asked(), slices=["mine"]))
        write = await _costs(
            database, lambda at: ada.write_pages(slice="mine", pages=[{"slug": f"w/{at % 1000}", "content": note()}])
        )
        poll = await _costs(database, lambda _: asker.changes(after=after))
    # A word stands in as many pages of a slice as of any other.
    rows = MEASURED_POSTINGS * (_LARGE / (len(READ) * _IN_SLICE) - 1)
    costs = Costs(
        *recall, (more[0] - recall[0]) / rows, (more[1] - recall[1]) / rows, *write, *poll, _LOOK_ANYWAY,
        sum(sizes.values()) / PAGES,
    )  # fmt: skip
    return costs, {name: round(size / PAGES) for name, size in sizes.items() if size / PAGES > 5}


async def test_what_one_postgresql_carries(postgres: Made) -> None:
    """20,000 people and 500 agents, and as many more until something is too busy: utilisation and waits at the busiest
    hour, with the costs that were measured just before."""
    async with await open_local(postgres.url, clock=now, new_id=new_id) as door:
        costs, sizes = await _measured(door, postgres)
    print(f"\n{figures.machine()}; load {figures.busy()}; {PAGES:,} pages of 25 words")
    print({name: round(value, 4) for name, value in asdict(costs).items()})
    print(f"bytes a page, indexes included: {sizes}")
    machines, rows = Machines(), []
    for times in (0.1, 0.5, 1, 2, 4, 8, 16, 32, 64):
        company, seconds = grown(Company(), times), max(600 / max(times, 1), 60.0)
        outcome = replayed(company, costs, machines, seconds=seconds)
        rows.append(
            {
                "people": company.people, "agents": company.agents, "calls/s": round(outcome.calls / seconds),
                "writes/s": round(outcome.writes / seconds, 1), "database busy": f"{outcome.database:.0%}",
                "servers busy": f"{outcome.servers:.0%}", "busiest slice held": f"{outcome.hottest_slice:.1%}",
                "waits p95, ms": round(max(outcome.p95, 0.0), 1), "p99": round(max(outcome.p99, 0.0), 1),
                "GB a year": round(pages_a_day(company) * 250 * costs.page_bytes / 1e9),
                "first limit": outcome.limit or "-",
            }
        )  # fmt: skip
        print(rows[-1])
        if outcome.limit:
            break
    figures.keep("scale", "What one PostgreSQL carries", rows, notes=[f"Costs, ms: {asdict(costs)}."])
