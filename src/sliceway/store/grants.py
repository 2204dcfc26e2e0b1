"""The rows of grants: given with a decision, judged anew at every use, ended with an event (AP15-AP17)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, select

from sliceway.core.access import EVERY
from sliceway.core.clock import from_text, to_text
from sliceway.core.grants import Grant, covers, why_ended
from sliceway.core.policy import Policy
from sliceway.core.turns import Person, Place
from sliceway.store.ledger import SliceTransaction, json_text, json_value
from sliceway.store.record import RowChange, record
from sliceway.store.session import Session, led_by
from sliceway.store.tables import grants
from sliceway.wire import codec


def give(
    tx: SliceTransaction,
    *,
    id: str,
    agent: str,
    writer: Person,
    place: Place,
    granted_by: Person,
    length: timedelta,
    proposal: str,
    author: Mapping[str, Any],
) -> str:
    """Give a grant on the transaction's slice from now on; return its id."""
    until = to_text(from_text(tx.now) + length)
    values = {
        "agent": agent, "writer_key": writer.slice, "writer": json_text(codec.to_json(writer)),
        "surface": place.surface, "team": place.team, "channel": place.channel, "thread": place.thread,
        "granted_by": json_text(codec.to_json(granted_by)), "given_at": tx.now, "until": until, "proposal": proposal,
        "ended_at": None, "ended_why": None,
    }  # fmt: skip
    about = {"grant": id, "slice": tx.slice, "agent": agent, "proposal": proposal, "until": until}
    record(tx, "grant.given", about=about, author=author, rows=[RowChange(grants, {"id": id}, values)])
    return id


def end(tx: SliceTransaction, grant: Grant, why: str, *, author: Mapping[str, Any]) -> Grant:
    """End a grant, in one event; one that ended before stays as it is."""
    row = _row(tx.session, tx.slice, grant.id)
    if row is not None and row["ended_at"] is None:
        values = {"ended_at": tx.now, "ended_why": why}
        change = RowChange(grants, {"id": grant.id}, values, {"ended_at": None})
        about = {"grant": grant.id, "slice": tx.slice, "agent": grant.agent, "why": why}
        record(tx, "grant.ended", about=about, author=author, rows=[change])
    return grant_of(tx.session, tx.slice, grant.id)


def covering(
    session: Session,
    slice_name: str,
    *,
    agent: str,
    writer: Person,
    place: Place,
    policy: Policy,
    now: str,
) -> Grant | None:
    """Return the live grant for this agent, writer, thread and slice, the one that lasts longest, None if none is."""
    found = session.execute(
        select(grants)
        .where(
            grants.c.slice == slice_name,
            grants.c.agent == agent,
            grants.c.writer_key == writer.slice,
            grants.c.ended_at.is_(None),
            grants.c.until > now,
        )
        .order_by(grants.c.until.desc()),
        of=slice_name,
    ).mappings()
    for row in found:
        grant = _shown(row)
        if why_ended(grant, policy, now) is None and covers(
            grant, agent=agent, writer=writer, place=place, slice_name=slice_name
        ):
            return grant
    return None


def grant_of(session: Session, slice_name: str, id: str) -> Grant:
    """Return a grant that is there."""
    row = _row(session, slice_name, id)
    assert row is not None
    return _shown(row)


def find_grant(session: Session, slices: tuple[str, ...], id: str, *, agent: str | None = None) -> Grant | None:
    """Return a grant in one of some slices, of one agent where given: another agent's is not touched then (BR4)."""
    named = select(grants).where(grants.c.slice.in_(slices), grants.c.id == id)
    if agent is not None:
        named = led_by(named.where(grants.c.agent == agent), grants, "grants_by_agent")
    row = session.execute(named, of=slices).mappings().one_or_none()
    return _shown(row) if row is not None else None


def open_grants(
    session: Session, slices: tuple[str, ...] | None, *, agent: str | None = None, before: str | None = None
) -> tuple[Grant, ...]:
    """Return the grants whose rows are not ended, newest first; of one agent, before an id, where given."""
    where: list[ColumnElement[bool]] = [grants.c.ended_at.is_(None)]
    if slices is not None:
        where.append(grants.c.slice.in_(slices))
    if agent is not None:
        where.append(grants.c.agent == agent)
    if before is not None:
        where.append(grants.c.id < before)
    of = slices if slices is not None else EVERY
    found = session.execute(select(grants).where(*where).order_by(grants.c.id.desc()), of=of).mappings()
    return tuple(_shown(row) for row in found)


def _row(session: Session, slice_name: str, id: str) -> RowMapping | None:
    where = (grants.c.slice == slice_name, grants.c.id == id)
    return session.execute(select(grants).where(*where), of=slice_name).mappings().one_or_none()


def _shown(row: RowMapping) -> Grant:
    return Grant(
        id=row["id"], slice=row["slice"], agent=row["agent"], writer=_person(row["writer"]),
        place=Place(row["surface"], row["team"], row["channel"], row["thread"]),
        granted_by=_person(row["granted_by"]), given_at=row["given_at"], until=row["until"], proposal=row["proposal"],
        ended_at=row["ended_at"], ended_why=row["ended_why"],
    )  # fmt: skip


def _person(text: Any) -> Person:
    return codec.from_json(Person, json_value(text))
