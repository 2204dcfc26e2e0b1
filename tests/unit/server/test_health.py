"""Readiness is what the store and the keeper are, looked up seldom (OP2)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from sliceway.brain.local import LocalDoor, open_local
from sliceway.core.principals import Principal
from sliceway.ports import NewId
from sliceway.server.health import Health
from tests.contract.people import ANN, in_channel, in_private
from tests.fakes.clock import HandClock


@pytest.fixture
async def store(tmp_path: Path, clock: HandClock, new_id: NewId) -> AsyncIterator[LocalDoor]:
    """An open store."""
    async with await open_local(f"sqlite:///{tmp_path / 'brain.db'}", clock=clock, new_id=new_id) as door:
        yield door


class Schema:
    """What says how the schema stands, and how often it was asked."""

    def __init__(self, *, ok: bool = True) -> None:
        """Say so."""
        self.ok = ok
        self.asked = 0

    async def __call__(self) -> Mapping[str, Any]:
        """Answer."""
        self.asked += 1
        return {"ok": self.ok, "schema": "x"}


async def embeds() -> Mapping[str, Any]:
    """Say how the vectors stand."""
    return {"model": "fake", "pending": 3}


async def keeps() -> None:
    """Go on for ever."""
    await asyncio.Event().wait()


async def facts_of(store: LocalDoor, schema: Schema, *, keeper_ends: bool = False) -> Mapping[str, Any]:
    """Return the facts of a server over a store."""
    keeper = asyncio.ensure_future(keeps())
    if keeper_ends:
        keeper.cancel()
        await asyncio.wait([keeper])
    health = Health(store.store, schema=schema, keeper=keeper, counts=store.proposals_by_state, embedding=embeds)
    try:
        return [await health.facts() for _ in range(50)][-1]
    finally:
        await health.close()
        keeper.cancel()
        await asyncio.wait([keeper])


async def test_op2_all_is_well(store: LocalDoor) -> None:
    """OP2: ready, with each fact; fifty who ask at once cost one look."""
    schema = Schema()
    assert await facts_of(store, schema) == {
        "ready": True, "migrations": {"ok": True, "schema": "x"}, "readable": True, "writable": True, "keeper": True,
        "embedding": {"model": "fake", "pending": 3},
    }  # fmt: skip
    assert schema.asked == 1


async def test_op2_another_schema_a_dead_keeper_a_lost_store_are_not_ready(store: LocalDoor) -> None:
    """OP2: each by itself makes the server not ready, and is named."""
    assert (await facts_of(store, Schema(ok=False)))["ready"] is False
    dead = await facts_of(store, Schema(), keeper_ends=True)
    assert (dead["ready"], dead["keeper"]) == (False, False)
    file = store.database.file
    assert file is not None
    file.rename(file.with_name("elsewhere.db"))
    lost = await facts_of(store, Schema())
    assert (lost["ready"], lost["readable"], lost["writable"]) == (False, False, False)


async def test_op2_proposals_are_counted_by_state(store: LocalDoor) -> None:
    """OP2: every state is there, with 0 where there is none; drafts have no line."""
    keeper = asyncio.ensure_future(keeps())
    health = Health(store.store, schema=Schema(), keeper=keeper, counts=store.proposals_by_state, embedding=embeds)
    gauges = await health.gauges()
    assert gauges['proposals{state="pending"}'] == 0
    assert not [name for name in gauges if "draft" in name]
    keeper.cancel()
    await asyncio.wait([keeper])
    await health.close()


async def test_op2_sc9_what_is_asked_of_a_corner_is_not_counted(store: LocalDoor) -> None:
    """OP2 SC9: what waits in the team's slices and in minds is counted; in a private corner it is its owner's alone."""
    await store.enter(Principal.operator("op")).set_policy(teams=["T1"])
    gateway = store.enter(Principal.gateway("ada", teams=["T1"], acts_for=True))
    for slice_name, origin in (
        ("shared", in_channel(ANN)),
        ("agent-ada", in_channel(ANN)),
        (ANN.slice, in_private(ANN)),
    ):
        asked = [{"slug": "n", "content": "x"}]
        await gateway.propose(op="write", slice=slice_name, pages=asked, origin=origin)
    assert (await store.proposals_by_state())["pending"] == 2
