"""What every engine of a store gives: transactions, driver errors in words, and one hop to a thread a call."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection, Engine

from sliceway.errors import StoreUnavailable
from sliceway.store.lacks import Lacks
from sliceway.store.orders import Orders
from sliceway.store.threads import stand_back
from sliceway.store.watch import Watch

__all__ = ["AGAIN", "Connection", "Database", "HoldFirst"]

Result = TypeVar("Result")
Work = TypeVar("Work")

AGAIN = "again"
"""Where a connection keeps that its work can be run again from its start."""


class HoldFirst(Exception):
    """Work looked at rows before it held the slice that it changes, and is run again with that slice held.

    No error of the tree in `errors.py`: it never leaves the store.
    """

    def __init__(self, slice_name: str) -> None:
        """Name the slice to be held."""
        super().__init__(slice_name)
        self.slice = slice_name


class Database(ABC):
    """A database that rows are kept in. Synchronous code runs in worker threads through `reading` and `writing`: one
    hop a call.

    `where` is what an error calls it; `file` is None where it is no file. `walled` says that the engine itself keeps a
    transaction within its access, and that writers of different slices go on at once, each holding its own. `lacks` is
    what its tables have not yet of this program's, where that was looked at because they stand behind. `orders` is what
    readers keep of its slices.
    """

    engine: Engine
    file: Path | None = None
    walled = False
    lacks: Lacks | None = None

    def __init__(self, where: str, *, readers: int, writers: int) -> None:
        """Keep so many threads for those who read and for those who write."""
        self.where = where
        self.orders = Orders()
        self._closed = False
        self._readers = ThreadPoolExecutor(
            readers, thread_name_prefix="sliceway-read", initializer=stand_back
        )  # fmt: skip
        self._writers = ThreadPoolExecutor(writers, thread_name_prefix="sliceway-write")

    @abstractmethod
    def read(self) -> AbstractContextManager[Connection]:
        """Give a connection whose statements all see one moment. Call it off the event loop.

        :raises StoreUnavailable: the store cannot be used.
        """

    @abstractmethod
    def write(self) -> AbstractContextManager[Connection]:
        """Give a writing connection: committed at the end, rolled back by an exception. Call it off the loop.

        :raises StoreUnavailable: the store cannot be used; nothing was written.
        """

    @abstractmethod
    def migrating(self) -> AbstractContextManager[Connection]:
        """Give a writing connection that no other migration runs beside (BR12)."""

    @abstractmethod
    def in_words(self) -> AbstractContextManager[None]:
        """Turn the driver's errors into ours, cause kept.

        :raises StoreUnavailable: the store cannot be used; the words name it and the cure.
        """

    @abstractmethod
    def watch(self) -> Watch:
        """Return an eye on the store, for one long poll (BR16)."""

    @abstractmethod
    def scrub(self, *, since: str, most: int | None = None) -> bool:
        """Take out of the database's files what rows held before, and say whether it is out (BR10). Where a reader
        still looks at it, it is not; try again later. Call it off the event loop.

        :param since: when the last of it was erased. :param most: bytes of a file that is not too large to be done now.
        :raises StoreUnavailable: the store cannot be used.
        """

    def close_to_others(self) -> None:  # noqa: B027 - nothing to do but for a file
        """Take the store from everyone but its owner, where it is a file (BR17)."""

    async def reading(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` on a reading connection in a worker thread: one hop."""
        return await self._hop(self._readers, self._read_with, work)

    async def writing(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in one write transaction in a writer's thread: one hop.

        Once begun it runs to its end, even if the caller is cancelled meanwhile: nothing is half-written. An engine
        with several writers may run it again from its start, when nothing of it was kept.
        """
        return await self._hop(self._writers, self._write_with, work)

    async def scrubbing(self, *, since: str, most: int | None = None) -> bool:
        """Do `scrub` in a writer's thread: one hop."""
        return await self._hop(self._writers, lambda work: work(), lambda: self.scrub(since=since, most=most))

    async def _hop(
        self,
        pool: ThreadPoolExecutor,
        run: Callable[[Work], Result],
        work: Work,
    ) -> Result:
        """Run `work` in a pool's thread; a door that was closed opens to nobody."""
        if self._closed:
            raise StoreUnavailable(f"The store {self.where} was closed by this program; open it again.")
        return await asyncio.get_running_loop().run_in_executor(pool, run, work)

    def _read_with(self, work: Callable[[Connection], Result]) -> Result:
        with self.read() as connection:
            return work(connection)

    def _write_with(self, work: Callable[[Connection], Result]) -> Result:
        with self.write() as connection:
            return work(connection)

    async def close(self) -> None:
        """Finish what runs and let go of the database."""
        self._closed = True
        await asyncio.to_thread(self.let_go)

    def let_go(self) -> None:
        """Do what `close` does. Call it off the event loop."""
        self._writers.shutdown(wait=True)
        self._readers.shutdown(wait=True)
        self.engine.dispose()
