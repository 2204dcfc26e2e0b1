"""An embedded brain on a file of the test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sliceway.brain.local import LocalDoor, open_local
from sliceway.ports import NewId
from tests.fakes.clock import HandClock


@pytest.fixture
async def door(tmp_path: Path, clock: HandClock, new_id: NewId) -> AsyncIterator[LocalDoor]:
    """An open store."""
    async with await open_local(f"sqlite:///{tmp_path}/s.db", sync="normal", clock=clock, new_id=new_id) as opened:
        assert isinstance(opened, LocalDoor)
        yield opened
