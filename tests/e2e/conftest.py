"""The product's own processes on the real wire: a workspace, a gateway, one store in a folder of the test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sliceway.cli.play.stage import Stage, open_stage


@pytest.fixture(params=["http", "socket"])
async def stage(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Stage]:
    """A workspace and a running gateway, over HTTP and by Socket Mode."""
    async with open_stage(tmp_path / "data", transport=request.param) as opened:
        yield opened


@pytest.fixture
async def quiet_stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """A workspace whose gateway is not started; the doctor looks for one where nothing listens."""
    async with open_stage(tmp_path / "data", settings={"SLICEWAY_SERVER__PORT": "1"}, begin=False) as stage:
        yield stage


@pytest.fixture(params=["http", "socket"])
async def empty_stage(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[Stage]:
    """A workspace whose gateway is not started yet."""
    async with open_stage(tmp_path / "data", begin=False, transport=request.param) as opened:
        yield opened
