"""The agents of this brain, in `_system` (ID3, ID8)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import RowMapping, func, select

from sliceway.core.access import EVERY
from sliceway.core.agents import BECAME
from sliceway.core.ids import DEFAULT_AGENT
from sliceway.core.policy import Policy
from sliceway.core.slices import SYSTEM, agent_slice
from sliceway.errors import InvalidRequest
from sliceway.ports.outcomes import AgentEntry
from sliceway.store.acts import AgentAct
from sliceway.store.ledger import SliceTransaction
from sliceway.store.record import RowChange, record
from sliceway.store.session import Session
from sliceway.store.tables import agents, events


def agents_known(session: Session, *, only: str | None = None) -> tuple[AgentEntry, ...]:
    """Return the agents, by id; `only` one of them where given."""
    where = [agents.c.slice == SYSTEM]
    if only is not None:
        where.append(agents.c.id == only)
    found = session.execute(select(agents).where(*where).order_by(agents.c.id), of=SYSTEM)
    return tuple(_entry(row) for row in found.mappings())


def put_agent(
    tx: SliceTransaction, id: str, *, display: str | None, source: str | None, author: Mapping[str, Any]
) -> AgentEntry:
    """Write an agent, if it is new or is called otherwise now; what is not given stays. Return its entry."""
    known = next(iter(agents_known(tx.session, only=id)), None)
    if known is not None:
        display, source = display or known.display, source or known.source
        if (display, source) == (known.display, known.source):
            return known
    values = {
        "display": display, "source": source,
        "registered_at": known.registered_at if known is not None else tx.now,
    }  # fmt: skip
    kind = "agent.registered" if known is None else "agent.changed"
    record(tx, kind, about={"agent": id, "source": source}, author=author, rows=[RowChange(agents, {"id": id}, values)])
    return agents_known(tx.session, only=id)[0]


def only_agent(session: Session, known: Sequence[AgentEntry]) -> str:
    """Return the agent that a command without `--agent` acts as: the only one registered; `default` where the store
    is empty (ID3).

    :raises InvalidRequest: there are several, or the store has a past and no agent.
    """
    if len(known) == 1:
        return known[0].id
    if known:
        names = ", ".join(entry.id for entry in known)
        raise InvalidRequest(
            f"Several agents share this store ({names}); say which with --agent, like --agent {known[0].id}, or set "
            "SLICEWAY_AGENT_ID."
        )
    others = select(func.count()).select_from(events).where(events.c.slice != SYSTEM)
    if session.execute(others, of=EVERY).scalar_one():
        raise InvalidRequest("No agent is registered in this store, and it is not empty; say which with --agent ID.")
    return DEFAULT_AGENT


def _entry(row: RowMapping) -> AgentEntry:
    return AgentEntry(row["id"], row["display"], agent_slice(row["id"]), row["registered_at"], row["source"])


def with_what_became(entry: AgentEntry, policy: Policy, acts: Iterable[AgentAct]) -> AgentEntry:
    """Return an agent's entry with the minds it reads beside its own, and with what became of it (ID12)."""
    entry = replace(entry, aliases=tuple(sorted(policy.aliases.get(entry.id, ()))))
    for act in acts:
        if act.mind == entry.slice and not act.undone and act.act in BECAME:
            return replace(entry, became=BECAME[act.act], into=act.into)
    owner = next((agent for agent, names in policy.aliases.items() if entry.slice in names), None)
    return entry if owner is None else replace(entry, became="alias", into=owner)
