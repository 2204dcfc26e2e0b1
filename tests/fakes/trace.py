"""What a store is asked to do: the statements, the steps its engine takes for them, the slices it reads and writes.

`traced` watches one database, for whoever proves by work that two calls do the same (BR4). `kept_within_access`
watches every store of the process, and tells what a statement names outside the access of its transaction.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Engine, event

from sliceway.core.access import EVERY, Access
from sliceway.store.engine import Database
from sliceway.store.session import ACCESS

_CHANGES = ("INSERT", "UPDATE", "DELETE")
_SLICE = re.compile(r"slice[0-9]*(_[0-9]+)*|slices(_[0-9]+)+")
"""What a value is called that names a slice: after the column, or as one of the `slices` of a statement written by
hand. A value called `slices` alone is a column of tokens."""


@dataclass(slots=True)
class Trace:
    """What was seen. `steps` counts SQLite's own instructions, or the rows that PostgreSQL touched: reading one more
    row takes more of them.

    `named` holds the slices that any statement named. `written` holds, for each write transaction, the slices whose
    rows it wrote.
    """

    statements: list[str] = field(default_factory=list)
    steps: int = 0
    named: set[str] = field(default_factory=set)
    written: list[set[Any]] = field(default_factory=list)
    unkeyed: list[str] = field(default_factory=list)

    @property
    def work(self) -> tuple[tuple[str, ...], int]:
        """The work done, to be held against that for a twin: the statements, their values left out, and the steps."""
        return tuple(" ".join(statement.split()) for statement in self.statements), self.steps

    def step(self) -> int:
        """Count one instruction of the engine."""
        self.steps += 1
        return 0

    def write(self, statement: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Note the slices that a statement writes."""
        for row in rows:
            named = {value for name, value in row.items() if name == "slice" or name.startswith("slice_")}
            if not named:
                self.unkeyed.append(statement)
            self.written[-1] |= named


@contextmanager
def traced(database: Database) -> Iterator[Trace]:
    """Watch a store."""
    trace = Trace()

    is_file = database.file is not None
    touched: dict[Any, int | None] = {}

    def begun(connection: Any) -> None:
        options = connection.get_execution_options()
        if options.get("writes") or options.get("postgresql_readonly") is False:
            trace.written.append(set())
        if not is_file:
            touched[connection.connection.dbapi_connection] = _touched(connection)

    def ends(connection: Any) -> None:
        before = touched.pop(connection.connection.dbapi_connection, None)
        if before is not None and (after := _touched(connection)) is not None:
            trace.steps += after - before

    def before(_conn: Any, cursor: Any, statement: str, parameters: Any, context: Any, _many: bool) -> None:
        if is_file:
            cursor.connection.set_progress_handler(trace.step, 1)
        trace.statements.append(statement)
        trace.named |= _named(context, parameters)
        if statement.startswith(_CHANGES):
            trace.write(statement, _rows(context, parameters))

    def after(_conn: Any, cursor: Any, *_rest: Any) -> None:
        if is_file:
            cursor.connection.set_progress_handler(None, 1)

    listeners: list[tuple[str, Callable[..., Any]]] = [
        ("begin", begun),
        ("commit", ends),
        ("rollback", ends),
        ("before_cursor_execute", before),
        ("after_cursor_execute", after),
    ]
    for name, listener in listeners:
        event.listen(database.engine, name, listener)
    try:
        yield trace
    finally:
        for name, listener in listeners:
            event.remove(database.engine, name, listener)


_ROWS = "SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0) FROM pg_stat_xact_user_tables"


def _touched(connection: Any) -> int | None:
    """Return how many rows of tables this connection's server has touched since it last told; after an error it does
    not say."""
    with connection.connection.dbapi_connection.cursor() as cursor:
        if cursor.connection.info.transaction_status.name == "INERROR":
            return None
        return int(cursor.execute(_ROWS).fetchone()[0])


@contextmanager
def kept_within_access() -> Iterator[list[str]]:
    """Watch every store of this process; give, as they happen, the statements that leave their transaction's access.

    A statement that names no slice at all reads them all, and needs an access to all.
    """
    outside: list[str] = []

    def before(conn: Any, _cursor: Any, statement: str, parameters: Any, context: Any, _many: bool) -> None:
        access: Access | None = conn.info.get(ACCESS)
        if access is None or context is None or (context.compiled is None and not statement.startswith("INSERT")):
            return
        named = _named(context, parameters)
        if statement.startswith(_CHANGES):
            fits = named == {access.write}
        else:
            nothing = not named and _NO_SLICES.search(statement) is None
            fits = access.covers(named) and (not nothing or EVERY in access.reads)
        if not fits:
            outside.append(f"{access.kind}: {statement}")

    event.listen(Engine, "before_cursor_execute", before)
    try:
        yield outside
    finally:
        event.remove(Engine, "before_cursor_execute", before)


_NO_SLICES = re.compile(r"\bslice IN \((SELECT 1 |NULL\) AND \(1 != 1)|\b0 = 1\b|\bWHERE false\b")
"""A list of no slices, or no row at all, as it is written for either engine."""


def _rows(context: Any, parameters: Any) -> list[Mapping[str, Any]]:
    """Return the values of a statement by name. Of one that adds many rows, the first of each row is its slice."""
    if context is None:
        return []
    if context.compiled is not None:
        found: list[Mapping[str, Any]] = context.compiled_parameters
        return found
    many = parameters if isinstance(parameters, list) else [parameters]
    return [{"slice": row[0]} for row in many if row]


def _named(context: Any, parameters: Any) -> set[str]:
    """Return the slices that a statement names; a pattern as an access writes it."""
    values = [value for row in _rows(context, parameters) for name, value in row.items() if _SLICE.fullmatch(name)]
    listed = [one for value in values for one in (value if isinstance(value, list | tuple) else [value])]
    return {one[:-1] + EVERY if one.endswith("%") else one for one in listed}
