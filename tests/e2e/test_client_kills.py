"""CL1, CL4 on a real server process that is killed and started again while clients write."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack
from pathlib import Path

import pytest
from yarl import URL

from sliceway.client import Patience, open_remote
from sliceway.core.principals import Principal
from sliceway.errors import Unauthorized, Unavailable
from sliceway.ports import Brain
from sliceway.wiring import open_brain
from sliceway.wiring.fresh import new_id
from tests.e2e.brain_server import Served, brain_server, make_tokens

WRITERS = 4
KILLS = 4


class Killed:
    """A server on one port that is killed and comes back."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._running = folder, ExitStack()
        self.served = self._start(0)

    def _start(self, port: int) -> Served:
        return self._running.enter_context(brain_server(self.folder, port=port, SLICEWAY_STORE__SYNC="normal"))

    async def again(self) -> None:
        """Kill it at whatever it does, and start it anew on the same port."""
        await asyncio.to_thread(self._running.close)
        self.served = await asyncio.to_thread(self._start, URL(self.served.url).port or 0)

    async def end(self) -> None:
        """Kill it for good."""
        await asyncio.to_thread(self._running.close)


@pytest.fixture
async def tokens(tmp_path: Path) -> dict[str, str]:
    """A store, and a token of each kind."""
    return await make_tokens(tmp_path)


@pytest.fixture
async def server(tmp_path: Path, tokens: dict[str, str]) -> AsyncIterator[Killed]:
    """A server on that store."""
    killed = await asyncio.to_thread(Killed, tmp_path)
    yield killed
    await killed.end()


async def _writes(brain: Brain, name: str, taken: dict[str, str], ends: asyncio.Event) -> None:
    """Write page after page; note each that was acknowledged, and make anew what was not, as a caller would."""
    number = 0
    while not ends.is_set():
        slug, request_id = f"{name}/{number}", f"{name}-{number}"
        try:
            done = await brain.write_pages(
                slice="mine", pages=[{"slug": slug, "content": f"{name} {number}"}], request_id=request_id
            )
        except Unavailable:
            continue
        taken[slug] = done.receipts[0].event_id
        number += 1


@pytest.mark.timeout(300)
async def test_cl1_every_acknowledged_write_is_there_once_after_kills(
    tmp_path: Path, tokens: dict[str, str], server: Killed
) -> None:
    """CL1 BR6 BR12: under load the server is killed at random moments and started again; each write that a client
    acknowledged stands there exactly once, with the event that its receipt named, and the record verifies."""
    taken: dict[str, str] = {}
    ends = asyncio.Event()
    chance = random.Random(7)
    async with AsyncExitStack() as stack:
        door = await stack.enter_async_context(
            open_remote(server.served.url, tokens["ada"], patience=Patience(deadline=5.0), new_id=new_id)
        )
        writers = [
            asyncio.create_task(_writes(door.enter(), f"w{number}", taken, ends)) for number in range(WRITERS)
        ]  # fmt: skip
        for _ in range(KILLS):
            enough = len(taken) + chance.randint(5, 25)
            await _until(taken, enough, writers)
            await server.again()
        await _until(taken, len(taken) + 10, writers)
        ends.set()
        await asyncio.gather(*writers)
    await server.end()
    assert len(taken) >= KILLS * 5
    async with open_brain(f"sqlite:///{tmp_path / 'brain.db'}") as store:
        ada = store.enter(Principal.agent("ada"))
        for slug, event in taken.items():
            history = (await ada.versions(slice="mine", slug=slug)).items
            assert [entry.event_id for entry in history] == [event], slug
        assert (await store.enter(Principal.operator("op")).verify()).ok


async def _until(taken: dict[str, str], enough: int, writers: list[asyncio.Task[None]]) -> None:
    """Wait until so many writes were acknowledged, while the writers live."""
    while len(taken) < enough:
        done, _ = await asyncio.wait(writers, timeout=0.01)
        for task in done:
            task.result()


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
