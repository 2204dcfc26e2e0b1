"""The time now, new ids, and the end of what would go on for ever."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from ulid import ULID


def now() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


def new_id() -> str:
    """Return an id never returned before."""
    return str(ULID())


async def ended(task: asyncio.Task[None]) -> None:
    """End a task that would go on for ever."""
    task.cancel()
    await asyncio.wait([task])
