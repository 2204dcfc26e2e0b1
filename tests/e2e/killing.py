"""Servers of one store that are killed at random moments while clients write, and what has to be there afterwards."""

from __future__ import annotations

import asyncio
import random
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, AsyncExitStack, ExitStack, closing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, LiteralString, TypeVar

from yarl import URL

from sliceway.client import Patience, open_remote
from sliceway.core.principals import Principal
from sliceway.core.proposals import State
from sliceway.errors import NotPending, Unavailable
from sliceway.ports import Brain
from sliceway.wiring import open_brain
from sliceway.wiring.fresh import new_id
from tests.e2e.brain_server import Served, brain_server, make_tokens

if TYPE_CHECKING:
    from tests.fakes.postgres import Made

HOT = "hot"
"""A page that every writer writes again and again."""
_MIA = {"team": "T1", "user": "U-MAN"}
_ANN = {"team": "T1", "user": "U-ANN"}
_IN_CHANNEL = {"surface": "slack", "team": "T1", "channel": "C1", "thread": "1.1"}

Result = TypeVar("Result")


@dataclass(frozen=True)
class House:
    """Where a store is: in the folder, or in a database of PostgreSQL's; the servers' logs are in the folder."""

    folder: Path
    made: Made | None = None

    @property
    def engine(self) -> str:
        """What keeps it."""
        return "postgres" if self.made is not None else "sqlite"

    @property
    def url(self) -> str:
        """The address of the store."""
        return self.made.url if self.made is not None else f"sqlite:///{self.folder / 'brain.db'}"

    def server(self, name: str, port: int = 0, **settings: str) -> AbstractContextManager[Served]:
        """Serve the store while the context is open; see `brain_server`."""
        return brain_server(self.folder, name, port, **{"SLICEWAY_STORE__URL": self.url, **settings})

    def rows(self, statement: LiteralString) -> list[tuple[Any, ...]]:
        """Return what a statement finds, past the brain."""
        if self.made is None:
            with closing(sqlite3.connect(f"file:{self.folder / 'brain.db'}?mode=ro", uri=True)) as file:
                return file.execute(statement).fetchall()
        import psycopg  # of the extra `postgres`

        with psycopg.connect(self.made.owner_url) as owner:
            return owner.execute(statement).fetchall()


class Killed:
    """A server on one port that is killed and comes back."""

    def __init__(self, house: House, name: str = "server", *, sync: str = "normal") -> None:
        """Start it on the store of a house, on any free port."""
        self._house, self._name, self._running = house, name, ExitStack()
        self._settings = {"SLICEWAY_STORE__SYNC": sync, "SLICEWAY_SERVER__RATE_LIMIT": "100000"}
        self.served = self._start(0)

    def _start(self, port: int) -> Served:
        return self._running.enter_context(self._house.server(self._name, port, **self._settings))

    async def again(self) -> None:
        """Kill it at whatever it does, and start it anew on the same port."""
        await asyncio.to_thread(self._running.close)
        self.served = await asyncio.to_thread(self._start, URL(self.served.url).port or 0)

    async def end(self) -> None:
        """Kill it for good."""
        await asyncio.to_thread(self._running.close)


@dataclass
class Taken:
    """What clients were told is done: the event of each page, each event of the hot page, and each approved page; how
    often a call was made again by its caller, after the client had given up."""

    pages: dict[str, str] = field(default_factory=dict)
    hot: list[str] = field(default_factory=list)
    shared: list[str] = field(default_factory=list)
    repeated: int = 0

    @property
    def all(self) -> int:
        """How many acts were acknowledged."""
        return len(self.pages) + len(self.hot) + len(self.shared)

    async def acknowledged(self, call: Callable[[], Awaitable[Result]]) -> Result:
        """Return what a call comes to; made anew as it is where no answer came, as a caller would."""
        while True:
            try:
                return await call()
            except Unavailable:
                self.repeated += 1

    async def writes(self, brain: Brain, name: str, ends: asyncio.Event) -> None:
        """Write two new pages at once, then the hot page, each under a request id of its own, until told to end."""
        number = 0
        while not ends.is_set():
            pages = [{"slug": f"{name}/{number}/{part}", "content": f"{name} {number} {part}"} for part in "ab"]
            hot = [{"slug": HOT, "content": f"{name} wrote it for the {number}th time"}]
            for written in (pages, hot):
                id = f"{name}-{number}-{len(written)}"
                done = await self.acknowledged(
                    partial(brain.write_pages, slice="mine", pages=written, request_id=id)
                )  # fmt: skip
                if written is hot:
                    self.hot.append(done.receipts[0].event_id)
                else:
                    self.pages |= {receipt.slug: receipt.event_id for receipt in done.receipts}
            number += 1

    async def shares(self, brain: Brain, name: str, ends: asyncio.Event) -> None:
        """Propose a page for everybody and have it approved, again and again."""
        number = 0
        while not ends.is_set():
            slug, said = f"{name}/{number}", {"person": _ANN, "place": _IN_CHANNEL}
            request: dict[str, Any] = {
                "op": "write", "slice": "shared", "pages": [{"slug": slug, "content": f"{name} {number}"}],
                "origin": said, "request_id": f"{name}-{number}",
            }  # fmt: skip
            asked = await self.acknowledged(partial(brain.propose, **request))
            yes: dict[str, Any] = {"id": asked.id, "decision": "approve", "revision": 1, "decided_by": _MIA}
            try:
                await self.acknowledged(partial(brain.decide, **yes))
            except NotPending as decided:  # the one before was done, and its caller never heard
                if decided.facts["state"] != State.APPLIED.value:
                    raise
            self.shared.append(slug)
            number += 1


async def killed_under_load(house: House, *, rounds: int, servers: int, seed: int, sync: str = "normal") -> Taken:
    """Kill one of several servers of one store so many times while clients write; return what they were told.

    :param seed: of when and which.
    """
    tokens = await make_tokens(house.folder, house.url)
    chance, taken, ends = random.Random(seed), Taken(), asyncio.Event()
    running = [await asyncio.to_thread(Killed, house, f"server{at}", sync=sync) for at in range(servers)]
    async with AsyncExitStack() as stack:
        for one in running:
            stack.push_async_callback(one.end)

        async def brain(at: int, who: str) -> Brain:
            url = running[at % servers].served.url
            door = open_remote(url, tokens[who], patience=Patience(deadline=5.0), new_id=new_id)
            return (await stack.enter_async_context(door)).enter()

        work = [taken.writes(await brain(at, "ada"), f"w{at}", ends) for at in range(4)]
        work += [taken.shares(await brain(at, "gateway"), f"s{at}", ends) for at in range(2)]
        tasks = [asyncio.create_task(each) for each in work]
        for _ in range(rounds):
            await _more(taken, chance.randint(3, 20), tasks)
            await asyncio.wait(tasks, timeout=chance.random() * 0.05)  # the moment is any, not that of an answer
            await chance.choice(running).again()
        await _more(taken, 10, tasks)
        ends.set()
        await asyncio.gather(*tasks)
    return taken


async def _more(taken: Taken, count: int, tasks: list[asyncio.Task[None]]) -> None:
    """Wait until so many more acts were acknowledged, while the writers live."""
    enough = taken.all + count
    while taken.all < enough:
        done, _ = await asyncio.wait(tasks, timeout=0.01, return_when=asyncio.FIRST_EXCEPTION)
        for task in done:
            task.result()


async def assert_all_is_there_once(house: House, taken: Taken) -> None:
    """Hold the store against what was acknowledged: every act there exactly once and nothing beside it, versions and
    the sequence of each slice without a gap, and the record verifies."""
    async with open_brain(house.url, embed="none") as store:
        ada, operator = store.enter(Principal.agent("ada")), store.enter(Principal.operator("op"))
        for slug, event in taken.pages.items():
            (entry,) = (await ada.versions(slice="mine", slug=slug)).items
            assert (entry.version, entry.event_id) == (1, event)
        for slug in taken.shared:
            (entry,) = (await ada.versions(slice="shared", slug=slug)).items
            assert entry.version == 1
        report = await operator.verify()
        assert report.ok, report.errors
        pages = {entry.slice: entry.pages for entry in (await operator.slices()).items}
    assert pages == {"agent-ada": len(taken.pages) + 1, "shared": len(taken.shared)}
    versions = house.rows(
        "SELECT version, event_id FROM page_versions WHERE slice = 'agent-ada' AND slug = 'hot' ORDER BY version"
    )
    assert [version for version, _ in versions] == [*range(1, len(taken.hot) + 1)]
    assert Counter(event for _, event in versions) == Counter(taken.hot)
    for first, last, count in house.rows("SELECT min(seq), max(seq), count(*) FROM events GROUP BY slice"):
        assert first in {0, 1}
        assert last - first + 1 == count
