"""A model of what one PostgreSQL carries: a company, what its calls cost, and the machines, replayed call by call.

Each call needs a processor of a brain's server, then one of the database; a write also holds its slice alone while it
is there. Calls come as a Poisson process that follows the hours of a day. What is asked for is how long they wait.
"""

from __future__ import annotations

import heapq
import math
import random
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple

HOURS = (1, 1, 1, 1, 1, 1, 2, 4, 8, 12, 12, 10, 7, 10, 12, 11, 9, 6, 3, 2, 2, 1, 1, 1)
"""How a working day's calls fall on its hours, one time zone."""


@dataclass(frozen=True, slots=True)
class Company:
    """Who is there and what they do: assumptions, to be replaced by one's own."""

    people: int = 20_000
    agents: int = 500
    turns: float = 10.0
    """A day's messages of one person to agents."""
    recalls: float = 1.5
    """Recalls for a message."""
    writes: float = 0.3
    """Pages saved for a message, into the agent's mind or the person's corner."""
    private: float = 0.2
    """The share of those that land in the person's own corner."""
    shared: float = 0.005
    """Pages for the team for a message: a proposal, and its decision that writes."""
    background: float = 100.0
    """A day's pages that one agent saves without being spoken to, spread over the whole day."""
    postings: float = 250.0
    """Rows of the index that a recall reads: how many readable pages have each of its words, summed up."""
    skew: float = 1.0
    """How unequal agents are: the share of the one at place n falls with n to this power."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What a call costs, in milliseconds of one processor, and bytes."""

    recall_server: float
    recall_database: float
    """Of a recall that reads `MEASURED_POSTINGS`."""
    posting_server: float
    posting_database: float
    write_server: float
    write_database: float
    poll_server: float
    poll_database: float
    """One look of a gateway for news: each looks so often, and whenever a proposal changes."""
    poll_every_s: float
    page_bytes: float

    def recall(self, postings: float) -> tuple[float, float]:
        """Return what a recall costs that reads so many rows of the index, at the server and in the database."""
        more = postings - MEASURED_POSTINGS
        return self.recall_server + more * self.posting_server, self.recall_database + more * self.posting_database


@dataclass(frozen=True, slots=True)
class Machines:
    """What carries it: processors of the database, and of all brain servers together."""

    database: int = 8
    servers: int = 8


class Call(NamedTuple):
    """One call: when, and which slice it writes, None for a read."""

    at: float
    slice: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a replay: calls, how busy each part was, and how long calls waited in all, in milliseconds."""

    calls: int
    writes: int
    database: float
    servers: float
    hottest_slice: float
    p50: float
    p95: float
    p99: float

    @property
    def limit(self) -> str | None:
        """Which part is the first that is too busy to wait for, None where none is."""
        parts = {"database": self.database, "servers": self.servers, "one slice": self.hottest_slice}
        worst = max(parts, key=parts.__getitem__)
        return worst if parts[worst] > BUSY else None


MEASURED_POSTINGS = 250.0
BUSY = 0.7
"""A part that works more of its time than this makes calls wait for each other."""


def calls(company: Company, hour: int, drawn: random.Random, *, seconds: float = 3600.0) -> Iterator[Call]:
    """Give the calls of a stretch of an hour, in their order."""
    share = HOURS[hour] / sum(HOURS)
    turns = company.people * company.turns * share / 3600
    private = turns * company.writes * company.private
    minds = turns * company.writes * (1 - company.private) + company.agents * company.background / 86400
    rates = (turns * company.recalls, private, minds, 2 * turns * company.shared)
    weights = list(accumulate(1 / (place + 1) ** company.skew for place in range(company.agents)))
    total = sum(rates)
    at = drawn.expovariate(total)
    while at < seconds:
        which = drawn.choices(range(4), rates)[0]
        if which == 0:
            yield Call(at, None)
        elif which == 1:
            yield Call(at, company.agents + 1 + drawn.randrange(company.people))
        else:
            yield Call(at, _of_many(weights, drawn) if which == 2 else company.agents)
        at += drawn.expovariate(total)


def _of_many(weights: Sequence[float], drawn: random.Random) -> int:
    return bisect(weights, drawn.random() * weights[-1])


def looks(costs: Costs, machines: Machines, polls: float) -> tuple[float, float]:
    """Return the part of the servers' and of the database's processors that so many looks for news a second take."""
    return polls * costs.poll_server / 1e3 / machines.servers, polls * costs.poll_database / 1e3 / machines.database


def waits(
    arriving: Sequence[Call],
    costs: Costs,
    machines: Machines,
    *,
    polls: float = 0.0,
    postings: float = MEASURED_POSTINGS,
) -> tuple[list[float], dict[str, float]]:
    """Return how long each call waited for processors and for its slice, in milliseconds, and how many milliseconds
    each part worked. First come, first served.

    :param polls: looks of idle gateways a second; they take their part of the processors from all calls alike.
    :param postings: rows of the index that a recall reads.
    """
    serves, free = (1 - part for part in looks(costs, machines, polls))
    if min(serves, free) <= 0:
        return [math.inf] * len(arriving), {"database": 0.0, "servers": 0.0, "slice": 0.0}
    recall = costs.recall(postings)
    servers, database = [0.0] * machines.servers, [0.0] * machines.database
    held: defaultdict[int, float] = defaultdict(float)
    worked = {"database": 0.0, "servers": 0.0}
    slices: defaultdict[int, float] = defaultdict(float)
    waited = []
    for at, slice_number in arriving:
        reads = slice_number is None
        serves_for = recall[0] if reads else costs.write_server
        serving = serves_for / serves
        works = recall[1] if reads else costs.write_database
        storing = works / free
        begins = max(at * 1e3, servers[0])
        heapq.heapreplace(servers, begins + serving)
        ready = begins + serving
        if slice_number is not None:
            ready = max(ready, held[slice_number])
        stores = max(ready, database[0])
        heapq.heapreplace(database, stores + storing)
        if slice_number is not None:
            held[slice_number] = stores + storing
            slices[slice_number] += storing
        waited.append(stores - at * 1e3 - serving)
        worked["servers"] += serves_for
        worked["database"] += works
    return waited, {**worked, "slice": max(slices.values(), default=0.0)}


def replayed(
    company: Company, costs: Costs, machines: Machines, *, hour: int = 9, seconds: float = 600.0, seed: int = 1
) -> Outcome:
    """Replay a stretch of an hour of the day."""
    arriving = list(calls(company, hour, random.Random(seed), seconds=seconds))
    rings = 2 * company.people * company.turns * company.shared * HOURS[hour] / sum(HOURS) / 3600
    polls = company.agents * (1 / costs.poll_every_s + rings)
    waited, worked = waits(arriving, costs, machines, polls=polls, postings=company.postings)
    waited.sort()

    def at(share: float) -> float:
        return waited[min(int(share * len(waited)), len(waited) - 1)] if waited else 0.0

    at_servers, at_database = looks(costs, machines, polls)
    return Outcome(
        len(arriving), sum(one.slice is not None for one in arriving),
        at_database + worked["database"] / (seconds * 1e3 * machines.database),
        at_servers + worked["servers"] / (seconds * 1e3 * machines.servers), worked["slice"] / (seconds * 1e3),
        at(0.5), at(0.95), at(0.99),
    )  # fmt: skip


def grown(company: Company, times: float) -> Company:
    """Return a company with so many times the people and agents."""
    return replace(company, people=round(company.people * times), agents=round(company.agents * times))


def pages_a_day(company: Company) -> float:
    """Return how many versions of pages a day makes."""
    spoken = company.people * company.turns * (company.writes + company.shared)
    return spoken + company.agents * company.background
