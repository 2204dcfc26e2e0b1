"""What row-level security costs a recall on PostgreSQL: prints it, and judges no time."""

from __future__ import annotations

import os
import statistics
import time

import pytest

pytest.importorskip("psycopg")

from sliceway.brain.local import open_local
from sliceway.core.principals import Principal
from sliceway.wiring.fresh import new_id, now
from tests.bench import figures
from tests.bench.growing import Place, filled, readable
from tests.bench.test_brain_speed import DRAWN, WORDS
from tests.fakes.postgres import Made

PAGES = int(os.environ.get("SLICEWAY_BENCH_PAGES", "100000"))
ROUNDS, ASKED = 40, 10


@pytest.mark.bench
@pytest.mark.timeout(1500)
async def test_what_the_walls_cost_a_recall(postgres: Made) -> None:
    """Target: at most 2 ms of a recall at 100k pages. The same questions as the app's login, which the policies hold,
    and as a superuser, who stands above them and whose transactions are told of no access, in turn; one answer."""
    place = Place(postgres.url, postgres.owner_url)
    await filled(place, readable(), PAGES)
    spent: dict[str, list[float]] = {"app": [], "owner": []}
    async with (
        await open_local(postgres.url, clock=now, new_id=new_id) as walled,
        await open_local(postgres.owner_url, clock=now, new_id=new_id) as bare,
    ):
        bare.database.walled = False
        brains = {"app": walled.enter(Principal.agent("ada")), "owner": bare.enter(Principal.agent("ada"))}
        for turn in range(ROUNDS + 1):
            questions = [" ".join(DRAWN.sample(WORDS, k=3)) for _ in range(ASKED)]
            answers: dict[str, list[object]] = {}
            for name in sorted(brains, reverse=bool(turn % 2)):
                answers[name] = []
                for question in questions:
                    began = time.perf_counter()
                    answers[name].append((await brains[name].recall(query=question)).hits)
                    if turn:
                        spent[name].append((time.perf_counter() - began) * 1e3)
            assert answers["app"] == answers["owner"]
    p50 = {name: statistics.median(each) for name, each in spent.items()}
    row = {
        "pages": PAGES, "with the walls, ms": round(p50["app"], 2), "without, ms": round(p50["owner"], 2),
        "they cost, ms": round(p50["app"] - p50["owner"], 2),
    }  # fmt: skip
    print(f"\n{row}; {figures.machine()}; load {figures.busy()}")
    figures.keep(
        "walls",
        "What row-level security costs a recall",
        [row],
        notes=[f"Medians of {ROUNDS * ASKED} recalls each, in turn."],
    )
