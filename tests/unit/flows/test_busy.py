"""A thread that is too full, and two processes of one agent on one desk."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sliceway.core.turns import Place, Turn
from sliceway.flows.parts import GatewayConfig
from sliceway.flows.presence import Presence, others_there
from sliceway.flows.turns import BUSY
from sliceway.ports import Reply, Tools
from sliceway.ports.chat import PACED
from sliceway.store.desk import open_desk
from tests.fakes.chat import ROOM, TEAM
from tests.fakes.clock import HandClock
from tests.fakes.rig import Rig, gateway_of, make_rig
from tests.fakes.waiting import until

THREAD = Place("slack", TEAM, ROOM, "1.5")


@pytest.fixture
async def rig(tmp_path: Path) -> AsyncIterator[Rig]:
    """A gateway whose threads take three messages."""
    rig = await make_rig(tmp_path, config=GatewayConfig(tick_s=0.01, queue_most=3))
    yield rig
    await rig.close()


async def test_a_full_thread_says_so_once_and_keeps_what_it_took(rig: Rig) -> None:
    """Of seven messages that come while the first is worked on, those that fit are answered in order; each person whose
    message was not taken is told so privately, once, and another thread is not touched."""
    go_on = asyncio.Event()

    async def slow(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        if turn.place.thread == THREAD.thread:
            await go_on.wait()
        yield Reply(f"answer to {turn.text}")

    rig.agent.script = slow
    for number in range(6):
        await rig.say("U1", f"m{number}", place=THREAD, wait=False)
    await rig.say("U2", "mine", place=THREAD, wait=False)
    await rig.say("U2", "elsewhere", wait=False)

    async def told() -> bool:
        return len([said for said in rig.chat.said if said.text == BUSY]) == 2 and any(
            said.text == "answer to elsewhere" for said in rig.chat.said
        )

    await until(told)
    go_on.set()
    await rig.quiet()
    assert sorted(said.only or "" for said in rig.chat.said if said.text == BUSY) == ["U1", "U2"]
    answers = [said.text for said in rig.chat.said if said.place.thread == THREAD.thread and said.text != BUSY]
    assert answers == ["answer to m0", "answer to m1", "answer to m2"]
    await rig.say("U1", "again", place=THREAD)
    assert rig.chat.said[-1].text == "answer to again"


async def test_r57_two_processes_on_one_desk_share_the_work(rig: Rig) -> None:
    """R57: two gateways of one agent on one desk: each message is answered once, whichever of them takes it."""

    async def answer(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        yield Reply(f"answer to {turn.text}")

    rig.agent.script = answer
    other = gateway_of(rig)
    await other.start()
    for number in range(12):
        await rig.say("U1", f"m{number}", wait=False)
    await rig.quiet()
    await other.stop(5.0)
    assert sorted(said.text for said in rig.chat.said) == sorted(f"answer to m{number}" for number in range(12))


async def test_r57_a_second_process_is_told_of_and_a_dead_one_is_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """R57: a process beside another warns once, and whoever looks sees both; after a crash the next one waits for the
    dead one's lease to end and warns of nobody."""
    clock = HandClock()
    desk = await open_desk(f"sqlite:///{tmp_path}/desk.db", clock=clock, sync="normal")
    first, second = (Presence(desk, name, lease_s=15.0) for name in ("first", "second"))
    with caplog.at_level(logging.WARNING, logger="sliceway.flows.presence"):
        await first.renew()
        assert await others_there(desk) == 1
        for _ in range(3):
            await second.renew()
            clock.forward(seconds=5)
        await second.renew()
        assert caplog.records == []
        for _ in range(6):
            await first.renew()
            await second.renew()
            clock.forward(seconds=5)
    assert len(caplog.records) == 1
    assert await others_there(desk) == 2
    await first.stop()
    await second.stop()
    assert await others_there(desk) == 0
    await desk.close()


async def test_t12_what_waits_for_its_channel_was_not_tried(rig: Rig) -> None:
    """T12, AP3: an answer whose channel is full for now is posted when its turn comes, and since nothing was sent it is
    not looked for first."""

    async def answer(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        yield Reply("the answer")

    rig.agent.script = answer
    for _ in range(3):
        rig.chat.fail("say", PACED, retry_after=0.2)
    await rig.say("U1", "hello", wait=False)

    async def answered() -> bool:
        rig.clock.forward(seconds=0.1)
        return bool(rig.chat.said)

    await until(answered)
    await rig.quiet()
    assert [said.text for said in rig.chat.said] == ["the answer"]
    assert rig.chat.calls.count("find") == 0
