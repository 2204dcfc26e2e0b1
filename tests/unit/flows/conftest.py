"""A running gateway for each test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.fakes.rig import Rig, make_rig


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    """A gateway over a real brain and a real desk, two managers, and chat in memory."""
    rig = await make_rig(tmp_path)
    yield rig
    await rig.close()
