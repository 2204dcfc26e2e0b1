"""Long polls: while one waits, its token is looked at again and again, and all end when the server stops (BR2)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from sliceway.core.proposals import Changes
from sliceway.ports import Brain

RECHECK_S = 2.0
"""Seconds after which an open stream looks at its token again."""


async def polled(
    brain: Brain,
    fields: dict[str, Any],
    *,
    again: Callable[[], Awaitable[Brain | None]],
    stopping: asyncio.Event,
    now: Callable[[], float],
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
) -> Changes:
    """Return what `changes` returns for these fields, waiting as long as they say.

    The feed is looked at when the brain has a reason to, not at each look at the token.

    :param again: looks at the token; returns the brain as its caller may use it by now where that is another than
        before, None where it is not.
    :param stopping: set, it ends the wait at once. :param now: seconds that only grow.
    :raises Unauthorized: the token was good when the wait began and is no more.
    """
    wait = fields.pop("wait", 0.0)
    until = now() + wait
    asked = asyncio.ensure_future(brain.changes(**fields, wait=wait))
    stops = asyncio.ensure_future(stopping.wait())
    ticks = asyncio.ensure_future(sleep(RECHECK_S))
    try:
        while True:
            await asyncio.wait({asked, stops, ticks}, return_when=asyncio.FIRST_COMPLETED)
            if asked.done():
                return asked.result()
            if stops.done():
                return await brain.changes(**fields)
            other = await again()
            if other is not None:
                await _ended(asked)
                brain = other
                asked = asyncio.ensure_future(brain.changes(**fields, wait=max(0.0, until - now())))
            ticks = asyncio.ensure_future(sleep(RECHECK_S))
    finally:
        await _ended(asked, stops, ticks)


async def _ended(*tasks: asyncio.Future[Any]) -> None:
    """End what nobody waits for any more; what it would have said is of no use."""
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
