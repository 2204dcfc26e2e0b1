"""Running something whose failure is somebody else's to judge."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable


async def trouble_of(work: Awaitable[object]) -> Exception | None:
    """Await `work` and return what it raised, None where it did not; a cancellation goes through."""
    (result,) = await asyncio.gather(work, return_exceptions=True)
    if isinstance(result, Exception):
        return result
    if isinstance(result, BaseException):
        raise result
    return None
