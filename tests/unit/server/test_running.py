"""Writes outlive their callers, and a stop waits for all that runs (OP4)."""

from __future__ import annotations

import asyncio

import pytest

from sliceway.errors import Unavailable
from sliceway.server.running import Running


async def test_op4_a_write_once_begun_runs_to_its_end() -> None:
    """OP4: the caller is gone, the write is not, and a stop waits for it."""
    running, go, done = Running(), asyncio.Event(), asyncio.Event()

    async def write() -> None:
        await go.wait()
        done.set()

    caller = asyncio.ensure_future(running.to_its_end(write()))
    await asyncio.sleep(0)
    caller.cancel()
    await asyncio.wait([caller])
    stop = asyncio.ensure_future(running.stop(30))
    await asyncio.sleep(0)
    assert not stop.done()
    go.set()
    await stop
    assert done.is_set()


async def test_op4_a_server_that_stops_takes_nothing_new() -> None:
    """OP4: what runs is waited for, so long and no longer; what comes is told to come again."""
    running = Running()
    with running.request():
        await running.stop(0)
    with pytest.raises(Unavailable) as refused, running.request():
        pass
    assert refused.value.facts["retry_after"] == 1
    await asyncio.wait_for(running.stop(30), 5)
