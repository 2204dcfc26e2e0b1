"""An agent's earlier slice, bound to it as an alias: read as its mind, written by nobody (ID12)."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from sliceway.brain.local import LocalBrain, LocalDoor
from sliceway.core.principals import Principal
from sliceway.core.slices import SYSTEM
from sliceway.errors import SlicewayError
from sliceway.store.tables import aliases
from tests.contract.people import ANN, in_channel


async def bind(door: LocalDoor, alias: str, agent: str) -> None:
    """Bind an alias, with a change of the policy beside it: what the brain holds of the policy is read anew then."""
    with door.database.write() as connection:
        at = "2026-01-01T00:00:00.000000Z"
        connection.execute(insert(aliases).values(slice=SYSTEM, alias=alias, agent=agent, at=at))
    await door.enter(Principal.operator("op")).set_policy(raised=[f"U-{alias}"])


async def test_id12_an_earlier_slice_is_read_as_one_s_own_and_never_written(door: LocalDoor) -> None:
    """ID12: what was saved under an earlier id is found by the agent it is bound to, through every read, and by no
    other; `agent` and the alias are written by nobody who reads them so; an alias has one owner."""
    page = {"slug": "n/1", "content": "the old rollback target"}
    await door.enter(Principal.agent("old")).write_pages(slice="mine", pages=[page])
    ada, gateway = Principal.agent("ada"), Principal.gateway("ada", teams=["T1"], acts_for=True)
    calls: list[tuple[LocalBrain, dict[str, Any]]] = [
        (door.enter(ada), {}),
        (door.enter(gateway), {"slices": ["agent-old"], "origin": in_channel(ANN)}),
    ]
    for brain, more in calls:
        assert (await brain.recall(query="rollback", **more)).hits == ()
    await bind(door, "agent-old", "ada")
    await bind(door, "agent", "ada")
    for brain, more in calls:
        (hit,) = (await brain.recall(query="rollback", **more)).hits
        assert (hit.slice, hit.author.agent) == ("agent-old", "old")
        assert (await brain.read_page(slice="agent-old", slug="n/1", **more)).content == page["content"]
        origin = {"origin": more["origin"]} if more else {}
        for name in ("agent-old", "agent"):
            with pytest.raises(SlicewayError) as refused:
                await brain.write_pages(slice=name, pages=[page], **origin)
            assert refused.value.status in {403, 404}
    assert (await door.enter(Principal.agent("bob")).recall(query="rollback")).hits == ()
    with pytest.raises(IntegrityError):
        await bind(door, "agent-old", "bob")
