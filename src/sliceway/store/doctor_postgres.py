"""Looking at a store or a desk on PostgreSQL without changing anything: is it reached, of which schema, as whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy import Connection

from sliceway.core.checks import Check
from sliceway.errors import StoreUnavailable
from sliceway.store.engine import Database
from sliceway.store.opening import need_driver, open_database
from sliceway.store.roles import MAINTENANCE, above_the_wall, maintains, owns_tables
from sliceway.store.steps import Standing, standing

Result = TypeVar("Result")

_START = "Start the server or correct {name}; then look again."
_ABOVE = "Make a login of its own for SLICEWAY_STORE__URL (CREATE ROLE … LOGIN), then run: sliceway brain migrate"

_KEEPS, _KEEPS_URL = "store_maintenance", "SLICEWAY_STORE__MAINTENANCE_URL"
_ADMIT = f"Run `sliceway brain migrate` with {_KEEPS_URL} and SLICEWAY_STORE__OWNER_URL set."


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


def examine_maintenance(url: str) -> Check:
    """Return what there is to say of the login that verifies and rebuilds a store on PostgreSQL. Call it off the event
    loop."""

    def look(connection: Connection) -> tuple[Standing, bool, bool]:
        member = maintains(connection)  # who is none may not see the tables, and learns of no schema
        return (standing(connection) if member else Standing()), member, owns_tables(connection)

    try:
        where, (found, member, owner) = _looked(url, look)
    except StoreUnavailable as error:
        return Check(_KEEPS, False, error.detail, _START.format(name=_KEEPS_URL))
    if not member:
        says = f"The login of {_KEEPS_URL} is no member of {MAINTENANCE}: `ledger verify` would see no row as it."
        return Check(_KEEPS, False, says, _ADMIT)
    if found.step is None:
        says = (
            f"{_KEEPS_URL} leads to no store: {where} has no tables of this program's, or its login may not see them."
        )
        return Check(_KEEPS, False, says, f"Name the store's own database there. Then: {_ADMIT}")
    if owner:
        says = f"The login of {_KEEPS_URL} owns the store's tables: it could change them, which nothing it does needs."
        return Check(_KEEPS, True, says, f"Give it a login that owns nothing. Then: {_ADMIT}")
    return Check(_KEEPS, True, f"The login of maintenance is a member of {MAINTENANCE}: {where}.")


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
