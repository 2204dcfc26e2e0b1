"""What runs: calls that outlive their callers, and a stop that lets all of it end (OP4)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from sliceway.core.traces import trace_of
from sliceway.errors import SlicewayError, Unavailable

Result = TypeVar("Result")

log = logging.getLogger(__name__)


class Running:
    """The requests of one server, and whether it stops."""

    def __init__(self) -> None:
        """Nothing runs yet."""
        self.stopping = asyncio.Event()
        self._requests = 0
        self._calls: set[asyncio.Task[Any]] = set()
        self._quiet = asyncio.Event()
        self._quiet.set()

    @contextmanager
    def request(self) -> Iterator[None]:
        """Count a request while it runs.

        :raises Unavailable: the server stops and takes nothing new.
        """
        if self.stopping.is_set():
            raise Unavailable("This server is stopping; try again, at another one or in a moment.", retry_after=1)
        self._requests += 1
        self._quiet.clear()
        try:
            yield
        finally:
            self._requests -= 1
            self._look()

    async def to_its_end(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Return what `work` comes to; it goes on to its end even if whoever waits here is gone."""
        task = asyncio.ensure_future(work)
        self._calls.add(task)
        self._quiet.clear()
        task.add_done_callback(self._ended)
        return await asyncio.shield(task)

    async def stop(self, seconds: float) -> None:
        """Take nothing new, and return when nothing runs, or after so many seconds."""
        self.stopping.set()
        try:
            await asyncio.wait_for(self._quiet.wait(), seconds)
        except TimeoutError:
            log.warning("%d requests were still running after %g s; they are cut off", self._requests, seconds)

    def _ended(self, task: asyncio.Task[Any]) -> None:
        """Let go of a call; what it raised is known to its caller, and logged where that one may be gone."""
        self._calls.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, SlicewayError):
            log.debug("a call failed: %s", trace_of(error))
        self._look()

    def _look(self) -> None:
        if not self._requests and not self._calls:
            self._quiet.set()
