"""How long a call waits and how often it is tried (CL3), and the time it is measured by."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Patience:
    """The settings `brain.deadline`, `brain.connect_timeout`, `brain.pool_size` and `brain.retries`.

    :ivar deadline: seconds that one call may take, waiting and trying again included.
    :ivar connect_timeout: seconds that one connection may take to be made.
    :ivar pool_size: connections at once, each kept for the next call.
    :ivar retries: attempts after the first, at most.
    """

    deadline: float = 10.0
    connect_timeout: float = 3.0
    pool_size: int = 20
    retries: int = 5


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Pace:
    """The time: seconds that only grow, a way to let some pass, and the clock on the wall for a `Retry-After` that
    is a date."""

    seconds: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    wall: Callable[[], datetime] = _now
