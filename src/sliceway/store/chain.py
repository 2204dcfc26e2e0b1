"""Walking one slice's chain event by event, each held against what links it to the one before (BR11)."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import RowMapping, func, select
from sqlalchemy.exc import DBAPIError

from sliceway.core.access import EVERY
from sliceway.core.ledger import GENESIS, Event, faults_of
from sliceway.store.ledger import event_of, event_rows, json_text
from sliceway.store.record import RECORDED
from sliceway.store.session import Session
from sliceway.store.tables import events, links, neighbours, page_versions, pages, slices, terms, vectors

PROJECTED = (terms, neighbours, links, page_versions, pages, *RECORDED)
"""The tables whose every row follows from events."""


class BrokenChain(Exception):
    """An event that does not hold, the first of its slice; no answer to anybody, but what a report is made of."""

    def __init__(self, what: str, seq: int | None = None, event_id: str | None = None) -> None:
        """Say what is wrong with which event."""
        super().__init__(what)
        self.what, self.seq, self.event_id = what, seq, event_id


def events_counted(session: Session) -> int:
    """Return how many events there are in all slices."""
    return int(session.execute(select(func.count()).select_from(events), of=EVERY).scalar_one())


def slices_with_rows(session: Session) -> set[str]:
    """Return every slice that has an event, or a row that must follow from one."""
    named: set[str] = set()
    for table in (slices, events, vectors, *PROJECTED):
        named |= set(session.execute(select(table.c.slice).distinct(), of=EVERY).scalars())
    return named


def walk(session: Session, slice_name: str) -> Iterator[Event]:
    """Give the events of a slice in order, as long as they hold.

    :raises BrokenChain: at the first that does not.
    """
    prev, seq = GENESIS, 0
    for row in _rows(session, slice_name):
        event = _checked(row, seq + 1, prev)
        yield event
        prev, seq = event.hash, event.seq


def _checked(row: RowMapping, seq: int, prev: str) -> Event:
    try:
        event = event_of(row)
        wrong = faults_of(event, seq, prev)
        # One value has one spelling in the ledger: another one of the same was written by another hand.
        if json_text(event.author) != row["author"]:
            wrong.append("its author is not spelt as the ledger spells it")
        if event.payload is not None and json_text(event.payload) != row["payload"]:
            wrong.append("its payload is not spelt as the ledger spells it")
        if row["token"] != event.author.get("token_id"):
            wrong.append("its token is not its author's")
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise BrokenChain("its row cannot be read", row["seq"], row["event_id"]) from None
    if wrong:
        raise BrokenChain("; ".join(wrong), event.seq, event.event_id)
    return event


def _rows(session: Session, slice_name: str) -> Iterator[RowMapping]:
    """Give the rows of a slice's events; where the engine cannot read one, those before it first."""
    after: int | None = None
    try:
        for chunk in event_rows(session, slice_name):
            yield from chunk
            after = chunk[-1]["seq"]
    except DBAPIError:
        yield from _one_by_one(session, slice_name, after)


def _one_by_one(session: Session, slice_name: str, after: int | None) -> Iterator[RowMapping]:
    where = [events.c.slice == slice_name, *([events.c.seq > after] if after is not None else [])]
    known = select(events.c.seq).where(*where).order_by(events.c.seq)
    for seq in session.execute(known, of=slice_name).scalars().all():
        at = (events.c.slice == slice_name, events.c.seq == seq)
        try:
            row = session.execute(select(events).where(*at), of=slice_name).mappings().one()
        except DBAPIError:
            raise BrokenChain("its row cannot be read", seq, _id_at(session, slice_name, seq)) from None
        yield row


def _id_at(session: Session, slice_name: str, seq: int) -> str | None:
    """Return the id of an event whose row cannot be read whole, None where that is what is wrong with it."""
    named = select(events.c.event_id).where(events.c.slice == slice_name, events.c.seq == seq)
    try:
        found: str | None = session.execute(named, of=slice_name).scalar_one()
    except DBAPIError:
        return None
    return found
