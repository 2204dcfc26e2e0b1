"""The ports' contracts, held against every engine: one line in `ENGINES` adds another."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from sliceway.brain.local import LocalDoor, open_local
from sliceway.core.ids import DEFAULT_AGENT
from sliceway.core.principals import Principal
from sliceway.ports import Brain, BrainDoor, NewId
from tests.contract.over_http import Served, open_served
from tests.fakes.clock import HandClock

Opener = Callable[[Path, HandClock, NewId], Awaitable[BrainDoor]]


async def _sqlite(folder: Path, clock: HandClock, new_id: NewId) -> BrainDoor:
    return await open_local(f"sqlite:///{folder / 'store.db'}", sync="normal", clock=clock, new_id=new_id)


async def _postgres(folder: Path, clock: HandClock, new_id: NewId) -> BrainDoor:
    return await open_local((folder / POSTGRES).read_text(), clock=clock, new_id=new_id)


POSTGRES = "postgres"
ENGINES: dict[str, Opener] = {"sqlite": _sqlite, "http+sqlite": open_served, POSTGRES: _postgres}


WITHOUT_A_WIRE = {
    "test_ap7_without_listed_teams_a_gateway_is_told_its_own": "over HTTP the teams of live gateway tokens are the "
    "organisation's where none are listed (BR17), and a gateway without such a token cannot be there",
    "test_br17_people_of_a_revoked_token_s_team_are_outsiders": "the gateway that goes on calling has a live token of "
    "its own there, which keeps its team",
}
"""Tests that can only mean the embedded brain, and why. All others hold on every engine."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out of the wire's engine what can only mean the embedded brain."""
    left_out = [item for item in items if "http+sqlite" in item.name and _name(item) in WITHOUT_A_WIRE]
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=left_out)


def _name(item: pytest.Item) -> str:
    return item.name.partition("[")[0]


def store_of(door: BrainDoor) -> LocalDoor:
    """Return the door of whoever holds the store's file: the one that the server stands on, where there is a wire."""
    local = door.local if isinstance(door, Served) else door
    assert isinstance(local, LocalDoor)
    return local


@pytest.fixture(params=ENGINES)
async def door(
    request: pytest.FixtureRequest, tmp_path: Path, clock: HandClock, new_id: NewId
) -> AsyncIterator[BrainDoor]:
    """An open door on an empty store, with a clock and ids that the test holds."""
    if request.param == POSTGRES:
        made = request.getfixturevalue("postgres")
        (tmp_path / POSTGRES).write_text(made.url)
    async with await ENGINES[request.param](tmp_path, clock, new_id) as opened:
        await opened.enter(Principal.operator("op")).set_policy(teams=["T1"], managers=["U-MAN"])
        yield opened


@pytest.fixture
def address(door: BrainDoor, tmp_path: Path) -> str:
    """The address of the store behind the door."""
    kept = tmp_path / POSTGRES
    return kept.read_text() if kept.exists() else f"sqlite:///{tmp_path / 'store.db'}"


@pytest.fixture(params=["sqlite", POSTGRES])
def desk_address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a desk is that nobody used yet: a file, or a schema, which is made once and emptied for each test."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/state/desk.db"
    request.getfixturevalue("_postgres_server")
    from tests.fakes.postgres import clear_desk, desk_home  # which need the driver

    clear_desk(desk_home(), DEFAULT_AGENT)
    return desk_home().url


@pytest.fixture
def ada(door: BrainDoor) -> Brain:
    """The brain as the agent `ada` has it."""
    return door.enter(Principal.agent("ada"))


@pytest.fixture
def bob(door: BrainDoor) -> Brain:
    """The brain as the agent `bob` has it."""
    return door.enter(Principal.agent("bob"))


@pytest.fixture
def gateway(door: BrainDoor) -> Brain:
    """The brain as the gateway of the agent `ada` has it, with both rights, for the people of team T1."""
    return door.enter(Principal.gateway("ada", teams=["T1"], acts_for=True, decides=True))


@pytest.fixture
def operator(door: BrainDoor) -> Brain:
    """The brain as whoever holds the file has it."""
    return door.enter(Principal.operator("op"))
