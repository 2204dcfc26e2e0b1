"""Hearing of changes on PostgreSQL: one connection a process listens, and whoever waits looks at its count (BR16)."""

from __future__ import annotations

import asyncio
import os
import select
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

import psycopg

from sliceway.store.walls import CHANNEL
from sliceway.store.watch import Watch

_GLANCE = 0.05
_LOOK_ANYWAY, _LOOK_DEAF = 5.0, 0.5
"""Seconds after which a waiter looks at the rows all the same, while the bell is heard and while it is not."""
_TRY_AGAIN = 1.0


class Bell:
    """Counts what rings. It is a hint: a lost connection makes waiters slower, and loses nothing."""

    def __init__(self, connect: Callable[[], psycopg.Connection[Any]]) -> None:
        """Listen through a connection that `connect` makes, once started."""
        self._connect = connect
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        self._pipe: tuple[int, int] | None = None
        self.count = 0
        self.heard = False

    def start(self) -> None:
        """Listen from now on, if that was not begun before."""
        with self._lock:
            if self._thread is None:
                self._pipe = os.pipe()
                self._thread = threading.Thread(
                    target=self._listen, args=(self._pipe[0],), name="sliceway-bell", daemon=True
                )
                self._thread.start()

    def stop(self) -> None:
        """Listen no more."""
        with self._lock:
            thread, pipe, self._thread, self._pipe = self._thread, self._pipe, None, None
        if thread is not None and pipe is not None:
            os.close(pipe[1])
            thread.join()
            os.close(pipe[0])

    def _listen(self, end: int) -> None:
        while not _over(0.0, end):
            try:
                with self._connect() as connection:
                    connection.autocommit = True
                    connection.execute(f"LISTEN {CHANNEL}")
                    self.heard = True
                    self.count += 1  # what rang while nobody listened
                    while not _over(None, end, connection.fileno()):
                        self.count += sum(1 for _ in connection.notifies(timeout=0))
                    return
            except psycopg.Error:
                self.heard = False
            if _over(_TRY_AGAIN, end):
                return


def _over(seconds: float | None, end: int, *others: int) -> bool:
    """Wait for the end, or for something to read from another; say whether it was the end."""
    return end in select.select([end, *others], [], [], seconds)[0]


class BellWatch(Watch):
    """One waiter's look at the bell."""

    def __init__(self, bell: Bell) -> None:
        """Look at a bell that was started."""
        self._bell = bell

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is held."""

    def version(self) -> int:
        """See `Watch.version`."""
        return self._bell.count

    async def changed(self, seen: int, seconds: float) -> bool:
        """See `Watch.changed`. What rings unheard is found by whoever looks all the same."""
        loop = asyncio.get_running_loop()
        began = loop.time()
        while self._bell.count == seen:
            spent = loop.time() - began
            if spent >= (_LOOK_ANYWAY if self._bell.heard else _LOOK_DEAF):
                return True
            if spent >= seconds:
                return not self._bell.heard
            await asyncio.sleep(min(_GLANCE, seconds - spent))
        return True
