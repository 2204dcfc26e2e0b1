"""Working off the desk: items taken one by one, each in a task of its own, its lease renewed while it runs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from collections.abc import Coroutine
from typing import Any, Generic, TypeVar

from sliceway.core.context import doing
from sliceway.core.traces import trace_of
from sliceway.errors import Unavailable
from sliceway.flows.parts import GatewayConfig
from sliceway.flows.trouble import trouble_of
from sliceway.ports import Desk, InboxItem, Owed

log = logging.getLogger(__name__)

Item = TypeVar("Item", InboxItem, Owed)


class Workers(ABC, Generic[Item]):
    """A loop that takes items from the desk and a strong set of the tasks that work on them (T14).

    It looks for items when it is kicked, when one is done, and every `tick_s` seconds for those whose time came or
    whose process died.
    """

    name = "worker"

    def __init__(self, desk: Desk, holder: str, config: GatewayConfig) -> None:
        """Take the desk to work off; `start` begins."""
        self._desk, self._holder, self._config = desk, holder, config
        self._kicked = asyncio.Event()
        self._running: dict[str, asyncio.Task[None]] = {}
        self._again: dict[str, Item] = {}  # taken anew while the task that gave it back was still ending
        self._loop: asyncio.Task[None] | None = None
        self._stopping = False

    @abstractmethod
    async def take(self) -> Item | None:
        """Take the next item from the desk."""

    @abstractmethod
    async def work(self, item: Item) -> None:
        """Do an item's work and end it on the desk; an error is handed to `failed`."""

    @abstractmethod
    async def failed(self, item: Item, error: Exception) -> None:
        """Give back an item whose work failed."""

    def start(self) -> None:
        """Begin to work."""
        self._loop = asyncio.create_task(self._run(), name=self.name)

    def kick(self) -> None:
        """Say that there may be something to take."""
        self._kicked.set()

    @property
    def is_alive(self) -> bool:
        """Whether the loop runs."""
        return self._loop is not None and not self._loop.done()

    async def stop(self, deadline_s: float) -> None:
        """Take nothing more and let what runs finish; what is not finished by then stays on the desk (OP4)."""
        self._stopping = True
        self.kick()
        if self._loop is not None:
            await self._loop
        running = tuple(self._running.values())
        if running:
            _, late = await asyncio.wait(running, timeout=deadline_s)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _run(self) -> None:
        """Take items until told to stop; an error of the desk is logged and tried again at the next tick."""
        while not self._stopping:
            self._kicked.clear()
            if (trouble := await trouble_of(self._take_all())) is not None:
                log.error("%s: the desk gave no work; trying again: %s", self.name, trace_of(trouble))
                log.debug("%s: the desk gave no work", self.name, exc_info=trouble)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._config.tick_s):
                    await self._kicked.wait()

    async def _take_all(self) -> None:
        """Start a task for every item there is, up to the limit."""
        while not self._stopping and len(self._running) < self._config.at_most:
            item = await self.take()
            if item is None:
                return
            if item.key in self._running:
                self._again[item.key] = item
            else:
                self._begin(item, self._held(item))

    def _begin(self, item: Item, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name=item.key)
        self._running[item.key] = task
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        """Forget a task, go on with its item where that was taken again meanwhile, and look for more."""
        self._running.pop(task.get_name(), None)
        again = self._again.pop(task.get_name(), None)
        if again is not None and not self._stopping:
            self._begin(again, self._held_still(again))
        if not task.cancelled() and (error := task.exception()) is not None:
            log.error("%s: %s could not be given back: %s", self.name, task.get_name(), trace_of(error))
            log.debug("%s: %s could not be given back", self.name, task.get_name(), exc_info=error)
        self.kick()

    async def _held_still(self, item: Item) -> None:
        """Work on an item that was taken again, unless the task before it ended it or gave it back since."""
        if await self._desk.renew(item, holder=self._holder, lease_s=self._config.lease_s):
            await self._held(item)

    async def _held(self, item: Item) -> None:
        """Work on an item while its lease is renewed; whatever goes wrong, the item is given back."""
        task = asyncio.current_task()
        assert task is not None
        with doing(**{item.kind: item.key}):
            beat = asyncio.create_task(self._renew(item, task))
            try:
                trouble = await trouble_of(self.work(item))
            finally:
                beat.cancel()
            if trouble is not None:
                await self.failed(item, trouble)

    async def _renew(self, item: Item, task: asyncio.Task[None]) -> None:
        """Keep the lease; if it was lost, another process has the item, so stop working on it."""
        while True:
            await asyncio.sleep(self._config.lease_s / 3)
            try:
                held = await self._desk.renew(item, holder=self._holder, lease_s=self._config.lease_s)
            except Unavailable as error:
                log.warning("%s: the lease of %s is not renewed yet: %s", self.name, item.key, error.detail)
                continue
            if not held:
                log.warning("%s: the lease of %s was lost; another process works on it", self.name, item.key)
                task.cancel()
                return
