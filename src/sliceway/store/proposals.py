"""The rows of proposals: added, moved from state to state by compare-and-set, shown as resources (AP1-AP25)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from sqlalchemy import RowMapping, and_, func, or_, select

from sliceway.core.asking import Asking, content_digest
from sliceway.core.clock import from_text, to_text
from sliceway.core.pages import ApprovedBy, Author
from sliceway.core.principals import Origin
from sliceway.core.proposals import (
    Act,
    PageDiff,
    Proposal,
    ProposalEvent,
    ProposedPage,
    State,
    after,
    place_key,
    state_at,
)
from sliceway.core.turns import Person
from sliceway.errors import NotPending
from sliceway.store.cards import cards_of
from sliceway.store.grants import grant_of
from sliceway.store.ledger import SliceTransaction, json_text, json_value
from sliceway.store.previews import Preview
from sliceway.store.record import RowChange, record
from sliceway.store.session import Session
from sliceway.store.tables import proposals
from sliceway.wire import codec

ProposalRow = RowMapping
"""A row of `proposals`."""

WAITING = (State.DRAFT.value, State.PENDING.value)


def add(
    tx: SliceTransaction,
    asking: Asking,
    *,
    id: str,
    act: str,
    state: State,
    expire_after: timedelta,
    seen: Preview,
    revision: int = 1,
    asked_before: bool = False,
    quiet: bool = False,
) -> ProposalRow:
    """Add a proposal to the transaction's slice, against the pages as they stand now.

    :param act: how it came to be: `asked`, `drafted`, `sent` or `asked_anew`.
    :param seen: what `preview` says it would change.
    """
    pages, diff = seen
    place = asking.origin.place
    step = ProposalEvent(tx.now, act, state, revision, by=asking.requested_by, reason=asking.reason)
    values = {
        "destination": asking.slice, "revision": revision, "state": state.value, "op": asking.op,
        "agent": asking.agent, "requester": asking.requester, "requested_by": text_of(asking.requested_by),
        "origin": text_of(asking.origin), "author": text_of(asking.author),
        "thread": place_key(place) if place is not None else "",
        "pages": json_text([codec.to_json(page) for page in pages]),
        "diff": json_text([codec.to_json(part) for part in diff]),
        "digest": content_digest(tx.key, asking.op, asking.slice, pages),
        "created_at": tx.now, "expires_at": to_text(from_text(tx.now) + expire_after),
        "asked_before": asked_before, "quiet": quiet, "raised": asking.raised, "superseded_by": None,
        "decided_by": None, "decided_at": None, "reason": None, "grant_id": None, "turn": asking.origin.turn,
        "history": json_text([codec.to_json(step)]),
    }  # fmt: skip
    record(
        tx, f"proposal.{act}", about=about(id, asking.slice, asking.op, asking.agent, None, state, revision),
        author=codec.to_json(asking.author), rows=[RowChange(proposals, {"id": id}, values)],
    )  # fmt: skip
    return row_in(tx.session, tx.slice, id)


def move(
    tx: SliceTransaction,
    row: ProposalRow,
    act: Act,
    *,
    author: Mapping[str, Any],
    by: Person | None = None,
    operator: str | None = None,
    reason: str | None = None,
    note: Mapping[str, Any] | None = None,
    **values: Any,
) -> ProposalRow:
    """Move a proposal by an act, in one event, where it still is what `row` says (compare and set).

    :param note: more ids for the audit.
    :param values: more columns that change with it.

    :raises NotPending: the act cannot happen in that state.
    :raises Conflict: it moved meanwhile.
    """
    before, revision = State(row["state"]), row["revision"] + 1
    state = after(before, act)
    step = ProposalEvent(tx.now, act.value, state, revision, by=by, operator=operator, reason=reason)
    history = [*json_value(row["history"]), codec.to_json(step)]
    if reason is not None:
        values["reason"] = reason
    values |= {"state": state.value, "revision": revision, "history": json_text(history)}
    change = RowChange(proposals, {"id": row["id"]}, values, {"state": before.value, "revision": row["revision"]})
    record(
        tx, f"proposal.{act.value}",
        about=about(row["id"], row["destination"], row["op"], row["agent"], before, state, revision) | dict(note or {}),
        author=author, rows=[change],
    )  # fmt: skip
    return row_in(tx.session, tx.slice, row["id"])


def about(
    id: str, slice_name: str, op: str, agent: str, before: State | None, state: State, revision: int
) -> dict[str, Any]:
    """Return what an audit says of a step: ids and states, never text."""
    return {
        "proposal": id, "slice": slice_name, "op": op, "agent": agent,
        "before": before.value if before is not None else None, "after": state.value, "revision": revision,
    }  # fmt: skip


def row_in(session: Session, slice_name: str, id: str) -> ProposalRow:
    """Return the row of a proposal that is there."""
    where = (proposals.c.slice == slice_name, proposals.c.id == id)
    return session.execute(select(proposals).where(*where), of=slice_name).mappings().one()


def row_or_none(session: Session, slice_name: str, id: str) -> ProposalRow | None:
    """Return the row of a proposal, None where the slice has no such row."""
    where = (proposals.c.slice == slice_name, proposals.c.id == id)
    return session.execute(select(proposals).where(*where), of=slice_name).mappings().one_or_none()


def state_of(row: ProposalRow, now: str) -> State:
    """Return a row's state as it reads at `now` (AP14). A draft that was sent waits for its twin, not for a person."""
    if is_sent(row):
        return State(row["state"])
    return state_at(State(row["state"]), row["expires_at"], now)


def is_sent(row: ProposalRow) -> bool:
    """Say whether a row is a draft that its owner sent: the destination's row stands for it from then on (AP23)."""
    return bool(row["slice"] != row["destination"] and row["state"] == State.PENDING.value)


def not_pending(row: ProposalRow, now: str) -> NotPending:
    """Return the error that tells truthfully how a proposal stands (AP11)."""
    state = state_of(row, now)
    decided_by = json_value(row["decided_by"]) if row["decided_by"] is not None else None
    words = {
        State.APPLIED: "It was approved and is written.",
        State.DENIED: "It was denied.",
        State.EXPIRED: "Its time ran out; nobody decided. It can be asked for again.",
        State.WITHDRAWN: "It was taken back.",
        State.SUPERSEDED: "The page changed meanwhile; a new proposal shows the new difference.",
        State.DRAFT: "Its owner has not sent it.",
        State.PENDING: "It waits for a decision.",
    }
    return NotPending(
        words[state], state=state.value, decided_by=decided_by, decided_at=row["decided_at"],
        superseded_by=row["superseded_by"],
    )  # fmt: skip


def waiting_like(tx: SliceTransaction, asking: Asking, pages: tuple[ProposedPage, ...]) -> ProposalRow | None:
    """Return what already waits for the same agent, thread, destination and content (AP2)."""
    place = asking.origin.place
    where = and_(
        proposals.c.slice == tx.slice,
        proposals.c.digest == content_digest(tx.key, asking.op, asking.slice, pages),
        proposals.c.agent == asking.agent,
        proposals.c.thread == (place_key(place) if place is not None else ""),
        _waits(tx.now),
    )
    like = select(proposals).where(where).order_by(proposals.c.id).limit(1)
    return tx.session.execute(like, of=tx.slice).mappings().first()


def asked_before(tx: SliceTransaction, asking: Asking, pages: tuple[ProposedPage, ...]) -> str | None:
    """Return when the same content was last denied to this agent here, None where it never was (AP18)."""
    latest: str | None = tx.session.execute(
        select(func.max(proposals.c.decided_at)).where(
            proposals.c.slice == tx.slice,
            proposals.c.digest == content_digest(tx.key, asking.op, asking.slice, pages),
            proposals.c.agent == asking.agent,
            proposals.c.state == State.DENIED.value,
        ),
        of=tx.slice,
    ).scalar_one()
    return latest


def count_waiting(
    session: Session,
    slices: tuple[str, ...],
    now: str,
    *,
    agent: str | None = None,
    requester: str | None = None,
    drafts: bool = False,
) -> int:
    """Count what waits in some slices, drafts of one owner included where asked (AP25)."""
    where = [proposals.c.slice.in_(slices), _waits(now)]
    if not drafts:
        where.append(proposals.c.slice == proposals.c.destination)
    if agent is not None:
        where.append(proposals.c.agent == agent)
    if requester is not None:
        where.append(proposals.c.requester == requester)
    counted: int = session.execute(select(func.count()).select_from(proposals).where(*where), of=slices).scalar_one()
    return counted


def _waits(now: str) -> Any:
    """Return the condition that a row waits at `now`, and is no draft that was sent."""
    return and_(
        proposals.c.state.in_(WAITING),
        proposals.c.expires_at > now,
        or_(proposals.c.slice == proposals.c.destination, proposals.c.state == State.DRAFT.value),
    )


def shown(session: Session, row: ProposalRow, now: str) -> Proposal:
    """Return a row as the resource that those who may see it see."""
    decided_by = row["decided_by"]
    return Proposal(
        id=row["id"], slice=row["destination"], revision=row["revision"], state=state_of(row, now), op=row["op"],
        agent=row["agent"], pages=pages_of(row), requested_by=_person(row), origin=origin_of(row),
        created_at=row["created_at"], expires_at=row["expires_at"],
        diff=tuple(codec.from_json(PageDiff, part) for part in json_value(row["diff"])),
        asked_before=row["asked_before"], quiet=row["quiet"], raised=row["raised"], superseded_by=row["superseded_by"],
        decided_by=codec.from_json(ApprovedBy, json_value(decided_by)) if decided_by is not None else None,
        decided_at=row["decided_at"], reason=row["reason"], cards=cards_of(session, row["slice"], row["id"]),
        events=tuple(codec.from_json(ProposalEvent, step) for step in json_value(row["history"])),
        grant=grant_of(session, row["slice"], row["grant_id"]) if row["grant_id"] is not None else None,
    )  # fmt: skip


def pages_of(row: ProposalRow) -> tuple[ProposedPage, ...]:
    """Return the pages of a row."""
    return tuple(codec.from_json(ProposedPage, page) for page in json_value(row["pages"]))


def origin_of(row: ProposalRow) -> Origin:
    """Return where a row's request came from."""
    return codec.from_json(Origin, json_value(row["origin"]))


def asking_of(row: ProposalRow) -> Asking:
    """Return what a row asks for, to be asked anew: its pages expect nothing of the versions that stand."""
    return Asking(
        op=row["op"], slice=row["destination"], pages=tuple(replace(page, base_version=None) for page in pages_of(row)),
        agent=row["agent"], author=codec.from_json(Author, json_value(row["author"])), origin=origin_of(row),
        requested_by=_person(row), requester=row["requester"], raised=row["raised"],
        reason=json_value(row["history"])[0].get("reason"),
    )  # fmt: skip


def _person(row: ProposalRow) -> Person | None:
    kept = row["requested_by"]
    return codec.from_json(Person, json_value(kept)) if kept is not None else None


def text_of(resource: Any) -> str | None:
    """Return what a column keeps of a resource."""
    return json_text(codec.to_json(resource)) if resource is not None else None
