"""PostgreSQL's second wall: a transaction's access told to the engine, the held slice, the hint for waiters.

Row-level security compares each row's slice with two settings of the transaction. What has not been told reads and
writes nothing, so a forgotten condition finds no row of anybody else's.
"""

from __future__ import annotations

from sqlalchemy import Connection, TextClause, text

from sliceway.core.access import Access

READS, WRITES = "sliceway.reads", "sliceway.writes"
"""The settings: the slices that may be read, and the one that is written."""
CHANNEL = "sliceway_changes"
"""Where waiters are told that proposals changed. Nothing is said there but that."""
TOKEN_SHOWN: TextClause = text("SELECT * FROM sliceway_token(:slice, :id)")
"""How the row of a token is looked up before anybody is known."""

_HELD = "held"
_HOLD = text("SELECT seq FROM slices WHERE slice = :slice FOR UPDATE")
_TELL = f"SELECT set_config('{READS}', %s, true), set_config('{WRITES}', %s, true)"
_RING = f"SELECT pg_notify('{CHANNEL}', '')"


def tell(connection: Connection, access: Access) -> None:
    """Let the engine know what this transaction may touch, until it ends."""
    _set(connection, ",".join(sorted(access.reads)), access.write or "")


def _set(connection: Connection, reads: str, writes: str) -> None:
    connection.exec_driver_sql(_TELL, (reads, writes)).close()


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


def begin(connection: Connection) -> None:
    """Forget what the transaction before held."""
    connection.info.pop(_HELD, None)


def ring(connection: Connection) -> None:
    """Wake who waits for changes, when this transaction is kept."""
    connection.exec_driver_sql(_RING).close()
