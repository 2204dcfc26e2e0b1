"""Token buckets: so many calls a second and a burst for each of many callers, in bounded memory. Pure but for time."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

_MOST = 10_000
BURST = 2
"""A burst is so many seconds' worth of calls."""


@dataclass(slots=True)
class Bucket:
    """What one caller may still do at once, as it stood at a moment in seconds."""

    left: float
    at: float


class Buckets:
    """One bucket a caller. The caller that was away the longest is forgotten first: its bucket is the fullest."""

    def __init__(self, rate: float, *, now: Callable[[], float], most: int = _MOST) -> None:
        """Give each caller `rate` calls a second and twice that at once; `now` returns seconds that only grow.

        :param most: how many callers are remembered.
        """
        self._rate = rate
        self._burst = rate * BURST
        self._now = now
        self._most = most
        self._of: OrderedDict[bytes, Bucket] = OrderedDict()

    def __len__(self) -> int:
        """Return how many callers are remembered."""
        return len(self._of)

    def __contains__(self, caller: bytes) -> bool:
        """Say whether a caller is remembered."""
        return caller in self._of

    def wait(self, caller: bytes, *, take: bool = True) -> float:
        """Return 0 and count a call, or after how many seconds the next one may come.

        :param take: False only looks.
        """
        now = self._now()
        bucket = self._of.get(caller)
        left = self._burst if bucket is None else min(self._burst, bucket.left + (now - bucket.at) * self._rate)
        waits = 0.0 if left >= 1 else (1 - left) / self._rate
        if take:
            self._of[caller] = Bucket(left if waits else left - 1, now)
            self._of.move_to_end(caller)
            if len(self._of) > self._most:
                self._of.popitem(last=False)
        return waits

    def forget(self, caller: bytes) -> None:
        """Remember a caller no more."""
        self._of.pop(caller, None)


def whole_seconds(wait: float) -> int:
    """Return a wait as `Retry-After` says it: whole seconds, at least one."""
    return max(1, math.ceil(wait))
