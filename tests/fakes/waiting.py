"""Waiting for something that no event announces, with a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from sliceway.errors import InvalidRequest
from sliceway.flows.cards import CURSOR
from sliceway.ports import Brain, Desk

DEADLINE_S = 15.0


async def is_worked_off(desk: Desk, brain: Brain) -> bool:
    """Say whether everything that arrived at a gateway and followed from it is done."""
    if await desk.inbox_depth() or await desk.owed_depth():
        return False
    read = await desk.cursor(CURSOR) or None
    try:
        changes = await brain.changes(after=read)
    except InvalidRequest:
        return False  # a place that the brain never gave, as the gateway is about to see
    return not changes.items and not await desk.owed_depth()


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Wait until `condition` holds.

    :raises TimeoutError: it does not within the deadline.
    """
    async with asyncio.timeout(DEADLINE_S):
        while not await condition():  # noqa: ASYNC110 - what is on a desk or in a brain announces itself to nobody
            await asyncio.sleep(0.002)
