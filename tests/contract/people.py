"""People and places of the contract suite, as origins name them."""

from __future__ import annotations

from typing import Any

from sliceway.core.turns import Person
from sliceway.ports import Brain

ANN = Person("T1", "U-ANN", name="Ann")
BEN = Person("T1", "U-BEN", name="Ben")
MANAGER = Person("T1", "U-MAN", name="Mia")

DEPLOYS = {"surface": "slack", "team": "T1", "channel": "C-DEPLOYS", "thread": "1.1"}
BACKGROUND = {"surface": "background"}


def in_channel(person: Person | None, *, turn: str | None = None) -> dict[str, Any]:
    """Return the origin of what a person says in a trusted channel."""
    return _origin(person, dict(DEPLOYS), turn)


def in_private(person: Person, *, turn: str | None = None) -> dict[str, Any]:
    """Return the origin of a person's own private session."""
    return _origin(person, {"surface": "slack", "team": "T1", "channel": "D-" + person.user, "private": True}, turn)


def _origin(person: Person | None, place: dict[str, Any], turn: str | None) -> dict[str, Any]:
    found: dict[str, Any] = {"place": place}
    if person is not None:
        found["person"] = {"team": person.team, "user": person.user, "name": person.name}
    if turn is not None:
        found["turn"] = turn
    return found


async def put_shared(gateway: Brain, slug: str, content: str, *, slice: str = "shared", **fields: Any) -> None:
    """Write a page to the team's slice as it happens: asked for by Ann, approved by the manager."""
    asked = await gateway.write_pages(
        slice=slice, pages=[{"slug": slug, "content": content, **fields}], origin=in_channel(ANN)
    )
    assert asked.proposal is not None
    await gateway.decide(
        id=asked.proposal.id, decision="approve", revision=asked.proposal.revision, decided_by=MANAGER
    )  # fmt: skip
