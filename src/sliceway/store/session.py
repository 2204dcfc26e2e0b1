"""The one way to the brain's rows: a transaction and its access. There is no statement without it (BR4, BR15)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import Any, TypeVar

from sqlalchemy import (
    ColumnElement,
    Connection,
    CursorResult,
    Executable,
    Select,
    Table,
    TextualSelect,
    delete,
    insert,
    update,
)

from sliceway.core.access import Access, Kind, OutsideAccess, opening
from sliceway.core.sight import Sight
from sliceway.store import walls
from sliceway.store.bulk import add_rows
from sliceway.store.driver import fetched
from sliceway.store.engine import AGAIN, Database, HoldFirst
from sliceway.store.lacks import Lacks
from sliceway.store.orders import Orders
from sliceway.store.watch import Watch

__all__ = ["Session", "Store", "led_by"]

Result = TypeVar("Result")
_WAITED_FOR = "proposals"
"""The table whose changes somebody may be waiting for."""
Rows = CursorResult[*tuple[Any, ...]]
"""What a statement that reads comes to."""

SEARCHES = 1
"""Searches that run at once in one process. They rank in Python, which runs one thread at a time: more of them end no
sooner, and whatever else the process does, its event loop first, waits for its turn behind each."""

ACCESS = "access"
"""Where a connection keeps the access of the transaction that runs on it, for whoever watches its statements."""


def led_by(statement: Select[Any], table: Table, index: str) -> Select[Any]:
    """Return a statement that finds its rows by this index on SQLite, which would take the key of the table: a row that
    the key meets and another condition leaves out is work that tells of it (BR4)."""
    return statement.with_hint(table, f"INDEXED BY {index}", "sqlite")


class Session:
    """One transaction on the brain's rows. It begins with what is needed to judge a call, and enters its access once
    it is known.

    Statements that read say of which slices they do; changes say which slice they are made in, and that condition is
    added here. A slice outside the access is a fault of this program and ends the transaction.
    """

    __slots__ = (
        "_access", "_connection", "_info", "_lacks", "_looked", "_orders", "_proposed", "_told", "_walled", "_writes",
    )  # fmt: skip

    def __init__(
        self, connection: Connection, *, writes: bool, walled: bool, orders: Orders, lacks: Lacks | None = None
    ) -> None:
        """Begin; a `Store` calls this. Without `writes` nothing can be changed.

        :param walled: the engine keeps the transaction within its access too, and holds the slice that it writes.
        :param orders: what readers of this store keep of its slices.
        :param lacks: what the tables have not yet; changes do without it.
        """
        self._connection = connection
        self._info = connection.info  # to be had when the connection itself is lost, too
        self._writes = writes
        self._walled = walled
        self._lacks = lacks
        self._orders = orders
        self._told: Access | None = None
        self._looked = self._proposed = False
        self._access = opening()
        self._info[ACCESS] = self._access

    @property
    def access(self) -> Access:
        """What this transaction may touch now."""
        return self._access

    @property
    def sight(self) -> Sight:
        """What this transaction sees of proposals."""
        return self._access.sight

    @property
    def walled(self) -> bool:
        """Whether the engine itself keeps this transaction within its access."""
        return self._walled

    @property
    def dialect(self) -> str:
        """The name of the engine's SQL, for the little that both do not say alike: `sqlite` or `postgresql`."""
        return self._connection.dialect.name

    def keeps(self, table: Table) -> bool:
        """Say whether what is read of a table here may be kept for others: a change that is under way may yet be taken
        back, and a table that is not there yet may come."""
        return not self._writes and (self._lacks is None or table.name not in self._lacks.tables)

    @property
    def orders(self) -> Orders:
        """What readers keep of the slices of this store, each to be asked for by the head of its chain."""
        return self._orders

    @property
    def memory(self) -> dict[Any, Any]:
        """What is kept with the connection from one transaction to the next, to be held against the rows."""
        return self._info

    def enter(self, access: Access) -> Access:
        """Go on with the access of the call, or with less than was entered before; return it.

        An engine with row-level security is told before the next statement, for this transaction alone.

        :raises OutsideAccess: it is more than what was entered before.
        """
        if not access.follows(self._access):
            raise OutsideAccess(f"A transaction of kind '{self._access.kind.value}' is given more than it entered.")
        self._access = self._info[ACCESS] = access
        return access

    def land(self, slice_name: str) -> None:
        """Name the one slice that this transaction writes; from here on no other transaction writes it.

        Where several write at once, what was looked at before may have changed since: then the work is run again from
        its start, with the slice held.

        :raises OutsideAccess: it may not, or it writes another one.
        """
        if self._access.write == slice_name:
            return
        self.enter(self._access.landing(slice_name))
        if not (self._walled and self._writes):
            return
        if self._looked and self._info.get(AGAIN) and not walls.holds(self._connection, slice_name):
            raise HoldFirst(slice_name)
        self._tell()
        walls.hold(self._connection, slice_name)

    def within(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return those of the slices that may be read here, in order."""
        return tuple(name for name in names if self._access.covers((name,)))

    def execute(
        self, statement: Executable, values: Mapping[str, Any] | None = None, *, of: str | Collection[str]
    ) -> Rows:
        """Run a statement that reads rows of the slices `of`, and of no others.

        :param of: their names, as the statement has them; what begins alike and ends in `*` stands for all such.
        :raises OutsideAccess: one of them may not be read here, or the statement changes something.
        """
        self._look(of)
        if getattr(statement, "is_dml", False):
            raise OutsideAccess("Rows are changed by `insert`, `update` and `delete`.")
        self._tell()
        return self._connection.execute(statement, values)

    def fetch(self, statement: TextualSelect, values: Mapping[str, Any], *, of: str | Collection[str]) -> Sequence[Any]:
        """Return the rows of a statement written by hand, as `execute` would read them; see `store.driver`.

        :raises OutsideAccess: one of the slices may not be read here.
        """
        self._look(of)
        self._tell()
        return fetched(self._connection, statement, values)

    def _look(self, of: str | Collection[str]) -> None:
        names = (of,) if isinstance(of, str) else of
        if not self._access.covers(names):
            raise OutsideAccess(f"A transaction of kind '{self._access.kind.value}' reads outside its slices.")
        self._looked = self._looked or self._access.kind is not Kind.OPENING

    def insert(self, table: Table, rows: Mapping[str, Any] | Sequence[Mapping[str, Any]], *, into: str) -> None:
        """Add rows to the one slice that is written; several have all the same columns.

        :raises OutsideAccess: `into` is another one, or a row is of another.
        """
        self._check(into, table)
        listed = [rows] if isinstance(rows, Mapping) else rows
        if any(row.get("slice", into) != into for row in listed):
            raise OutsideAccess("A row of another slice than the one that is written.")
        if self._lacks is not None:
            if table.name in self._lacks.tables:
                return
            listed = [self._lacks.without(table, row) for row in listed]
        if len(listed) > 1:
            names = tuple(name for name in listed[0] if name != "slice")
            values = itemgetter(*names)
            add_rows(self._connection, table, names, list(map(values, listed)), into)
        else:
            self._connection.execute(insert(table), [{**row, "slice": into} for row in listed])

    def add(self, table: Table, names: tuple[str, ...], rows: Sequence[tuple[Any, ...]], *, into: str) -> None:
        """Add many rows to the one slice that is written, at least one: their values in the order of `names`, without
        the slice.

        :raises OutsideAccess: `into` is another one.
        """
        self._check(into, table)
        add_rows(self._connection, table, names, rows, into)

    def expects_many(self) -> None:
        """Make ready for many rows. PostgreSQL plans each statement of this transaction by what is in the tables now:
        they grow, and a plan that was kept from when they were small reads them whole. SQLite lets its log grow to
        64 MB before it takes it over: many transactions in a row change the same pages of the index."""
        if self._walled:
            walls.plan_anew(self._connection)
        elif self.dialect == "sqlite":
            self._connection.exec_driver_sql("PRAGMA wal_autocheckpoint=16000").close()

    def update(
        self, table: Table, *where: ColumnElement[bool], into: str, values: Mapping[str, Any]
    ) -> int:  # fmt: skip
        """Change the rows of the one slice that is written for which every condition holds; return how many.

        :raises OutsideAccess: `into` is another one, or the rows would leave it.
        """
        self._check(into, table)
        if values.get("slice", into) != into:
            raise OutsideAccess("A row would leave the slice that is written.")
        if self._lacks is not None:
            if table.name in self._lacks.tables:
                return 0
            where = tuple(map(self._lacks.reads, where))
            values = self._lacks.without(table, values) or {"slice": into}  # how many it would be is still told
        return self._connection.execute(update(table).where(table.c.slice == into, *where).values(**values)).rowcount

    def delete(self, table: Table, *where: ColumnElement[bool], into: str) -> int:
        """Drop the rows of the one slice that is written for which every condition holds; return how many.

        :raises OutsideAccess: `into` is another one.
        """
        self._check(into, table)
        if self._lacks is not None:
            if table.name in self._lacks.tables:
                return 0
            where = tuple(map(self._lacks.reads, where))
        return self._connection.execute(delete(table).where(table.c.slice == into, *where)).rowcount

    def _check(self, into: str, table: Table) -> None:
        if not self._writes or self._access.write != into:
            raise OutsideAccess(f"A transaction of kind '{self._access.kind.value}' writes outside its one slice.")
        self._proposed = self._proposed or table.name == _WAITED_FOR
        self._tell()

    def _tell(self) -> None:
        """Let the engine know of the access, where it has to and does not yet."""
        if self._walled and self._told is not self._access:
            walls.tell(self._connection, self._access)
            self._told = self._access

    def done(self) -> None:
        """Do what is left at the end of work that is kept: wake who waits for changes of proposals (BR16)."""
        if self._walled and self._proposed:
            walls.ring(self._connection)

    def forget(self) -> None:
        """Take the access from the connection, so that nobody finds it there afterwards."""
        self._info.pop(ACCESS, None)


class Store:
    """The brain's rows in a database: every transaction is a `Session`, and each call is one hop to a thread."""

    def __init__(self, database: Database) -> None:
        """Stand before an open and migrated database, which is closed by whoever opened it."""
        self._database = database
        self._search = asyncio.Semaphore(SEARCHES)

    def watch(self) -> Watch:
        """See `Database.watch`."""
        return self._database.watch()

    @contextmanager
    def read(self) -> Iterator[Session]:
        """Give a session whose statements all see one moment. Call it off the event loop."""
        with self._database.read() as connection, self._begun(connection, writes=False) as session:
            yield session

    @contextmanager
    def write(self) -> Iterator[Session]:
        """Give a session that writes, committed at the end, rolled back by an exception. Call it off the loop."""
        with self._database.write() as connection, self._begun(connection, writes=True) as session:
            yield session

    async def reading(self, work: Callable[[Session], Result]) -> Result:
        """Run `work` in one reading transaction in a worker thread: one hop."""
        return await self._database.reading(lambda connection: self._done(work, connection, writes=False))

    async def searching(self, work: Callable[[Session], Result]) -> Result:
        """Run `work` as `reading` does, where it is mostly Python's own work: not more than `SEARCHES` at once."""
        async with self._search:
            return await self.reading(work)

    async def writing(self, work: Callable[[Session], Result]) -> Result:
        """Run `work` in one write transaction in a writer's thread: one hop, run to its end once begun."""
        return await self._database.writing(lambda connection: self._done(work, connection, writes=True))

    async def scrubbing(self, *, since: str, most: int | None = None) -> bool:
        """Take what was erased out of the database's files; see `Database.scrub`. One hop, run to its end."""
        return await self._database.scrubbing(since=since, most=most)

    @contextmanager
    def _begun(self, connection: Connection, *, writes: bool) -> Iterator[Session]:
        """Give the session of a connection; nobody finds its access there afterwards."""
        on = self._database
        session = Session(connection, writes=writes, walled=on.walled, orders=on.orders, lacks=on.lacks)
        try:
            yield session
            session.done()
        finally:
            session.forget()

    def _done(self, work: Callable[[Session], Result], connection: Connection, *, writes: bool) -> Result:
        with self._begun(connection, writes=writes) as session:
            return work(session)
