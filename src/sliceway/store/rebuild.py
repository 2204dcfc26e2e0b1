"""Making every row that follows from the ledger again, from the ledger alone (BR11): one slice, one transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import select

from sliceway.core.ledger import GENESIS, Event
from sliceway.core.slices import SYSTEM
from sliceway.store import record, vectors
from sliceway.store.batch import PageBatch
from sliceway.store.chain import PROJECTED, BrokenChain, walk
from sliceway.store.ledger import new_key
from sliceway.store.replay import PAGE_KINDS
from sliceway.store.session import Session
from sliceway.store.tables import slices

_BATCH = 200
"""Events whose rows are written at once."""

Seen = Callable[[int], None]
"""Told how many events of the slice were followed."""


class Projection:
    """Every row of one slice that follows from its events, brought in step batch by batch."""

    def __init__(self, session: Session, slice_name: str, *, docs: int = 0, length: int = 0) -> None:
        """Go on from a slice that counts so many pages and terms."""
        self._session, self._slice = session, slice_name
        self.docs, self.length = docs, length

    def follow(self, told: Sequence[Event]) -> None:
        """Bring the rows in step with the next events. Those that were erased tell nothing."""
        of_pages = [event for event in told if event.kind in PAGE_KINDS and event.payload is not None]
        slugs = [(event.payload or {})["about"]["slug"] for event in of_pages]
        batch = PageBatch(self._session, self._slice, slugs)
        for event in of_pages:
            batch.follow(event)
        docs, length = batch.write()
        self.docs, self.length = self.docs + docs, self.length + length
        for event in told:
            record.replay(self._session, event)


def rebuild_slice(session: Session, slice_name: str, seen: Seen) -> int:
    """Make the rows of one slice again, and return how many events they follow from.

    What stays is the ledger, the slice's key, and work under way: claims of cards, answers kept for retries, leases.

    :raises BrokenChain: its events do not hold, or are not all there; nothing of this transaction may be kept then.
    """
    session.land(slice_name)
    for table in PROJECTED:
        session.delete(table, into=slice_name)
    session.orders.forget(slice_name)
    vectors.drop_all(session, slice_name)
    rows = Projection(session, slice_name)
    first: Event | None = None
    last: Event | None = None
    waiting: list[Event] = []
    for event in walk(session, slice_name):
        first, last = first or event, event
        waiting.append(event)
        if len(waiting) == _BATCH:
            _follow(rows, waiting, seen)
            waiting = []
    _follow(rows, waiting, seen)
    _head(session, slice_name, rows, first, last)
    return last.seq if last is not None else 0


def _follow(rows: Projection, told: Sequence[Event], seen: Seen) -> None:
    try:
        rows.follow(told)
    except (KeyError, TypeError, ValueError, AttributeError):
        what = "it, or one of those after it, tells of something that this program does not know"
        raise BrokenChain(what, told[0].seq, told[0].event_id) from None
    if told:
        seen(told[-1].seq)


def _head(session: Session, slice_name: str, rows: Projection, first: Event | None, last: Event | None) -> None:
    """Bring the slice's own row in step.

    :raises BrokenChain: it knows of more events than there are, or of another last one. What was cut off is not to be
        forgotten by making it look whole.
    """
    seq, head = (last.seq, last.hash) if last is not None else (0, GENESIS)
    own = select(slices.c.seq, slices.c.head).where(slices.c.slice == slice_name)
    known = session.execute(own, of=slice_name).one_or_none()
    if known is not None and (known.seq > seq or (known.seq == seq and known.head != head)):
        raise BrokenChain("the last events of its chain are missing or others; restore a backup", known.seq)
    if last is None or first is None:
        return
    values: dict[str, Any] = {
        "seq": seq, "head": head, "docs": rows.docs, "length": rows.length, "updated_at": last.at,
    }  # fmt: skip
    if slice_name != SYSTEM:  # which is made before its first event
        values["created_at"] = first.at
    if known is not None:
        session.update(slices, into=slice_name, values=values)
    else:
        session.insert(slices, {"created_at": first.at, **values, "key": new_key()}, into=slice_name)
