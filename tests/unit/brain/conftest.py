"""An embedded brain on a file of the test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sliceway.brain.embedding import EmbeddingWorker
from sliceway.brain.local import LocalBrain, LocalDoor, open_local
from sliceway.core.principals import Principal
from sliceway.ports import NewId
from tests.fakes.clock import HandClock
from tests.fakes.embedder import FakeEmbedder


@pytest.fixture
async def door(tmp_path: Path, clock: HandClock, new_id: NewId) -> AsyncIterator[LocalDoor]:
    """An open store."""
    async with await open_local(f"sqlite:///{tmp_path}/s.db", sync="normal", clock=clock, new_id=new_id) as opened:
        assert isinstance(opened, LocalDoor)
        yield opened


@pytest.fixture
def model() -> FakeEmbedder:
    """A model."""
    return FakeEmbedder()


@pytest.fixture
def ada(door: LocalDoor) -> LocalBrain:
    """The brain as an agent has it."""
    return door.enter(Principal.agent("ada"))


@pytest.fixture
def worker(door: LocalDoor, model: FakeEmbedder, clock: HandClock, new_id: NewId) -> EmbeddingWorker:
    """Who embeds."""
    return EmbeddingWorker(door.store, model, clock=clock, new_id=new_id, holder="one")
