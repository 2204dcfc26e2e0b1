"""Deliveries in order within a thread, side by side across threads; clicks and commands never wait behind a turn."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping

from sliceway.core.traces import trace_of
from sliceway.errors import SlicewayError
from sliceway.flows.parts import GatewayConfig
from sliceway.flows.trouble import trouble_of
from sliceway.flows.workers import Workers
from sliceway.ports import Desk, InboxItem

log = logging.getLogger(__name__)

Handler = Callable[[InboxItem], Awaitable[None]]

DEAD_AFTER = 3
"""Failures after which an item is a dead letter and its thread goes on."""
_RETRY_S = (1.0, 10.0, 0.0)


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
    ) -> None:
        """Take a handler for each kind; `on_dead` is called with an item just before it becomes a dead letter."""
        super().__init__(desk, holder, config)
        self.name = name
        self._handlers, self._on_dead = handlers, on_dead

    async def take(self) -> InboxItem | None:
        kinds = tuple(self._handlers)
        return await self._desk.take_turn(holder=self._holder, lease_s=self._config.lease_s, kinds=kinds)

    async def work(self, item: InboxItem) -> None:
        if item.attempts >= DEAD_AFTER:
            raise _DiedTooOften
        await self._handlers[item.kind](item)
        await self._desk.finish(item.key)

    async def failed(self, item: InboxItem, error: Exception) -> None:
        code = error.code if isinstance(error, SlicewayError) else type(error).__name__
        log.warning("%s %s failed at try %d: %s, %s", item.kind, item.key, item.attempts + 1, code, trace_of(error))
        log.debug("%s %s failed", item.kind, item.key, exc_info=error)
        last = item.attempts + 1 >= DEAD_AFTER
        if last and self._on_dead is not None:
            trouble = await trouble_of(self._on_dead(item))
            if trouble is not None:
                log.error("%s %s: its person could not be told: %s", item.kind, item.key, trace_of(trouble))
        retry_s = _RETRY_S[min(item.attempts, len(_RETRY_S) - 1)]
        if await self._desk.fail(item.key, code, dead_after=DEAD_AFTER, retry_s=retry_s):
            log.error("%s %s failed %d times and is now a dead letter: %s", item.kind, item.key, DEAD_AFTER, code)


class _DiedTooOften(SlicewayError):
    """The process died each time it worked on this."""

    code = "died_working"
