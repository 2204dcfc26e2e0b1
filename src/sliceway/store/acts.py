"""What became of agents and their minds, in `_system`: bound, renamed, merged, retired, and taken back (ID12)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import RowMapping, func, select

from sliceway.core.proposals import State
from sliceway.core.sight import MINDS, TEAM_SLICES
from sliceway.core.slices import SYSTEM, agent_slice
from sliceway.errors import InvalidAgentId
from sliceway.store.ledger import SliceTransaction, json_text, json_value
from sliceway.store.policy import record_change
from sliceway.store.record import RowChange
from sliceway.store.session import Session
from sliceway.store.tables import agent_acts, agents, aliases, grants, page_versions, proposals, slices, tokens

NOBODY = ""
"""The owner of an alias that was let go of."""


@dataclass(frozen=True, slots=True)
class AgentAct:
    """One act. `details` are ids that its reverse needs."""

    id: str
    act: str
    mind: str
    agent: str | None
    into: str | None
    details: Mapping[str, Any] = field(default_factory=dict)
    done: bool = True
    undone: bool = False


def acts_known(session: Session) -> tuple[AgentAct, ...]:
    """Return every act, in the order in which they were done."""
    found = session.execute(select(agent_acts).where(agent_acts.c.slice == SYSTEM), of=SYSTEM).mappings()
    return tuple(_act(row) for row in sorted(found, key=lambda row: (row["at"], row["id"])))


def _act(row: RowMapping) -> AgentAct:
    return AgentAct(
        row["id"], row["act"], row["mind"], row["agent"], row["into_agent"], json_value(row["details"]),
        done=row["done_at"] is not None, undone=row["undone_at"] is not None,
    )  # fmt: skip


def begin_act(
    tx: SliceTransaction, act: AgentAct, *, author: Mapping[str, Any], rows: Iterable[RowChange] = ()
) -> None:
    """Write a new act, and the rows that it changes, with one event."""
    values = {
        "act": act.act, "mind": act.mind, "agent": act.agent, "into_agent": act.into,
        "details": json_text(act.details), "at": tx.now, "done_at": tx.now if act.done else None, "undone_at": None,
    }  # fmt: skip
    _record(tx, act, "begun" if not act.done else None, author, [RowChange(agent_acts, {"id": act.id}, values), *rows])


def end_act(tx: SliceTransaction, act: AgentAct, *, author: Mapping[str, Any], rows: Iterable[RowChange] = ()) -> None:
    """Write that an act under way is done."""
    changed = RowChange(agent_acts, {"id": act.id}, {"done_at": tx.now}, {"undone_at": None})
    _record(tx, act, None, author, [changed, *rows])


def undo_act(tx: SliceTransaction, act: AgentAct, *, author: Mapping[str, Any], rows: Iterable[RowChange] = ()) -> None:
    """Write that an act was taken back."""
    changed = RowChange(agent_acts, {"id": act.id}, {"undone_at": tx.now}, {"undone_at": None})
    _record(tx, act, "undone", author, [changed, *rows])


_DONE = {"alias": "bound", "rename": "renamed", "merge": "merged", "retire": "retired", "display": "displayed"}


def _record(
    tx: SliceTransaction, act: AgentAct, how: str | None, author: Mapping[str, Any], rows: list[RowChange]
) -> None:
    kind = f"agent.{act.act}_{how}" if how is not None else f"agent.{_DONE[act.act]}"
    ids = {name: list(found) for name, found in act.details.items() if isinstance(found, list)}  # never values (OP1)
    about = {"act": act.id, "mind": act.mind, "agent": act.agent, "into": act.into, **ids}
    record_change(tx, kind, about, author, rows)


def binding(alias: str, agent: str, now: str) -> RowChange:
    """Return the change that makes a mind the alias of an agent, or of `NOBODY`."""
    return RowChange(aliases, {"alias": alias}, {"agent": agent, "at": now})


def display_change(agent: str, display: str | None) -> RowChange:
    """Return the change of an agent's display name."""
    return RowChange(agents, {"id": agent}, {"display": display})


def token_change(id: str, **values: Any) -> RowChange:
    """Return the change of one token that is still good."""
    return RowChange(tokens, {"id": id}, values, {"revoked_at": None})


def live_tokens(session: Session, agent: str, now: str) -> tuple[str, ...]:
    """Return the ids of an agent's tokens that are good now."""
    found = session.execute(
        select(tokens.c.id, tokens.c.expires_at)
        .where(tokens.c.slice == SYSTEM, tokens.c.agent == agent, tokens.c.revoked_at.is_(None))
        .order_by(tokens.c.id),
        of=SYSTEM,
    )
    return tuple(row.id for row in found if row.expires_at is None or row.expires_at > now)


def owner_of(session: Session, mind: str) -> str | None:
    """Return the id of the agent whose own mind a slice is, None where that cannot be known."""
    listed = select(agents.c.id).where(agents.c.slice == SYSTEM)
    held = select(tokens.c.agent).where(tokens.c.slice == SYSTEM, tokens.c.agent.is_not(None))
    acted = select(agent_acts.c.agent).where(agent_acts.c.slice == SYSTEM, agent_acts.c.agent.is_not(None))
    for one in {name for query in (listed, held, acted) for name in session.execute(query, of=SYSTEM).scalars()}:
        if agent_slice(one) == mind:
            return str(one)
    plain = mind.removeprefix(MINDS)
    try:
        return plain if agent_slice(plain) == mind else None
    except InvalidAgentId:
        return None


@dataclass(frozen=True, slots=True)
class Holding:
    """What there is in a mind, and what waits or holds of its agent."""

    exists: bool
    pages: int = 0
    versions: int = 0
    proposals: int = 0
    grants: int = 0


def holding(session: Session, mind: str, agent: str | None, now: str) -> Holding:
    """Count what is in a mind; of what its agent asked for, what waits in the team's slices and in minds: what waits in
    a person's corner is that person's alone to count (AP23)."""
    row = session.execute(select(slices.c.docs).where(slices.c.slice == mind), of=mind).one_or_none()
    counted = select(func.count()).select_from(page_versions).where(page_versions.c.slice == mind)
    versions = int(session.execute(counted, of=mind).scalar_one())
    if agent is None:
        return Holding(row is not None, row.docs if row is not None else 0, versions)
    places = [*TEAM_SLICES, mind]
    waiting = select(func.count()).select_from(proposals).where(
        proposals.c.slice.in_(places), proposals.c.agent == agent, proposals.c.state == State.PENDING.value,
        proposals.c.expires_at > now,
    )  # fmt: skip
    held = select(func.count()).select_from(grants).where(
        grants.c.slice.in_(places), grants.c.agent == agent, grants.c.ended_at.is_(None), grants.c.until > now
    )  # fmt: skip
    return Holding(
        row is not None, row.docs if row is not None else 0, versions,
        int(session.execute(waiting, of=places).scalar_one()), int(session.execute(held, of=places).scalar_one()),
    )  # fmt: skip


def is_known(session: Session, agent: str) -> bool:
    """Say whether an agent was ever here: registered, with a token, or with a mind."""
    for table, column in ((agents, agents.c.id), (tokens, tokens.c.agent)):
        found = select(func.count()).select_from(table).where(table.c.slice == SYSTEM, column == agent)
        if session.execute(found, of=SYSTEM).scalar_one():
            return True
    own = agent_slice(agent)
    return session.execute(select(slices.c.slice).where(slices.c.slice == own), of=own).one_or_none() is not None
