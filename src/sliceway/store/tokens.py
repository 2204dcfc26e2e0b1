"""The tokens of this brain, in `_system`: made, rotated and revoked with events, read on every request (BR2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import RowMapping, case, func, select

from sliceway.core.access import EVERY
from sliceway.core.principals import Principal, PrincipalKind
from sliceway.core.slices import SYSTEM
from sliceway.core.tokens import TokenEntry, is_secret, secret_hash
from sliceway.errors import FieldError, InvalidRequest, NotFound, Unauthorized
from sliceway.store.audit import REFUSALS
from sliceway.store.ledger import SliceTransaction, json_text, json_value
from sliceway.store.record import RowChange, record
from sliceway.store.replay import PAGE_KINDS
from sliceway.store.session import Session
from sliceway.store.tables import events, slices, tokens
from sliceway.store.walls import TOKEN_SHOWN

_NOBODYS = "0" * 64
"""The hash that the secret of an unknown token is held against; no secret has it."""
_SEEN = ("first_seen", "last_seen", "writes", "denials")


GatewayTeams = tuple[frozenset[str], str | None]
"""The teams of a gateway's token, and until when it is good."""


TokenRow = RowMapping | Mapping[str, Any]
_EMPTY: Mapping[str, Any] = dict.fromkeys(tokens.c.keys())


@dataclass(frozen=True, slots=True)
class Rights:
    """What a new token stands for."""

    kind: PrincipalKind
    agent: str | None = None
    teams: Sequence[str] = ()
    acts_for: bool = False
    decides: bool = False
    slices: Sequence[str] = ()
    expires_at: str | None = None


def principal_shown(session: Session, id: str, secret: str, now: str) -> Principal:
    """Return the caller that shows a token, by its row as it stands.

    What is wrong with it is not told, and takes the same work whatever it is: one row looked up, one hash compared.

    :raises Unauthorized: no live token has this id and secret.
    """
    row = _shown(session, id)
    known = is_secret(secret, row["hash"] if row is not None else _NOBODYS)
    if row is None or not known or _ended(row, now) is not None:
        raise Unauthorized()
    return _entry(row).principal()


def gateway_teams(session: Session) -> tuple[GatewayTeams, ...]:
    """Return the teams of every gateway's token that was not revoked; whether its time is over is for who asks."""
    found = session.execute(
        select(tokens.c.teams, tokens.c.expires_at).where(
            tokens.c.slice == SYSTEM, tokens.c.kind == PrincipalKind.GATEWAY.value, tokens.c.revoked_at.is_(None)
        ),
        of=SYSTEM,
    )
    return tuple((frozenset(json_value(row.teams)), row.expires_at) for row in found)


def tokens_known(session: Session, *, after: str | None, limit: int) -> tuple[tuple[TokenEntry, ...], bool]:
    """Return up to `limit` tokens, by id, with what they did, and whether there are more."""
    where = [tokens.c.slice == SYSTEM]
    if after is not None:
        where.append(tokens.c.id > after)
    listed = select(tokens).where(*where).order_by(tokens.c.id).limit(limit + 1)
    found = session.execute(listed, of=SYSTEM).mappings().all()
    return _with_acts(session, [_entry(row) for row in found[:limit]]), len(found) > limit


def put_token(tx: SliceTransaction, id: str, secret: str, rights: Rights, *, author: Mapping[str, Any]) -> TokenEntry:
    """Write a new token; of its secret the hash alone."""
    values = {
        "kind": rights.kind.value, "agent": rights.agent, "teams": json_text(sorted(rights.teams)),
        "acts_for": rights.acts_for, "decides": rights.decides, "slices": json_text(sorted(rights.slices)),
        "hash": secret_hash(secret), "created_at": tx.now, "expires_at": rights.expires_at, "rotated_at": None,
        "revoked_at": None,
    }  # fmt: skip
    about = {
        "kind": rights.kind.value, "agent": rights.agent, "teams": sorted(rights.teams) or None,
        "acts_for": rights.acts_for or None, "decides": rights.decides or None, "slices": sorted(rights.slices) or None,
        "expires_at": rights.expires_at,
    }  # fmt: skip
    return _write(tx, "token.created", id, about, values, author)


def put_secret(tx: SliceTransaction, id: str, secret: str, *, author: Mapping[str, Any]) -> TokenEntry:
    """Give a live token a new secret; the one before is refused from here on.

    :raises NotFound: there is no such token. :raises InvalidRequest: it was revoked, or its time is over.
    """
    ended = _ended(_known(tx.session, id), tx.now)
    if ended is not None:
        detail = f"this token {ended}, and is not brought back by a new secret; create another one"
        raise InvalidRequest(errors=[FieldError("id", "invalid_request", detail)])
    return _write(tx, "token.rotated", id, {}, {"hash": secret_hash(secret), "rotated_at": tx.now}, author)


def end_token(tx: SliceTransaction, id: str, *, author: Mapping[str, Any]) -> TokenEntry:
    """Revoke a token; one that is revoked stays so, with the first time.

    :raises NotFound: there is no such token.
    """
    row = _known(tx.session, id)
    if row["revoked_at"] is not None:
        return _with_acts(tx.session, [_entry(row)])[0]
    return _write(tx, "token.revoked", id, {}, {"revoked_at": tx.now}, author)


def _write(
    tx: SliceTransaction,
    kind: str,
    id: str,
    about: Mapping[str, Any],
    values: Mapping[str, Any],
    author: Mapping[str, Any],
) -> TokenEntry:
    record(tx, kind, about={"token": id, **about}, author=author, rows=[RowChange(tokens, {"id": id}, values)])
    return _with_acts(tx.session, [_entry(_known(tx.session, id))])[0]


def _row(session: Session, id: str) -> RowMapping | None:
    named = select(tokens).where(tokens.c.slice == SYSTEM, tokens.c.id == id)
    return session.execute(named, of=SYSTEM).mappings().one_or_none()


def _shown(session: Session, id: str) -> TokenRow | None:
    """Return the row of a token by the way that is open before anybody is known. Columns that the store has not yet are
    None."""
    if not session.walled:
        return _row(session, id)
    row = session.execute(TOKEN_SHOWN, {"slice": SYSTEM, "id": id}, of=SYSTEM).mappings().one_or_none()
    return None if row is None else {**_EMPTY, **row}


def _known(session: Session, id: str) -> RowMapping:
    row = _row(session, id)
    if row is None:
        raise NotFound("There is no token with this id.")
    return row


def _ended(row: TokenRow, now: str) -> str | None:
    """Return in words when a token ended, None while it is good."""
    if row["revoked_at"] is not None:
        return f"was revoked at {row['revoked_at']}"
    if row["expires_at"] is not None and row["expires_at"] <= now:
        return f"expired at {row['expires_at']}"
    return None


def _entry(row: TokenRow) -> TokenEntry:
    return TokenEntry(
        id=row["id"], kind=PrincipalKind(row["kind"]), agent=row["agent"], teams=tuple(json_value(row["teams"])),
        acts_for=row["acts_for"], decides=row["decides"], slices=tuple(json_value(row["slices"])),
        created_at=row["created_at"], expires_at=row["expires_at"], rotated_at=row["rotated_at"],
        revoked_at=row["revoked_at"],
    )  # fmt: skip


def _with_acts(session: Session, entries: Sequence[TokenEntry]) -> tuple[TokenEntry, ...]:
    """Add to tokens what the record tells of them: one statement, which reads their own events alone.

    Reads leave no event: who only reads is not seen here.
    """
    found = session.execute(
        select(
            events.c.token.label("id"),
            func.min(events.c.at).label("first_seen"),
            func.max(events.c.at).label("last_seen"),
            func.sum(case((events.c.kind.in_(PAGE_KINDS), 1), else_=0)).label("writes"),
            func.sum(case((events.c.kind.in_(REFUSALS), 1), else_=0)).label("denials"),
        )
        .where(events.c.slice.in_(select(slices.c.slice)), events.c.token.in_([entry.id for entry in entries]))
        .group_by(events.c.token),
        of=EVERY,
    )
    acts = {row["id"]: {name: row[name] for name in _SEEN} for row in found.mappings()}
    return tuple(replace(entry, **acts.get(entry.id, {})) for entry in entries)
