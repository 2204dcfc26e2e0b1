"""Long polls: cut into short waits, so that each looks again at its token, and all end when the server stops (BR2)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from sliceway.core.proposals import Changes
from sliceway.ports import Brain

RECHECK_S = 2.0
"""Seconds after which an open stream looks at its token again."""


async def polled(
    brain: Brain,
    fields: dict[str, Any],
    *,
    again: Callable[[], Awaitable[Brain]],
    stopping: asyncio.Event,
    now: Callable[[], float],
    recheck: float = RECHECK_S,
) -> Changes:
    """Return what `changes` returns for these fields, waiting as long as they say.

    :param again: returns the brain as its caller may use it by now. :param stopping: set, it ends the wait at once.
    :param now: seconds that only grow.
    :raises Unauthorized: the token was good when the wait began and is no more.
    """
    until = now() + fields.pop("wait", 0.0)
    while True:
        left = max(0.0, until - now())
        found = await _before(stopping, brain.changes(**fields, wait=min(recheck, left)))
        if found is None:
            return await brain.changes(**fields)
        if found.items or left <= recheck:
            return found
        brain = await again()


async def _before(stopping: asyncio.Event, waiting: Awaitable[Changes]) -> Changes | None:
    """Return what the wait comes to, None where the server began to stop before."""
    asked = asyncio.ensure_future(waiting)
    stops = asyncio.ensure_future(stopping.wait())
    try:
        await asyncio.wait({asked, stops}, return_when=asyncio.FIRST_COMPLETED)
        return asked.result() if asked.done() else None
    finally:
        for task in (asked, stops):
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
