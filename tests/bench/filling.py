"""Stores that are measured: with a model or without, filled and embedded."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sliceway.brain.local import LocalBrain, LocalDoor, open_local
from sliceway.core.principals import Principal
from sliceway.embed.minilm import MiniLm
from sliceway.wiring.fresh import new_id, now


def named(semantic: bool) -> str:
    """Return what a figure is said to be of."""
    return "minilm" if semantic else "words"


@asynccontextmanager
async def store(folder: Path, *, semantic: bool) -> AsyncIterator[LocalDoor]:
    """Open a store, with a model or without."""
    model = MiniLm() if semantic else None
    url = f"sqlite:///{folder / 'brain.db'}"
    async with await open_local(url, sync="normal", clock=now, new_id=new_id, embedder=model) as door:
        yield door


async def filled(door: LocalDoor, agent: str, pages: Sequence[Mapping[str, Any]]) -> LocalBrain:
    """Return an agent's brain with these pages in its mind, embedded where there is a model."""
    brain = door.enter(Principal.agent(agent))
    for start in range(0, len(pages), 20):
        await brain.write_pages(slice="mine", pages=list(pages[start : start + 20]))
    worker = door.embedding_worker("bench")
    while worker is not None and await worker.pending():
        await worker.run_once()
    return brain
