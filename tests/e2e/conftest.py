"""The one place where the ways from Slack, and the places of the brain, are chosen: a scenario that uses any of this
runs in each of them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import pytest

from sliceway.cli.play.stage import Stage, open_stage
from tests.e2e.remote_stage import OpenStage, stage_elsewhere
from tests.e2e.slack_gateway import Whole, whole_gateway
from tests.e2e.slack_side import Side, slack_side
from tests.e2e.slack_ways import ARRANGEMENTS, BOTH, ELSEWHERE, Arrangement, Transport

_WITH_A_BRAIN = frozenset({"whole", "open_any_stage"})
"""The fixtures in which a gateway has a brain, here or elsewhere."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run what has a brain in each arrangement, and the rest by each way from Slack; or in those that a test names."""
    named = [mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")]
    if "arrangement" in metafunc.fixturenames and "arrangement" not in named:
        has_brain = not _WITH_A_BRAIN.isdisjoint(metafunc.fixturenames)
        metafunc.parametrize("arrangement", ARRANGEMENTS if has_brain else BOTH, indirect=True)


@pytest.fixture
def arrangement(request: pytest.FixtureRequest) -> Arrangement:
    """The way by which the workspace reaches the agent, and where its brain is."""
    chosen: Arrangement = request.param
    return chosen


@pytest.fixture
def transport(arrangement: Arrangement) -> Transport:
    """The way by which the workspace reaches the agent."""
    return "socket" if arrangement.startswith("socket") else "http"


@pytest.fixture
def open_any_stage(tmp_path: Path, arrangement: Arrangement, transport: Transport) -> OpenStage:
    """What opens a workspace and a gateway, the product's own processes on one store in a folder of the test's own;
    where the brain is elsewhere, it is a third process."""
    opens = stage_elsewhere if arrangement in ELSEWHERE else open_stage
    return partial(opens, tmp_path / "data", transport=transport)


@pytest.fixture
async def stage(open_any_stage: OpenStage) -> AsyncIterator[Stage]:
    """A workspace and a running gateway."""
    async with open_any_stage() as opened:
        yield opened


@pytest.fixture
async def quiet_stage(tmp_path: Path) -> AsyncIterator[Stage]:
    """A workspace whose gateway is not started; the doctor looks for one where nothing listens."""
    async with open_stage(tmp_path / "data", settings={"SLICEWAY_SERVER__PORT": "1"}, begin=False) as stage:
        yield stage


@pytest.fixture
async def empty_stage(open_any_stage: OpenStage) -> AsyncIterator[Stage]:
    """A workspace whose gateway is not started yet."""
    async with open_any_stage(begin=False) as opened:
        yield opened


@pytest.fixture
async def whole(tmp_path: Path, arrangement: Arrangement) -> AsyncIterator[Whole]:
    """A workspace and a whole gateway, in this process; a brain elsewhere is served in it too."""
    async with whole_gateway(tmp_path, arrangement) as opened:
        yield opened


@pytest.fixture
async def side(transport: Transport) -> AsyncIterator[Side]:
    """A workspace with the Slack side of a gateway connected to it."""
    async with slack_side(transport) as opened:
        yield opened
