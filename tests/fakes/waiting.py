"""Waiting for something that no event announces, with a deadline."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

DEADLINE_S = 15.0


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Wait until `condition` holds.

    :raises TimeoutError: it does not within the deadline.
    """
    async with asyncio.timeout(DEADLINE_S):
        while not await condition():  # noqa: ASYNC110 - what is on a desk or in a brain announces itself to nobody
            await asyncio.sleep(0.002)
