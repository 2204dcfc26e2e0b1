"""Many writers of one PostgreSQL: prints how long the slowest write waited, and fails on nothing but a loss."""

from __future__ import annotations

import time

import pytest

pytest.importorskip("psycopg")

from tests.contract.test_processes_postgres import writes
from tests.fakes.clock import HandClock
from tests.fakes.postgres import Made


@pytest.mark.bench
@pytest.mark.timeout(600)
async def test_br12_twenty_processes_of_two_hundred_writes(postgres: Made, clock: HandClock) -> None:
    """BR12: 20 processes x 200 writes into one slice: 4,000 pages, one unbroken chain."""
    began = time.monotonic()
    worst = await writes(postgres, clock, 20, 200)
    print(f"\n20 x 200 writes on PostgreSQL: {time.monotonic() - began:.0f} s, none lost, the worst took {worst:.2f} s")
