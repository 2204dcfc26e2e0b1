"""The audit: the ledger's acts as they may be told, ids and never values (OP1, BR11)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import Any

from sqlalchemy import and_, func, or_, select

from sliceway.core.access import EVERY
from sliceway.core.sight import CORNERS, MINDS
from sliceway.core.slices import SYSTEM, Landing, kind_of
from sliceway.ports.outcomes import AuditEntry, SliceEntry
from sliceway.store.ledger import json_value
from sliceway.store.session import Session
from sliceway.store.tables import events, pages, slices

_BATCH = 500
_NAMES = frozenset({"slug"})
"""What is named after what it is about, and so is not told of a private slice."""

REFUSALS = frozenset({"refused", "refused.in_gateway"})
"""The acts that were none: refused here, or by a gateway that told of it."""

Place = tuple[str, str, int]
"""Where an act stands in the audit: time, slice, sequence."""


def acts(
    session: Session,
    *,
    names: tuple[str, ...] | None,
    own: str | None,
    before: Place | None,
    wanted: Callable[[AuditEntry], bool],
) -> Iterator[tuple[Place, AuditEntry]]:
    """Give the acts that are wanted, newest first, each with its place; read in batches, as far as asked.

    :param names: the slices to look in; None means all.
    :param own: the agent's slice whose acts are told in full.
    :param before: go on after this place.
    """
    while True:
        where = []
        if names is not None:
            where.append(events.c.slice.in_(names))
        if before is not None:
            where.append(_after(before))
        columns = (events.c.slice, events.c.seq, events.c.event_id, events.c.kind, events.c.at, events.c.author)
        found = session.execute(
            select(*columns, events.c.payload)
            .where(*where)
            .order_by(events.c.at.desc(), events.c.slice.desc(), events.c.seq.desc())
            .limit(_BATCH),
            of=names if names is not None else EVERY,
        ).all()
        for row in found:
            before = (row.at, row.slice, row.seq)
            entry = _entry(row, own)
            if entry is not None and wanted(entry):
                yield before, entry
        if len(found) < _BATCH:
            return


def _after(place: Place) -> Any:
    at, name, seq = place
    return or_(
        events.c.at < at,
        and_(events.c.at == at, events.c.slice < name),
        and_(events.c.at == at, events.c.slice == name, events.c.seq < seq),
    )


def _entry(row: Any, own: str | None) -> AuditEntry | None:
    """Return an event as an act, None where it is nobody's to see.

    What a page is named after is told of the team's slices and of one's own. What a person drafts is no act for
    anybody until it is sent (AP23), and the sequence in a corner would count it, as that of the brain's own slice would
    count everybody's acts for one agent.
    """
    about = (json_value(row.payload) if row.payload is not None else {}).get("about", {})
    author = json_value(row.author)
    in_corner = row.slice.startswith(CORNERS)
    counts = in_corner or (row.slice == SYSTEM and own is not None)
    if in_corner and row.kind.startswith("proposal."):
        return None
    if in_corner or (row.slice.startswith(MINDS) and row.slice != own):
        about = {name: value for name, value in about.items() if name not in _NAMES}
    return AuditEntry(row.slice, 0 if counts else row.seq, row.event_id, row.at, row.kind, author, about)


def slices_known(session: Session, named: Collection[str] | None = None) -> tuple[SliceEntry, ...]:
    """Return the slices that exist, all or those named, by name. Others are not looked at (BR4, FR10).

    Those who are given all of them see all proposals too; the rest see a slice as its pages show it.
    """
    changed = select(func.max(pages.c.updated_at)).where(pages.c.slice == slices.c.slice).scalar_subquery()
    statement = select(slices.c.slice, slices.c.docs, slices.c.updated_at, changed.label("changed"))
    statement = statement.where(slices.c.slice.in_(named) if named is not None else slices.c.slice != SYSTEM)
    entries = []
    for row in session.execute(statement.order_by(slices.c.slice), of=named if named is not None else EVERY):
        kind = kind_of(row.slice)
        if kind is None or row.slice == SYSTEM:
            continue
        # What is only asked for, or drafted, shows to nobody who may not see it (AP23, AP26).
        at = row.changed if named is not None or kind.landing is Landing.PERSON else row.updated_at
        if at is not None:
            entries.append(SliceEntry(row.slice, kind.kind, kind.title, kind.readers, row.docs, at))
    return tuple(entries)
