"""Leases of the brain's own work, in `_system`: one process at a time, another's once it ran out."""

from __future__ import annotations

from sqlalchemy import select

from sliceway.core.slices import SYSTEM
from sliceway.store.session import Session
from sliceway.store.tables import keeper_lease


def take_lease(session: Session, name: str, holder: str, *, now: str, until: str) -> bool:
    """Take or prolong a lease until a time; False where another holder's still runs."""
    where = (keeper_lease.c.slice == SYSTEM, keeper_lease.c.name == name)
    row = session.execute(select(keeper_lease.c.holder, keeper_lease.c.until).where(*where), of=SYSTEM).one_or_none()
    if row is None:
        session.insert(keeper_lease, {"name": name, "holder": holder, "until": until}, into=SYSTEM)
        return True
    if row.holder != holder and row.until > now:
        return False
    values = {"holder": holder, "until": until}
    session.update(keeper_lease, keeper_lease.c.name == name, into=SYSTEM, values=values)
    return True


def lease_holder(session: Session, name: str, *, now: str) -> str | None:
    """Return who holds a lease that still runs, None where nobody does."""
    where = (keeper_lease.c.slice == SYSTEM, keeper_lease.c.name == name, keeper_lease.c.until > now)
    held: str | None = session.execute(select(keeper_lease.c.holder).where(*where), of=SYSTEM).scalar_one_or_none()
    return held
