"""The implementations of the brain's port: every contract test runs on each."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sliceway.brain.local import LocalDoor, open_local
from tests.fakes.clock import HandClock, ids


@pytest.fixture
async def door(tmp_path: Path, clock: HandClock) -> AsyncIterator[LocalDoor]:
    """An empty brain."""
    async with await open_local(
        f"sqlite:///{tmp_path}/store/brain.db", sync="normal", clock=clock, new_id=ids()
    ) as opened:
        assert isinstance(opened, LocalDoor)
        yield opened
