"""Looking at a store or a desk on PostgreSQL without changing anything: is it reached, of which schema, as whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from sliceway.core.checks import Check
from sliceway.errors import StoreUnavailable
from sliceway.store.engine import Database
from sliceway.store.opening import need_driver, open_database
from sliceway.store.roles import above_the_wall
from sliceway.store.steps import Standing, standing

Result = TypeVar("Result")

_START = "Start the server or correct {name}; then look again."
_ABOVE = "Make a login of its own for SLICEWAY_STORE__URL (CREATE ROLE … LOGIN), then run: sliceway brain migrate"


def examine_postgres(name: str, url: str, schema: Callable[[Standing], Check]) -> tuple[Check, ...]:
    """Return what there is to say of a store on PostgreSQL.

    :param name: what the checks are called by.
    :param schema: judges where it stands. Call it off the event loop.
    """
    try:
        where, (found, above) = _looked(url, lambda connection: (standing(connection), above_the_wall(connection)))
    except StoreUnavailable as error:
        return (Check(name, False, error.detail, _START.format(name="SLICEWAY_STORE__URL")),)
    reached = Check(name, True, f"The store is reached: {where}.")
    if above:
        says = "The login of SLICEWAY_STORE__URL is above row-level security: the database keeps it from no slice."
        reached = Check(name, False, says, _ABOVE)
    return (reached, schema(found))


def examine_desk_there(url: str, agent: str, schema: Callable[[Standing], Check]) -> tuple[Check, ...]:
    """Return what there is to say of an agent's desk on PostgreSQL. A desk that is not there yet is made by the first
    start, where its login may.

    :param schema: judges where it stands. Call it off the event loop.
    """
    try:
        need_driver()
        from sliceway.store.desk_postgres import DeskDatabase  # of the extra `postgres`

        desk = DeskDatabase(url, agent, pool_size=2, looks_only=True)
        where, found = _in(desk, lambda connection: standing(connection) if desk.stands(connection) else Standing())
    except StoreUnavailable as error:
        return (Check("desk", False, error.detail, _START.format(name="SLICEWAY_STATE__URL")),)
    return (Check("desk", True, f"It is reached: {where}."), schema(found))


def standing_of(url: str, *, desk_of: str | None = None) -> Standing:
    """Return where a store on PostgreSQL stands.

    :param desk_of: the agent whose desk is meant; None: the brain's own tables.
    :raises StoreUnavailable: it cannot be reached.
    """
    if desk_of is None:
        return _looked(url, standing)[1]
    need_driver()
    from sliceway.store.desk_postgres import DeskDatabase  # of the extra `postgres`

    return _in(DeskDatabase(url, desk_of, pool_size=2, looks_only=True), standing)[1]


def _looked(url: str, look: Callable[[Connection], Result]) -> tuple[str, Result]:
    return _in(open_database(url, pool_size=2), look)


def _in(database: Database, look: Callable[[Connection], Result]) -> tuple[str, Result]:
    try:
        with database.read() as connection:
            return database.where, look(connection)
    finally:
        database.let_go()
