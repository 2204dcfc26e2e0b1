"""Whether several processes of one agent work on one desk: that works, and is told (R57)."""

from __future__ import annotations

import asyncio
import logging

from sliceway.errors import Unavailable
from sliceway.ports import Desk

log = logging.getLogger(__name__)

FIRST, SECOND = "gateway", "another gateway"
"""Names of the leases: held by the process that was first, and by any other beside it."""
LEASE_S = 15.0


class Presence:
    """Says on the desk that this process is there, and in the log when another one is there too.

    Nothing hangs on it: items are leased one by one, so two processes share the work and neither does it twice.
    """

    def __init__(self, desk: Desk, holder: str, *, lease_s: float = LEASE_S) -> None:
        """Take the desk, and the name this process has in its leases."""
        self._desk, self._holder, self._lease_s = desk, holder, lease_s
        self._refused = 0
        self._loop: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to be there."""
        self._loop = asyncio.create_task(self._run(), name="presence")

    async def stop(self) -> None:
        """Be gone at once, not only when the lease ends."""
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.wait([self._loop])
        for name in (FIRST, SECOND):
            await self._desk.lease(name, holder=self._holder, lease_s=0.0)

    async def _run(self) -> None:
        """Renew the lease, three times as often as it ends."""
        while True:
            try:
                await self.renew()
            except Unavailable as error:
                log.warning("the desk does not say whether another gateway is there: %s", error.detail)
            await asyncio.sleep(self._lease_s / 3)

    async def renew(self) -> None:
        """Hold the lease; say so when another process has had it for longer than a dead one could."""
        if await self._desk.lease(FIRST, holder=self._holder, lease_s=self._lease_s):
            self._refused = 0
            return
        self._refused += 1
        if self._refused < 4:  # a process that was killed just now leaves its lease behind for so long
            return
        await self._desk.lease(SECOND, holder=self._holder, lease_s=self._lease_s)
        if self._refused == 4:
            log.warning(
                "another gateway of this agent works on the same desk: they share the work, and each event reaches one "
                "of them; stop one if that is not meant"
            )


async def others_there(desk: Desk) -> int:
    """Return how many gateways work on a desk, 0, 1, or 2 for several; nothing changes by asking."""
    return [await desk.is_held(name) for name in (FIRST, SECOND)].count(True)
