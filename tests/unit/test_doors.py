"""Which brain an address or the settings open: the store here, or the one elsewhere."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from sliceway import open_brain
from sliceway.brain.local import LocalDoor
from sliceway.client import RemoteDoor
from sliceway.core.principals import Principal
from sliceway.errors import InvalidRequest, SettingsError, Unavailable
from sliceway.settings import load_settings
from sliceway.wiring import open_door, open_store

NOBODY = "http://127.0.0.1:1"
ELSEWHERE = {"SLICEWAY_BRAIN__URL": NOBODY, "SLICEWAY_BRAIN__TOKEN": "slw_hush_1"}


async def test_br1_an_address_of_a_server_opens_a_client(tmp_path: Path) -> None:
    """BR1: the same function opens both; a store takes principals and no token, a server a token and no principal."""
    async with open_brain(NOBODY, token="slw_x") as door:
        assert isinstance(door, RemoteDoor)
        with pytest.raises(InvalidRequest, match="without a principal"):
            door.enter(Principal.agent("ada"))
        with pytest.raises(Unavailable, match=NOBODY):
            await door.enter().whoami()
    with pytest.raises(InvalidRequest, match="token"):
        async with open_brain(NOBODY):
            pass
    with pytest.raises(InvalidRequest, match="no token"):
        async with open_brain(f"sqlite:///{tmp_path / 'b.db'}", token="slw_x"):
            pass
    async with open_brain(f"sqlite:///{tmp_path / 'b.db'}") as door:
        assert isinstance(door, LocalDoor)
        with pytest.raises(InvalidRequest):
            door.enter()


async def test_cl3_the_settings_say_how_long_and_how_often(tmp_path: Path) -> None:
    """CL3: deadline, connect timeout, pool and retries are settings and reach the client."""
    more = {
        "SLICEWAY_BRAIN__DEADLINE": "4s", "SLICEWAY_BRAIN__CONNECT_TIMEOUT": "2s", "SLICEWAY_BRAIN__POOL_SIZE": "7",
        "SLICEWAY_BRAIN__RETRIES": "0",
    }  # fmt: skip
    async with await open_door(load_settings(None, env={**ELSEWHERE, **more})) as door:
        assert isinstance(door, RemoteDoor)
        patience = door.patience
        assert (patience.deadline, patience.connect_timeout) == (4.0, 2.0)
        assert (patience.pool_size, patience.retries) == (7, 0)
        assert "hush" not in repr(door)
    store = {"SLICEWAY_STORE__URL": f"sqlite:///{tmp_path / 'b.db'}"}
    async with await open_door(load_settings(None, env=store)) as here:
        assert isinstance(here, LocalDoor)


def test_cl3_the_defaults_are_the_clients_own() -> None:
    """CL3: what is not set is what `Patience` says."""
    brain = load_settings(None, env={}).brain
    assert (brain.deadline, brain.connect_timeout) == (timedelta(seconds=10), timedelta(seconds=3))
    assert (brain.pool_size, brain.retries) == (20, 5)


async def test_br1_what_needs_the_stores_file_says_so() -> None:
    """BR1: with a brain elsewhere no store on this machine is opened behind anyone's back."""
    with pytest.raises(SettingsError, match=r"brain\.url"):
        await open_store(load_settings(None, env=ELSEWHERE))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("SLICEWAY_BRAIN__URL", "http://brain.example"), ("SLICEWAY_BRAIN__URL", "https://brain.example/?token=x"),
        ("SLICEWAY_BRAIN__POOL_SIZE", "0"), ("SLICEWAY_BRAIN__RETRIES", "-1"),
        ("SLICEWAY_BRAIN__CONNECT_TIMEOUT", "0s"),
    ],
)  # fmt: skip
def test_cf2_settings_of_a_brain_that_cannot_be_are_refused_at_boot(key: str, value: str) -> None:
    """CF2 CL1: an address that the token must not travel to, and numbers that mean nothing, are named at boot."""
    with pytest.raises(SettingsError) as refused:
        load_settings(None, env={**ELSEWHERE, key: value})
    assert [problem.field for problem in refused.value.problems] == [key]
