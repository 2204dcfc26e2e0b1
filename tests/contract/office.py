"""A small team to test approval with: its people, its places, and what its gateways say of them."""

from __future__ import annotations

from typing import Any

from sliceway.core.principals import Principal
from sliceway.core.proposals import Proposal
from sliceway.core.slices import user_slice
from sliceway.ports import Brain, BrainDoor

TEAM = "T1"
MIA = {"team": TEAM, "user": "UMIA", "name": "Mia"}
MAX = {"team": TEAM, "user": "UMAX", "name": "Max"}
ANN = {"team": TEAM, "user": "UANN", "name": "Ann"}
BEN = {"team": TEAM, "user": "UBEN", "name": "Ben"}
STRANGER = {"team": "T9", "user": "UXEN"}
ANNS = user_slice(TEAM, "UANN")
"""Ann's private corner. Mia and Max manage; Ann and Ben are members."""


async def settle(door: BrainDoor, **more: Any) -> Brain:
    """Name the team and its managers; return the operator's brain."""
    operator = door.enter(Principal.operator("root"))
    await operator.set_policy(**{"teams": [TEAM], "managers": ["UMIA", "T1:UMAX"], **more})
    return operator


def gateway(door: BrainDoor, agent: str = "ada", *, decides: bool = True, teams: tuple[str, ...] = (TEAM,)) -> Brain:
    """Return the brain of an agent's gateway, which acts for people."""
    return door.enter(Principal.gateway(agent, teams=teams, acts_for=True, decides=decides))


def at(
    person: dict[str, str] | None, *, thread: str | None = "1.1", channel: str = "C1", **more: Any
) -> dict[str, Any]:
    """Return the origin of something said in a channel's thread."""
    place = {"surface": "slack", "team": TEAM, "channel": channel, **({"thread": thread} if thread else {})}
    return {"place": place, **({"person": person} if person else {}), **more}


def alone(person: dict[str, str], *, thread: str = "9.9") -> dict[str, Any]:
    """Return the origin of a private turn of that person."""
    origin = at(person, thread=thread, channel="D" + person["user"])
    origin["place"]["private"] = True
    return origin


def page(slug: str = "oncall", content: str = "On-call moves to Mondays.", **more: Any) -> dict[str, Any]:
    """Return a page as a call gives it."""
    return {"slug": slug, "content": content, **more}


async def ask(
    brain: Brain, *pages: dict[str, Any], slice: str = "shared", origin: dict[str, Any] | None = None
) -> Proposal:
    """Propose a write as Ann would have it asked in a channel."""
    given = origin if origin is not None else at(ANN)
    return await brain.propose(op="write", slice=slice, pages=list(pages or (page(),)), origin=given)


async def written(brain: Brain, slug: str = "oncall", content: str = "On-call is on Fridays.") -> None:
    """Have a page in `shared`, by the usual way."""
    asked = await ask(brain, page(slug, content))
    await brain.decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
