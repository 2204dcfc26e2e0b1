"""Giving events out: one moment of the ledger, read part by part (BR11).

The ledger only grows. What a slice had at one moment is what it has up to the sequence it had then, so nothing is held
open between two parts.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlalchemy import select

from sliceway.core.access import EVERY
from sliceway.ports.outcomes import ExportedEvent
from sliceway.store.ledger import event_of
from sliceway.store.replay import PAGE_KINDS
from sliceway.store.session import Session
from sliceway.store.tables import events, slices

_PART = 200
"""Events in one part: a page is at most 256 KiB."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """The events of one slice up to a moment."""

    slice: str
    upto: int
    head: str
    key: bytes


def stretches(session: Session, names: Collection[str] | None) -> tuple[Stretch, ...]:
    """Return what slices there are at this moment, in order of names.

    :param names: those to look at; None means all.
    """
    statement = select(slices.c.slice, slices.c.seq, slices.c.head, slices.c.key)
    if names is not None:
        statement = statement.where(slices.c.slice.in_(names))
    found = session.execute(statement, of=names if names is not None else EVERY).all()
    return tuple(sorted((Stretch(*row) for row in found), key=lambda one: one.slice))


def part_of(
    session: Session, stretch: Stretch, after: int, *, whole: bool
) -> tuple[Sequence[ExportedEvent], int | None]:  # fmt: skip
    """Return the next events of a stretch, and after which sequence to go on, None at its end.

    :param whole: every event, with what links it; else those of pages alone, without what would tell how many
        others stand between them (AP26).
    """
    where = [events.c.slice == stretch.slice, events.c.seq > after, events.c.seq <= stretch.upto]
    if not whole:
        where.append(events.c.kind.in_(sorted(PAGE_KINDS)))
    statement = select(events).where(*where).order_by(events.c.seq).limit(_PART)
    found = session.execute(statement, of=stretch.slice).mappings().all()
    told = []
    for row in found:
        event = event_of(row)
        linked = (event.seq, event.prev, event.hash, event.digest, event.salt.hex() if event.salt else None)
        seq, prev, own, digest, salt = linked if whole else (0, "", "", None, None)
        told.append(
            ExportedEvent(
                slice=event.slice, seq=seq, event_id=event.event_id, kind=event.kind, at=event.at,
                author=dict(event.author), payload=dict(event.payload) if event.payload is not None else None,
                prev=prev, hash=own, digest=digest, salt=salt,
            )
        )  # fmt: skip
    return told, found[-1]["seq"] if len(found) == _PART else None
