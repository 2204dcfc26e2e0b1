"""The arithmetic of the capacity model that docs/scale.md shows, against queues whose waits are known."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.bench.capacity import Call, Company, Costs, Machines, calls, grown, looks, pages_a_day, replayed, waits

COSTS = Costs(
    recall_server=0.0, recall_database=10.0, posting_server=0.0, posting_database=0.01, write_server=0.0,
    write_database=10.0, poll_server=0.0, poll_database=1.0,
    poll_every_s=1.0, page_bytes=1000.0,
)  # fmt: skip


@pytest.mark.parametrize("busy", [0.3, 0.6, 0.8])
def test_one_processor_waits_as_long_as_theory_says(busy: float) -> None:
    """One server of fixed time with Poisson arrivals: the mean wait is busy x service / (2 (1 - busy)), by Pollaczek
    and Khinchine."""
    drawn, at, arriving = random.Random(7), 0.0, []
    for _ in range(200_000):
        at += drawn.expovariate(busy / 0.010)
        arriving.append(Call(at, None))
    waited, worked = waits(arriving, COSTS, Machines(database=1, servers=1))
    assert sum(waited) / len(waited) == pytest.approx(busy * 10.0 / (2 * (1 - busy)), rel=0.05)
    assert worked["database"] / (at * 1e3) == pytest.approx(busy, rel=0.02)


def test_writes_of_one_slice_wait_for_each_other_and_no_others() -> None:
    """Two writes of one slice run one after the other though processors are free; a third slice and a read do not."""
    arriving = [Call(0.0, 1), Call(0.0, 1), Call(0.0, 2), Call(0.0, None)]
    waited, worked = waits(arriving, COSTS, Machines(database=8, servers=8))
    assert waited == [0.0, 10.0, 0.0, 0.0]
    assert worked == {"database": 40.0, "servers": 0.0, "slice": 20.0}


def test_a_recall_costs_by_what_it_reads() -> None:
    """A thousand rows of the index more cost a thousand times what one costs."""
    assert COSTS.recall(1250) == pytest.approx((0.0, 20.0))
    waited, worked = waits([Call(0.0, None), Call(0.0, None)], COSTS, Machines(database=1), postings=1250)
    assert waited == pytest.approx([0.0, 20.0])
    assert worked["database"] == pytest.approx(40.0)


def test_the_servers_come_before_the_database() -> None:
    """A call waits for a processor of each in turn."""
    costs = Costs(4.0, 10.0, 0.0, 0.0, 4.0, 10.0, 0.0, 0.0, 1.0, 0.0)
    waited, _ = waits([Call(0.0, None), Call(0.0, None)], costs, Machines(database=1, servers=1))
    assert waited == [0.0, 10.0]  # the second is served from 4 to 8 and waits for the database until 14


def test_looks_for_news_take_their_part_of_the_database() -> None:
    """Polls slow the database by what they take, and above all of it nothing is served."""
    waited, worked = waits([Call(0.0, None), Call(0.0, None)], COSTS, Machines(database=1), polls=500)
    assert (waited, worked["database"]) == ([0.0, 20.0], 20.0)
    assert waits([Call(0.0, None)], COSTS, Machines(database=1), polls=1000)[0] == [float("inf")]


def test_looks_for_news_take_their_part_of_the_servers_too() -> None:
    """At half of a server's time for looks, a call takes twice as long there, and the part is counted."""
    costs = replace(COSTS, recall_server=4.0, poll_server=1.0, poll_database=0.0)
    assert looks(costs, Machines(servers=2), 1000) == (0.5, 0.0)
    waited, worked = waits([Call(0.0, None), Call(0.0, None)], costs, Machines(database=8, servers=1), polls=500)
    assert (waited, worked["servers"]) == ([0.0, 8.0], 8.0)
    busy = replayed(Company(), replace(costs, recall_server=0.0), Machines(servers=1), seconds=60)
    assert busy.servers == pytest.approx(0.528, rel=0.01)  # each of 500 looks once a second, and at each change


def test_calls_come_as_often_as_the_company_makes_them() -> None:
    """An hour has its share of the day; each kind has its rate; slices are agents', the team's and people's."""
    company = Company(people=2000, agents=10, background=0.0)
    made = list(calls(company, 9, random.Random(3)))
    turns = 2000 * 10 * 12 / 119
    writes = [one.slice for one in made if one.slice is not None]
    assert len(made) - len(writes) == pytest.approx(turns * 1.5, rel=0.1)
    assert len(writes) == pytest.approx(turns * (0.3 + 2 * 0.005), rel=0.15)
    private = [one for one in writes if one > 10]
    assert len(private) / len(writes) == pytest.approx(0.06 / 0.31, rel=0.25)
    assert writes.count(0) > 3 * writes.count(9)
    assert [one.at for one in made] == sorted(one.at for one in made)
    assert pages_a_day(Company()) == pytest.approx(20_000 * 10 * 0.305 + 500 * 100)


def test_a_company_grows_until_something_is_the_limit() -> None:
    """A company that fits has no limit, twenty times it names the first part; the same seed says the same."""
    small = replayed(Company(), COSTS, Machines(database=8, servers=8), seconds=60)
    assert small.limit is None
    assert small == replayed(Company(), COSTS, Machines(database=8, servers=8), seconds=60)
    large = replayed(grown(Company(), 20), COSTS, Machines(database=8, servers=8), seconds=60)
    assert large.limit == "database"
    assert large.p95 > small.p95
