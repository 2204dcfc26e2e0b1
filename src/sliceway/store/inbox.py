"""Finding proposals within a caller's sight: by id, newest first, and in the order they changed (AP26, BR16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, Select, and_, false, not_, or_, select, text, union_all

from sliceway.core.access import EVERY
from sliceway.core.proposals import State
from sliceway.core.sight import MINDS, TEAM_SLICES, Sight
from sliceway.errors import NotFound
from sliceway.store.proposals import WAITING
from sliceway.store.session import Session, led_by
from sliceway.store.tables import events, proposals

_IS_DRAFT_ROW = proposals.c.slice != proposals.c.destination
_IS_SENT = and_(_IS_DRAFT_ROW, proposals.c.state == State.PENDING.value)
_AT_ONCE = 20
"""Slices whose changes one statement asks for."""
_STILL_WAITS = text("proposals.state IN ('draft', 'pending')")


def _seen(sight: Sight) -> ColumnElement[bool]:
    """Return the condition that a row is within a sight; every part of it names its slices."""
    parts: list[ColumnElement[bool]] = []
    in_team = proposals.c.slice.in_(TEAM_SLICES)
    if sight.everyone:
        parts.append(in_team)
    else:
        if sight.agent is not None:
            parts.append(and_(in_team, proposals.c.agent == sight.agent))
        if sight.requester is not None:
            parts.append(and_(in_team, proposals.c.requester == sight.requester))
    if sight.own is not None:
        parts.append(and_(proposals.c.slice == sight.own, not_(_IS_DRAFT_ROW)))
    if sight.corner is not None:
        parts.append(and_(proposals.c.slice == sight.corner, proposals.c.agent == sight.agent))
    if sight.minds:
        parts.append(proposals.c.slice.like(f"{MINDS}%"))
    return or_(*parts) if parts else false()


def find(session: Session, id: str) -> RowMapping:
    """Return a proposal's row; of a draft that was sent, the destination's row where it is there (AP23).

    :raises NotFound: there is none within the session's sight; missing and foreign are one answer, by one work (BR4).
    """
    sight = session.sight
    parts = _by_id(sight, id)
    found = session.execute(union_all(*parts), of=sight.reads).mappings().all() if parts else []
    if not found:
        raise NotFound("There is no such proposal.")
    return min(found, key=lambda row: bool(row["slice"] != row["destination"]))


def _by_id(sight: Sight, id: str) -> list[Select[Any]]:
    """Return the look-ups that together see what `_seen` does of one id. Where only some rows of a slice are seen, an
    index that begins with whose they are leads there: the key would touch a foreign row before it is left out."""
    columns = proposals.c
    parts = []

    def look(*where: ColumnElement[bool], by: str | None = None) -> None:
        one = select(proposals).where(*where, columns.id == id)
        parts.append(one if by is None else led_by(one, proposals, by))

    if sight.everyone:
        look(columns.slice.in_(TEAM_SLICES))
    elif sight.agent is not None:
        look(columns.slice.in_(TEAM_SLICES), columns.agent == sight.agent, by="proposals_by_agent")
    if sight.requester is not None and not sight.everyone:
        look(columns.slice.in_(TEAM_SLICES), columns.requester == sight.requester, by="proposals_by_requester")
    if sight.own is not None:
        look(columns.slice == sight.own, not_(_IS_DRAFT_ROW))
    if sight.corner is not None:
        look(columns.slice == sight.corner, columns.agent == sight.agent, by="proposals_by_agent")
    if sight.minds:
        look(columns.slice.like(f"{MINDS}%"))
    return parts


def newest(session: Session, *, state: State | None, before: str | None, limit: int, now: str) -> list[RowMapping]:
    """Return rows newest first, in the state that they read as at `now` (AP14)."""
    sight = session.sight
    where = [_seen(sight), not_(_IS_SENT)]
    if before is not None:
        where.append(proposals.c.id < before)
    if state is not None:
        waits = proposals.c.state.in_(WAITING)
        past = proposals.c.expires_at <= now
        if state.value in WAITING:
            where += [proposals.c.state == state.value, not_(past)]
        elif state is State.EXPIRED:
            where.append(or_(proposals.c.state == state.value, and_(waits, past)))
        else:
            where.append(proposals.c.state == state.value)
    listed = select(proposals).where(*where).order_by(proposals.c.id.desc()).limit(limit)
    found = session.execute(listed, of=sight.reads)
    return list(found.mappings().all())


def changed(session: Session, after: Mapping[str, int], limit: int) -> list[RowMapping]:
    """Return rows that changed after a place in the feed of each slice, in that order within each slice.

    :param after: the sequence of the last change seen of each slice; a slice that is missing is seen from its start.
    """
    rows: list[RowMapping] = []
    seen, names = _seen(session.sight), _slices(session)

    def part(name: str) -> Select[Any]:
        where = (seen, not_(_IS_SENT), proposals.c.slice == name, proposals.c.changed > after.get(name, 0))
        ordered = select(proposals).where(*where).order_by(proposals.c.changed).limit(limit).subquery()
        return select(ordered)

    for at in range(0, len(names), _AT_ONCE):
        some = names[at : at + _AT_ONCE]
        rows += session.execute(union_all(*map(part, some)), of=some).mappings().all()
    rows.sort(key=lambda row: (row["changed_at"], row["slice"], row["changed"]))
    return _in_step(rows)[:limit]


def still_there(session: Session, places: Mapping[str, Sequence[Any]]) -> bool:
    """Say whether these places of the feed are in this record: in each slice that is seen, the event of that number was
    written at that time. A record that was put back from a backup goes less far, or on in another way.

    :param places: by slice, the number of the last change seen, and its time; None where that is not known.
    """
    seen = {name: tuple(places[name]) for name in _slices(session) if name in places}
    wanted = {name: place for name, place in seen.items() if place[1] is not None}
    if not wanted:
        return True
    each = [and_(events.c.slice == name, events.c.seq == place[0]) for name, place in sorted(wanted.items())]
    found = session.execute(select(events.c.slice, events.c.seq, events.c.at).where(or_(*each)), of=wanted)
    return {row.slice: (row.seq, row.at) for row in found} == wanted


def _in_step(rows: list[RowMapping]) -> list[RowMapping]:
    """Keep each slice's own order where the clock went back: a cut must never pass over an earlier change."""
    places: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        places.setdefault(row["slice"], []).append(index)
    ordered = list(rows)
    for indexes in places.values():
        own = sorted((rows[index] for index in indexes), key=lambda row: int(row["changed"]))
        for index, row in zip(indexes, own, strict=True):
            ordered[index] = row
    return ordered


def _slices(session: Session) -> list[str]:
    names = set(session.sight.slices)
    if session.sight.minds:
        minds = select(proposals.c.slice).where(proposals.c.slice.like(f"{MINDS}%")).distinct()
        found = session.execute(minds, of=f"{MINDS}*")
        names |= set(found.scalars())
    return sorted(names)


def of_turn(session: Session, turn: str) -> list[RowMapping]:
    """Return what the sight's own agent asked for in a turn, in order."""
    sight = session.sight
    where = (proposals.c.slice.in_(sight.slices), proposals.c.turn == turn, proposals.c.agent == sight.agent)
    asked = select(proposals).where(*where, _seen(sight), not_(_IS_SENT)).order_by(proposals.c.id)
    found = session.execute(asked, of=sight.reads)
    return list(found.mappings().all())


def overdue(session: Session, now: str) -> list[tuple[str, str]]:
    """Return slice and id of what waits past its time; a draft that was sent waits no more (AP14)."""
    where = (_STILL_WAITS, proposals.c.expires_at <= now, not_(_IS_SENT))
    found = session.execute(select(proposals.c.slice, proposals.c.id).where(*where), of=EVERY)
    return [(row[0], row[1]) for row in found]


def unfinished_sends(session: Session) -> list[RowMapping]:
    """Return the drafts that were sent and whose destination has no row yet: a crash came between (AP23)."""
    twin = proposals.alias("twin")
    there = select(twin.c.id).where(twin.c.slice == proposals.c.destination, twin.c.id == proposals.c.id).exists()
    where: tuple[Any, ...] = (_STILL_WAITS, _IS_SENT, not_(there))
    return list(session.execute(select(proposals).where(*where), of=EVERY).mappings().all())
