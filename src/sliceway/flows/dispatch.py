"""Deliveries in order within a thread, side by side across threads; clicks and commands never wait behind a turn."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Mapping

from sliceway.core.traces import trace_of
from sliceway.errors import ChatError, SlicewayError, Unauthorized
from sliceway.flows.parts import GatewayConfig
from sliceway.flows.trouble import BRAIN_AWAY, is_outage, trouble_of
from sliceway.flows.workers import Workers
from sliceway.ports import Desk, InboxItem

log = logging.getLogger(__name__)

Handler = Callable[[InboxItem], Awaitable[None]]
OnDead = Callable[[InboxItem, Exception], Awaitable[None]]
"""Tells whom it concerns, given what the last try died of."""

DEAD_AFTER = 3
"""Failures after which an item is a dead letter and its thread goes on."""
_RETRY_S = (1.0, 10.0, 0.0)
_OUTAGE_TRIES, _AWAITED_TRIES, _OUTAGE_RETRY_S = 60, 6, 30.0
"""A brain or a chat that does not answer is waited for, about half an hour, and is no failure of the item's own: what
was accepted is not lost to it (OP4). What a person waits for with their finger on the button, half a minute: then they
are told."""


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
        on_dead: OnDead | None = None,
        awaited: Collection[str] = (),
    ) -> None:
        """Take a handler for each kind; `on_dead` is called with an item just before it becomes a dead letter.

        :param awaited: the kinds that somebody waits for, and so is told of soon.
        """
        super().__init__(desk, holder, config)
        self.name = name
        self._handlers, self._on_dead, self._awaited = handlers, on_dead, frozenset(awaited)
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
        log.info("%s %s is done", item.kind, item.key)

    async def failed(self, item: InboxItem, error: Exception) -> None:
        code = error.code if isinstance(error, SlicewayError) else type(error).__name__
        outage, tries = is_outage(error), item.attempts + 1
        if outage:
            self._outages[item.key] += 1
            tries, code = self._outages[item.key], "chat_down" if isinstance(error, ChatError) else code
        log.warning("%s %s failed at try %d: %s, %s", item.kind, item.key, tries, code, trace_of(error))
        log.debug("%s %s failed", item.kind, item.key, exc_info=error)
        most = (_AWAITED_TRIES if item.kind in self._awaited else _OUTAGE_TRIES) if outage else DEAD_AFTER
        waits = isinstance(error, Unauthorized) and item.kind not in self._awaited
        if outage and (waits or tries < most):
            await self._desk.delay(item.key, code, retry_s=_pause(error, tries))
        elif tries < most:
            await self._desk.fail(item.key, code, dead_after=most, retry_s=_RETRY_S[tries - 1])
        else:
            await self._bury(item, error, code, tries)

    async def _bury(self, item: InboxItem, error: Exception, code: str, tries: int) -> None:
        """Tell whom it concerns, then make an item a dead letter, so that its thread goes on; but not in silence while
        the brain is away."""
        if self._on_dead is not None:
            trouble = await trouble_of(self._on_dead(item, error))
            if isinstance(trouble, BRAIN_AWAY) and item.kind not in self._awaited:
                await self._desk.delay(item.key, code, retry_s=_OUTAGE_RETRY_S)
                return
            if trouble is not None:
                log.error("%s %s: its person could not be told: %s", item.kind, item.key, trace_of(trouble))
        self._outages.pop(item.key, None)
        await self._desk.fail(item.key, code, dead_after=0)
        log.error("%s %s failed %d times and is now a dead letter: %s", item.kind, item.key, tries, code)


def _pause(error: Exception, tries: int) -> float:
    """Return how many seconds to wait before another try in an outage: longer each time, and as the platform asks."""
    asked = error.retry_after if isinstance(error, ChatError) else None
    return max(asked or 0.0, min(_OUTAGE_RETRY_S, 2.0 ** min(tries - 1, 5)))


class _DiedTooOften(SlicewayError):
    """The process died each time it worked on this."""

    code = "died_working"
