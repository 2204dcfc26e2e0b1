"""What bringing a store to this program's schema would do, step by step, without doing any of it (BR12)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine, event, inspect, text

from sliceway.store.engine import Database
from sliceway.store.roles import secured
from sliceway.store.steps import Fit, config_of, standing, steps_of

_DOES = (
    ("made", re.compile(r"CREATE TABLE (\w+)", re.IGNORECASE)),
    ("altered", re.compile(r"ALTER TABLE (\w+)", re.IGNORECASE)),
    ("indexed", re.compile(r"CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)", re.IGNORECASE)),
    ("written", re.compile(r"(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)", re.IGNORECASE)),
    ("read", re.compile(r"\bFROM (\w+)", re.IGNORECASE)),
)
_NOT_OURS = frozenset({"alembic_version", "sqlite_master"})
_THERE = {
    "made": "none: nobody knows the table yet",
    "altered": "ACCESS EXCLUSIVE: everybody waits",
    "indexed": "SHARE: writers wait while every row is read",
    "written": "ROW EXCLUSIVE: others wait for the same rows alone",
    "read": "ACCESS SHARE: nobody waits",
}
"""The locks of PostgreSQL, each held to the end of the one transaction."""
_IN_A_FILE = "the one writer's: other writers wait, readers go on"


@dataclass(frozen=True, slots=True)
class Touched:
    """A table that a step touches.

    :ivar does: `made`, `altered`, `indexed`, `written` or `read`. :ivar rows: how many it has now: on PostgreSQL by
        its own estimate; None where it is not there yet.
    """

    table: str
    does: str
    rows: int | None
    lock: str


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A step that would be taken, in its own words.

    :ivar adds_only: programs of the version before go on while it is taken and after it.
    """

    step: str
    says: str
    adds_only: bool
    tables: tuple[Touched, ...]


@dataclass(frozen=True, slots=True)
class MigrationPlan:
    """Where a store stands, and what is missing; all steps are one transaction.

    :ivar stands: its step; None where it has no schema. :ivar head: this program's.
    :ivar fit: how the one stands to the other: `same`, `ahead`, `behind`, `too_new` or `too_old`.
    :ivar reindexes: every page is taken into the index again, after the last step.
    :ivar walls: on PostgreSQL, whether roles, rights and row-level security `stand` or are `to_make`, under a lock on
        every table for which everybody waits.
    """

    stands: str | None
    head: str
    fit: Fit
    steps: tuple[PlannedStep, ...] = ()
    reindexes: bool = False
    walls: str | None = None


def plan(database: Database, scripts: str) -> MigrationPlan:
    """Return what `migrate` would do to a store that was opened to be looked at. Call it off the event loop.

    The steps are taken in an empty database in memory, and what they say to it is listened to.

    :raises StoreUnavailable: it cannot be read.
    """
    known = steps_of(scripts)
    with database.read() as connection:
        stands = standing(connection)
        rows = _rows(connection)
        walls = ("stand" if secured(connection) else "to_make") if database.walled else None
    fit = known.fit(stands)
    if stands.step is not None and stands.step not in known.order:
        return MigrationPlan(stands.step, known.head, fit)
    locks = _THERE if database.walled else {}
    return MigrationPlan(
        stands.step, known.head, fit, tuple(_steps(scripts, stands.step, rows, locks)),
        reindexes=stands.step is not None and bool(known.reindexes.intersection(known.after(stands.step))),
        walls=walls,
    )  # fmt: skip


def _steps(
    scripts: str, stands: str | None, rows: dict[str, int], locks: dict[str, str]
) -> Iterator[PlannedStep]:  # fmt: skip
    config = config_of(scripts)
    directory = ScriptDirectory.from_config(config)
    engine = create_engine("sqlite://")
    try:
        with engine.connect() as connection:
            config.attributes["connection"] = connection
            if stands is not None:
                command.upgrade(config, stands)
            for script in reversed(list(directory.iterate_revisions("head", stands or "base"))):
                with _heard(connection) as said:
                    command.upgrade(config, script.revision)
                tables = tuple(
                    Touched(table, does, rows.get(table), locks.get(does, _IN_A_FILE))
                    for table, does in _touched(said).items()
                )
                yield PlannedStep(script.revision, script.doc, script.revision in steps_of(scripts).adds, tables)
    finally:
        engine.dispose()


@contextmanager
def _heard(connection: Connection) -> Iterator[list[str]]:
    """Give what is said to a connection while the context is open."""
    said: list[str] = []

    def listen(_conn: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        said.append(statement)

    event.listen(connection, "before_cursor_execute", listen)
    try:
        yield said
    finally:
        event.remove(connection, "before_cursor_execute", listen)


def _touched(said: list[str]) -> dict[str, str]:
    """Return the tables that some statements are about, each with the most that is done to it."""
    order = [does for does, _ in _DOES]
    found: dict[str, str] = {}
    for statement in said:
        for does, pattern in _DOES:
            for table in set(pattern.findall(statement)) - _NOT_OURS:
                found[table] = min(found.get(table, does), does, key=order.index)
    return {table: does for table, does in sorted(found.items()) if not table.startswith(("pragma", "sqlite"))}


def _rows(connection: Connection) -> dict[str, int]:
    """Return how many rows each table has."""
    if connection.dialect.name == "postgresql":
        counted = connection.execute(
            text(
                "SELECT relname, GREATEST(reltuples, 0)::bigint FROM pg_class "
                "WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
            )
        )
        return {row[0]: row[1] for row in counted}
    names = inspect(connection).get_table_names()
    quoted = connection.dialect.identifier_preparer.quote
    return {
        name: int(connection.execute(text(f"SELECT count(*) FROM {quoted(name)}")).scalar_one())  # noqa: S608 - a table
        for name in names
    }
