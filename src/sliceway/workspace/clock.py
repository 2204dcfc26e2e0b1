"""The workspace's time: the real one plus what the control API added, so that hours pass in a moment."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from typing import Any

from sliceway.errors import FieldError, InvalidRequest

_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_DURATION = re.compile(r"(\d{1,7}(?:\.\d{1,3})?)([smhd])", re.ASCII)


def seconds_of(duration: str, field: str = "advance") -> float:
    """Return the seconds in a duration written `4s`, `15m`, `72h` or `7d`.

    :raises InvalidRequest: written in another way.
    """
    match = _DURATION.fullmatch(duration)
    if match is None:
        detail = "write a duration as a number and one of s, m, h, d, like 4s, 15m, 72h or 7d"
        raise InvalidRequest(errors=[FieldError(field, "invalid_duration", detail)])
    return float(match[1]) * _UNITS[match[2]]


class VirtualClock:
    """Wall time that can be pushed forward; those who sleep on it wake when either makes it late enough."""

    def __init__(self, wall: Callable[[], float] = time.time) -> None:
        """Take where real time comes from (Unix seconds)."""
        self._wall = wall
        self._offset = 0.0
        self._last_stamp = 0
        self._moved = asyncio.Event()

    def now(self) -> float:
        """Return the Unix time in this workspace."""
        return self._wall() + self._offset

    def outside(self) -> float:
        """Return the Unix time outside this workspace, which an app checks a signature by."""
        return self._wall()

    def advance(self, seconds: float) -> None:
        """Push time forward by `seconds` (0 or more) and wake whoever was waiting for that."""
        self._offset += seconds
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()

    async def sleep(self, seconds: float) -> None:
        """Return once `seconds` have passed on this clock, really or by `advance`."""
        until = self.now() + seconds
        while (left := until - self.now()) > 0:
            try:
                await asyncio.wait_for(self._moved.wait(), timeout=left)
            except TimeoutError:
                continue

    async def wait(self, happening: asyncio.Future[Any], seconds: float) -> None:
        """Return once something has happened, or `seconds` have passed on this clock, whichever is first."""
        patience = asyncio.ensure_future(self.sleep(seconds))
        try:
            await asyncio.wait({happening, patience}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            patience.cancel()

    def stamp(self) -> str:
        """Return a new message timestamp, `1712345678.000100`: the time, and later than every one before."""
        self._last_stamp = max(int(self.now() * 1_000_000), self._last_stamp + 100)
        return f"{self._last_stamp // 1_000_000}.{self._last_stamp % 1_000_000:06d}"
