"""First answers to writes, so that a retry is given the same one (BR6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sqlalchemy import select

from sliceway.core.access import EVERY
from sliceway.core.clock import from_text, to_text
from sliceway.core.ledger import keyed_digest
from sliceway.errors import IdempotencyConflict
from sliceway.store import ledger
from sliceway.store.ledger import SliceTransaction
from sliceway.store.session import Session
from sliceway.store.tables import idempotency, slices

KEPT = timedelta(days=7)
"""How long a first answer is kept."""


@dataclass(frozen=True, slots=True)
class Request:
    """One write as its caller made it: the id a retry would carry again, by whom, in which turn, and `content`, the
    JSON values that a retry must repeat."""

    id: str | None
    principal: str
    agent: str | None
    turn: str | None
    content: Mapping[str, Any]


def first_answer(transaction: SliceTransaction, request: Request) -> Any | None:
    """Return what `keep_answer` kept for this request in the transaction's slice, None if it is new here.

    :raises IdempotencyConflict: the id was used for other content.
    """
    if request.id is None:
        return None
    row = transaction.session.execute(
        select(idempotency.c.digest, idempotency.c.answer, idempotency.c.at).where(
            idempotency.c.slice == transaction.slice,
            idempotency.c.principal == request.principal,
            idempotency.c.request_id == request.id,
        ),
        of=transaction.slice,
    ).one_or_none()
    if row is None or row.at < _oldest(transaction.now):
        return None
    if row.digest != keyed_digest(transaction.key, request.content):
        raise IdempotencyConflict(request_id=request.id)
    return ledger.json_value(row.answer)


def keep_answer(transaction: SliceTransaction, request: Request, answer: Any) -> None:
    """Keep the first answer (JSON values) of a request; one without an id is kept where a turn may ask for it."""
    if request.id is None and request.turn is None:
        return
    name = request.id or transaction.new_id()
    key = (idempotency.c.principal == request.principal, idempotency.c.request_id == name)
    if request.id is not None:
        transaction.session.delete(idempotency, *key, into=transaction.slice)
    made = {
        "principal": request.principal, "request_id": name,
        "digest": keyed_digest(transaction.key, request.content), "answer": ledger.json_text(answer),
        "agent": request.agent, "turn": request.turn, "at": transaction.now,
    }  # fmt: skip
    transaction.session.insert(idempotency, made, into=transaction.slice)


def known_requests(transaction: SliceTransaction, principal: str, ids: Sequence[str]) -> set[str]:
    """Return those of some requests whose first answer is kept in the transaction's slice."""
    rows = transaction.session.execute(
        select(idempotency.c.request_id).where(
            idempotency.c.slice == transaction.slice,
            idempotency.c.principal == principal,
            idempotency.c.request_id.in_(ids),
            idempotency.c.at >= _oldest(transaction.now),
        ),
        of=transaction.slice,
    )
    return set(rows.scalars())


def answers_in(session: Session, named: Sequence[str], *, agent: str, turn: str) -> list[Any]:
    """Return the first answers that an agent's turn was given in some slices, oldest first."""
    rows = session.execute(
        select(idempotency.c.answer)
        .where(idempotency.c.slice.in_(named), idempotency.c.turn == turn, idempotency.c.agent == agent)
        .order_by(idempotency.c.at, idempotency.c.request_id),
        of=named,
    ).scalars()
    return [ledger.json_value(answer) for answer in rows]


def with_old_answers(session: Session, now: str) -> tuple[str, ...]:
    """Return the slices that keep answers for longer than they need to; one index look-up a slice."""
    old = select(idempotency.c.at).where(idempotency.c.slice == slices.c.slice, idempotency.c.at < _oldest(now))
    holding = select(slices.c.slice).where(old.exists()).order_by(slices.c.slice)
    return tuple(session.execute(holding, of=EVERY).scalars())


def forget_answers(session: Session, slice_name: str, now: str) -> int:
    """Drop a slice's answers that are older than they are kept; return how many."""
    return session.delete(idempotency, idempotency.c.at < _oldest(now), into=slice_name)


def _oldest(now: str) -> str:
    return to_text(from_text(now) - KEPT)
