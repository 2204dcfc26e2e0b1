"""Looking at a store on PostgreSQL without changing what is in it: is it reached, of which schema, as whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from sliceway.core.checks import Check
from sliceway.errors import StoreUnavailable
from sliceway.store.migrate import current
from sliceway.store.opening import open_database
from sliceway.store.roles import above_the_wall

Result = TypeVar("Result")

_START = "Start the server or correct SLICEWAY_STORE__URL; then look again."
_ABOVE = "Make a login of its own for SLICEWAY_STORE__URL (CREATE ROLE … LOGIN), then run: sliceway brain migrate"


def examine_postgres(name: str, url: str, schema: Callable[[str | None], Check]) -> tuple[Check, ...]:
    """Return what there is to say of a store on PostgreSQL.

    :param name: what the checks are called by.
    :param schema: judges the step that it stands at. Call it off the event loop.
    """
    try:
        where, (found, above) = _looked(url, lambda connection: (current(connection), above_the_wall(connection)))
    except StoreUnavailable as error:
        return (Check(name, False, error.detail, _START),)
    reached = Check(name, True, f"The store is reached: {where}.")
    if above:
        says = "The login of SLICEWAY_STORE__URL is above row-level security: the database keeps it from no slice."
        reached = Check(name, False, says, _ABOVE)
    return (reached, schema(found))


def revision_of(url: str) -> str | None:
    """Return the step that a store on PostgreSQL stands at, None where it has no schema yet.

    :raises StoreUnavailable: it cannot be reached.
    """
    return _looked(url, current)[1]


def _looked(url: str, look: Callable[[Connection], Result]) -> tuple[str, Result]:
    database = open_database(url, pool_size=2)
    try:
        with database.read() as connection:
            return database.where, look(connection)
    finally:
        database.let_go()
