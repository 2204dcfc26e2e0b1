"""A store in a file that the test may look into and damage."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sliceway.brain.local import LocalBrain, LocalDoor, open_local
from sliceway.core.principals import Principal
from sliceway.ports import NewId
from tests.fakes.clock import HandClock


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the store is."""
    return tmp_path / "house" / "store.db"


@pytest.fixture
async def door(file: Path, clock: HandClock, new_id: NewId) -> AsyncIterator[LocalDoor]:
    """An open door on the store."""
    async with await open_local(f"sqlite:///{file}", sync="normal", clock=clock, new_id=new_id) as opened:
        assert isinstance(opened, LocalDoor)
        await opened.enter(Principal.operator("op")).set_policy(teams=["T1"], managers=["U-MAN"])
        yield opened


@pytest.fixture
def ada(door: LocalDoor) -> LocalBrain:
    """The brain as the agent `ada` has it."""
    return door.enter(Principal.agent("ada"))


@pytest.fixture
def operator(door: LocalDoor) -> LocalBrain:
    """The brain as whoever holds the file has it."""
    return door.enter(Principal.operator("op"))
