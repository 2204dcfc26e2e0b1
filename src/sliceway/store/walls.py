"""PostgreSQL's second wall: a transaction's access told to the engine, the held slice, the hint for waiters.

Row-level security compares each row's slice with two settings of the transaction. What has not been told reads and
writes nothing, so a forgotten condition finds no row of anybody else's.
"""

from __future__ import annotations

from sqlalchemy import Connection, TextClause, text

from sliceway.core.access import Access
from sliceway.core.slices import SYSTEM

READS, WRITES = "sliceway.reads", "sliceway.writes"
"""The settings: the slices that may be read, and the one that is written."""
CHANNEL = "sliceway_changes"
"""Where waiters are told that proposals changed. Nothing is said there but that."""
TOKEN_SHOWN: TextClause = text("SELECT * FROM sliceway_token(:slice, :id)")
"""How the row of a token is looked up before anybody is known."""

_HELD, _TOLD = "held", "told"
_AT_FIRST = (SYSTEM, "")
_BEGIN = f"BEGIN ISOLATION LEVEL {{}}; SET LOCAL {READS} = '{SYSTEM}'; SET LOCAL {WRITES} = ''"
_BEGIN_READING, _BEGIN_WRITING = _BEGIN.format("REPEATABLE READ READ ONLY"), _BEGIN.format("READ COMMITTED")
_HOLD = text("SELECT seq FROM slices WHERE slice = :slice FOR UPDATE")
_TELL = f"SELECT set_config('{READS}', %s, true), set_config('{WRITES}', %s, true)"
_PLAN = "SET LOCAL plan_cache_mode = force_custom_plan"
_RING = f"SELECT pg_notify('{CHANNEL}', '')"


def begin(connection: Connection, *, writes: bool) -> None:
    """Begin a transaction, and tell the engine the access that each begins with: one way to the server for both.

    One that reads sees one moment. What the transaction before held and told is forgotten.
    """
    connection.info.pop(_HELD, None)
    connection.info[_TOLD] = _AT_FIRST
    begun = _BEGIN_WRITING if writes else _BEGIN_READING
    # Without parameters the server takes several statements at once.
    connection.exec_driver_sql(begun, execution_options={"no_parameters": True}).close()


def tell(connection: Connection, access: Access) -> None:
    """Let the engine know what this transaction may touch, until it ends, where it does not know yet."""
    told = (",".join(sorted(access.reads)), access.write or "")
    if connection.info.get(_TOLD) != told:
        _set(connection, *told)


def _set(connection: Connection, reads: str, writes: str) -> None:
    connection.exec_driver_sql(_TELL, (reads, writes)).close()
    connection.info[_TOLD] = (reads, writes)


def hold(connection: Connection, slice_name: str) -> None:
    """Wait until no other transaction writes the slice, and keep it from them until this one ends.

    A slice that does not exist yet is held by nobody: of two first writers one fails on the key of its first event,
    and is run again.
    """
    if not holds(connection, slice_name):
        connection.execute(_HOLD, {"slice": slice_name}).close()
        connection.info[_HELD] = slice_name


def hold_first(connection: Connection, slice_name: str) -> None:
    """Hold a slice at the beginning of a transaction, before its work begins."""
    _set(connection, slice_name, slice_name)
    hold(connection, slice_name)


def holds(connection: Connection, slice_name: str) -> bool:
    """Say whether this transaction holds the slice."""
    return bool(connection.info.get(_HELD) == slice_name)


def plan_anew(connection: Connection) -> None:
    """Have the server keep no plan of a statement from one time to the next, until this transaction ends."""
    connection.exec_driver_sql(_PLAN).close()


def ring(connection: Connection) -> None:
    """Wake who waits for changes, when this transaction is kept."""
    connection.exec_driver_sql(_RING).close()
