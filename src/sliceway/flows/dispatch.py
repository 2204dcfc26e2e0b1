"""Deliveries in order within a thread, side by side across threads; clicks and commands never wait behind a turn."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping

from sliceway.errors import ChatError, SlicewayError, Unavailable
from sliceway.flows.parts import GatewayConfig
from sliceway.flows.workers import Workers
from sliceway.ports import Desk, InboxItem

log = logging.getLogger(__name__)

Handler = Callable[[InboxItem], Awaitable[None]]

DEAD_AFTER = 3
"""Failures after which an item is a dead letter and its thread goes on."""
_RETRY_S = (1.0, 10.0, 0.0)
_LONGEST_OUTAGE_WAIT_S = 30.0


class Dispatcher(Workers[InboxItem]):
    """Works off some kinds of delivery. The desk keeps each thread's order; this runs as many threads as it may."""

    def __init__(
        self,
        desk: Desk,
        holder: str,
        config: GatewayConfig,
        *,
        name: str,
        handlers: Mapping[str, Handler],
        on_dead: Handler | None = None,
        hurried: Collection[str] = (),
    ) -> None:
        """Take a handler for each kind; `on_dead` is called with an item just before it becomes a dead letter.

        :param hurried: kinds that a person waits for with the hand on the button: an outage counts as a failure of
            theirs, so that the person soon hears that it did not count. All others wait until an outage ends.
        """
        super().__init__(desk, holder, config)
        self.name = name
        self._handlers, self._on_dead, self._hurried = handlers, on_dead, frozenset(hurried)
        self._outages: Counter[str] = Counter()

    async def take(self) -> InboxItem | None:
        kinds = tuple(self._handlers)
        return await self._desk.take_turn(holder=self._holder, lease_s=self._config.lease_s, kinds=kinds)

    async def work(self, item: InboxItem) -> None:
        if item.attempts >= DEAD_AFTER:
            raise _DiedTooOften
        await self._handlers[item.kind](item)
        await self._desk.finish(item.key)
        self._outages.pop(item.key, None)

    async def failed(self, item: InboxItem, error: Exception) -> None:
        code = error.code if isinstance(error, SlicewayError) else type(error).__name__
        if item.kind not in self._hurried and (outage := outage_of(error)) is not None:
            await self._wait(item, code, outage)
            return
        log.warning("%s %s failed at try %d: %s", item.kind, item.key, item.attempts + 1, code, exc_info=error)
        last = item.attempts + 1 >= DEAD_AFTER
        if last and self._on_dead is not None:
            try:
                await self._on_dead(item)
            except Exception:
                log.exception("%s %s: its person could not be told that it failed", item.kind, item.key)
        retry_s = _RETRY_S[min(item.attempts, len(_RETRY_S) - 1)]
        if await self._desk.fail(item.key, code, dead_after=DEAD_AFTER, retry_s=retry_s):
            log.error("%s %s failed %d times and is now a dead letter: %s", item.kind, item.key, DEAD_AFTER, code)

    async def _wait(self, item: InboxItem, code: str, at_least: float) -> None:
        """Try again later, as often as it takes: what is down is not the message's fault, and nothing is lost."""
        self._outages[item.key] += 1
        wait = max(at_least, min(_LONGEST_OUTAGE_WAIT_S, 0.5 * 2 ** min(self._outages[item.key], 7)))
        log.warning("%s %s waits for an outage to end (%s); again in %.1f s", item.kind, item.key, code, wait)
        await self._desk.delay(item.key, code, retry_s=wait)


def outage_of(error: Exception) -> float | None:
    """Return how many seconds to wait at least where `error` says that something is down or asks to slow down; None
    where it says that the work itself failed."""
    if isinstance(error, Unavailable):
        return 0.0
    return error.retry_after if isinstance(error, ChatError) else None


class _DiedTooOften(SlicewayError):
    """The process died each time it worked on this."""

    code = "died_working"
