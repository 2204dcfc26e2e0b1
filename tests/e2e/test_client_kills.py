"""CL1, CL4 on a real server process that is killed and started again while clients write."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sliceway.client import Patience, open_remote
from sliceway.errors import Unauthorized
from sliceway.wiring import open_brain
from sliceway.wiring.fresh import new_id
from tests.e2e.brain_server import make_tokens
from tests.e2e.killing import House, Killed, assert_all_is_there_once, killed_under_load

KILLS = 3


@pytest.fixture
async def tokens(tmp_path: Path) -> dict[str, str]:
    """A store, and a token of each kind."""
    return await make_tokens(tmp_path)


@pytest.fixture
async def server(tmp_path: Path, tokens: dict[str, str]) -> AsyncIterator[Killed]:
    """A server on that store."""
    killed = await asyncio.to_thread(Killed, House(tmp_path))
    yield killed
    await killed.end()


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("house", "servers"), [("sqlite", 1), ("sqlite", 2), ("postgres", 1)], indirect=["house"])
async def test_cl1_every_acknowledged_act_is_there_once_after_kills(house: House, servers: int) -> None:
    """CL1 BR6 BR12: under load servers of one store are killed at random moments and started again; each write, rewrite
    and approval that a client heard of stands there exactly once, and nothing else does; versions and sequences have no
    gap, and the record verifies."""
    taken = await killed_under_load(house, rounds=KILLS, servers=servers, seed=7 + servers)
    assert min(len(taken.pages), len(taken.hot), len(taken.shared)) > 0
    await assert_all_is_there_once(house, taken)


async def test_cl1_a_client_outlives_a_server_that_is_away_for_a_moment(
    tokens: dict[str, str], server: Killed
) -> None:  # fmt: skip
    """CL1: a call made while nobody listens is answered once somebody does, without its caller noticing."""
    async with open_remote(
        server.served.url, tokens["ada"], patience=Patience(30.0, retries=50), new_id=new_id
    ) as door:
        brain = door.enter()
        before = await brain.whoami()
        restart = asyncio.create_task(server.again())
        try:
            assert await brain.whoami() == before
        finally:
            await restart
        assert await brain.whoami() == before


async def test_br2_a_revoked_token_is_refused_on_a_kept_connection(
    tmp_path: Path, tokens: dict[str, str], server: Killed
) -> None:
    """BR2 CL2: on the very next request, as `Unauthorized`, though the connection is an old one."""
    async with open_brain(server.served.url, token=tokens["ada"]) as door:
        ada = door.enter()
        who = await ada.whoami()
        async with open_brain(server.served.url, token=tokens["admin"]) as admin:
            await admin.enter().revoke_token(id=who.principal["token_id"])
        with pytest.raises(Unauthorized):
            await ada.whoami()
