"""The one place where the ways from Slack are chosen: a scenario that uses any of this runs over each of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sliceway.cli.play.stage import Stage, open_stage
from tests.e2e.slack_gateway import Whole, whole_gateway
from tests.e2e.slack_side import Side, slack_side
from tests.e2e.slack_ways import BOTH, Transport


@pytest.fixture(params=BOTH)
def transport(request: pytest.FixtureRequest) -> Transport:
    """The way by which the workspace reaches the agent."""
    way: Transport = request.param
    return way


@pytest.fixture
async def stage(tmp_path: Path, transport: Transport) -> AsyncIterator[Stage]:
    """A workspace and a running gateway, the product's own processes on one store in a folder of the test's own."""
    async with open_stage(tmp_path / "data", transport=transport) as opened:
        yield opened


@pytest.fixture
async def quiet_stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """A workspace whose gateway is not started; the doctor looks for one where nothing listens."""
    async with open_stage(tmp_path / "data", settings={"SLICEWAY_SERVER__PORT": "1"}, begin=False) as stage:
        yield stage


@pytest.fixture
async def empty_stage(tmp_path: Path, transport: Transport) -> AsyncIterator[Stage]:
    """A workspace whose gateway is not started yet."""
    async with open_stage(tmp_path / "data", begin=False, transport=transport) as opened:
        yield opened


@pytest.fixture
async def whole(tmp_path: Path, transport: Transport) -> AsyncIterator[Whole]:
    """A workspace and a whole gateway, in this process."""
    async with whole_gateway(tmp_path, transport) as opened:
        yield opened


@pytest.fixture
async def side(transport: Transport) -> AsyncIterator[Side]:
    """A workspace with the Slack side of a gateway connected to it."""
    async with slack_side(transport) as opened:
        yield opened
