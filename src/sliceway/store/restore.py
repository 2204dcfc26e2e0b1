"""A whole record put back into an empty store, event by event as it was: a store that moved (BR3, BR11)."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from sliceway.core.access import EVERY
from sliceway.core.ledger import GENESIS, Event
from sliceway.core.slices import SYSTEM
from sliceway.store.chain import BrokenChain
from sliceway.store.ledger import event_row
from sliceway.store.rebuild import Projection
from sliceway.store.session import Session
from sliceway.store.tables import events, keeper_lease, slices

_RESTORE = "restore"
"""What the lease is called under which a restore stands until it is done."""


def begins_or_goes_on(session: Session, which: str) -> bool:
    """Say whether a record is restored here: the store is empty, or this very restore was broken off. It stands under
    a lease from now on, in `_system`.

    :param which: what tells this record from others.
    """
    session.land(SYSTEM)
    where = (keeper_lease.c.slice == SYSTEM, keeper_lease.c.name == _RESTORE)
    begun = session.execute(select(keeper_lease.c.holder).where(*where), of=SYSTEM).scalar_one_or_none()
    if begun is not None:
        return bool(begun == which)
    if session.execute(select(events.c.seq).limit(1), of=EVERY).first() is not None:
        return False
    session.insert(keeper_lease, {"name": _RESTORE, "holder": which, "until": ""}, into=SYSTEM)
    return True


def is_done(session: Session) -> None:
    """End the lease."""
    session.land(SYSTEM)
    session.delete(keeper_lease, keeper_lease.c.name == _RESTORE, into=SYSTEM)


def restore_events(session: Session, slice_name: str, told: Sequence[Event], key: bytes) -> int:
    """Put the next events of a slice back as they are, with every row that follows; return how many were not there yet.

    :param told: linked to each other, and to what the slice holds by now or to a part of it.
    :param key: the slice's.
    :raises BrokenChain: the slice holds other events: it was written to meanwhile.
    """
    session.land(slice_name)
    own = select(slices).where(slices.c.slice == slice_name)
    row = session.execute(own, of=slice_name).mappings().one_or_none()
    seq, head = (row["seq"], row["head"]) if row is not None else (0, GENESIS)
    new = [event for event in told if event.seq > seq]
    if not new:
        return 0
    if (new[0].seq, new[0].prev) != (seq + 1, head):
        raise BrokenChain("the slice was written to meanwhile; restore into an empty store", new[0].seq)
    session.insert(events, [event_row(event) for event in new], into=slice_name)
    counts = (row["docs"], row["length"]) if row is not None else (0, 0)
    rows = Projection(session, slice_name, docs=counts[0], length=counts[1])
    rows.follow(new)
    last = new[-1]
    values = {
        "seq": last.seq, "head": last.hash, "key": key, "docs": rows.docs, "length": rows.length,
        "updated_at": last.at,
    }  # fmt: skip
    if row is None:
        session.insert(slices, {**values, "created_at": new[0].at}, into=slice_name)
    else:
        session.update(slices, into=slice_name, values=values)
    return len(new)
