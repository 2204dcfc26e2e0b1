"""Leases of the brain's own work, in `_system`: one process at a time, another's once it ran out."""

from __future__ import annotations

from sqlalchemy import Connection, insert, select, update

from sliceway.core.slices import SYSTEM
from sliceway.store.tables import keeper_lease


def take_lease(connection: Connection, name: str, holder: str, *, now: str, until: str) -> bool:
    """Take or prolong a lease until a time; False where another holder's still runs."""
    where = (keeper_lease.c.slice == SYSTEM, keeper_lease.c.name == name)
    row = connection.execute(select(keeper_lease.c.holder, keeper_lease.c.until).where(*where)).one_or_none()
    if row is None:
        connection.execute(insert(keeper_lease).values(slice=SYSTEM, name=name, holder=holder, until=until))
        return True
    if row.holder != holder and row.until > now:
        return False
    connection.execute(update(keeper_lease).where(*where).values(holder=holder, until=until))
    return True
