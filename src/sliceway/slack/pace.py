"""How fast messages go out: a burst at first, then one a second and channel, and `Retry-After` kept (T12)."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from sliceway.errors import ChatError
from sliceway.ports.chat import PACED

BURST, EVERY_S = 5, 1.0
"""Messages that a quiet channel takes at once, and how many seconds each one after them waits."""
_SHORT_S = 1.0
_KNOWN = 10_000


@dataclass(slots=True)
class _Channel:
    """`full_at` is when its allowance was or will be whole again; `asked` how far later turns are promised."""

    full_at: float
    asked: float = 0.0
    held_until: float = 0.0


class ChannelPace:
    """Gives each channel its turns. A short wait is waited here; a longer one is refused with the time to come again,
    so that a full channel holds no worker that another channel could use."""

    def __init__(
        self,
        *,
        burst: int = BURST,
        every_s: float = EVERY_S,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Take how many messages go at once, and the seconds between those that follow."""
        self._room = (burst - 1) * every_s
        self._every = every_s
        self._clock, self._sleep = clock, sleep
        self._channels: OrderedDict[str, _Channel] = OrderedDict()

    async def __call__(self, channel: str) -> None:
        """Return when one more message may go to a channel.

        :raises ChatError: that is more than a second away; nothing was sent, `retry_after` says when to come again.
        """
        now, one = self._clock(), self._of(channel)
        full_at = max(one.full_at, now)
        wait = max(full_at - now - self._room, one.held_until - now, 0.0)
        if wait > _SHORT_S:
            one.asked = max(one.asked, now + wait - self._every) + self._every
            raise ChatError(
                f"{channel} takes no more messages just now.", reason=PACED, retry_after=round(one.asked - now, 3)
            )
        one.full_at = full_at + self._every
        if wait > 0:
            await self._sleep(wait)

    def hold(self, channel: str, seconds: float) -> None:
        """Send nothing to a channel for so long: the platform asked for it."""
        one = self._of(channel)
        one.held_until = max(one.held_until, self._clock() + seconds)

    def _of(self, channel: str) -> _Channel:
        """Return what is known of a channel; the one not used for the longest time is forgotten."""
        if channel not in self._channels:
            self._channels[channel] = _Channel(self._clock())
            if len(self._channels) > _KNOWN:
                self._channels.popitem(last=False)
        self._channels.move_to_end(channel)
        return self._channels[channel]
