"""Noticing that a store changed, without reading it (BR16)."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import Self

_PERIOD = 0.05


class Watch(ABC):
    """One waiter's eye on the store: made for a long poll, closed after it."""

    def __enter__(self) -> Self:
        """Return the open eye."""
        return self

    @abstractmethod
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""

    @abstractmethod
    def version(self) -> int:
        """Return a number that another one follows when the store changes, by whichever process. Call it off the event
        loop.

        :raises StoreUnavailable: the store is no longer there, or cannot be looked at.
        """

    @abstractmethod
    async def changed(self, seen: int, seconds: float) -> bool:
        """Return when the version is no longer `seen`, when it is time to look all the same, or after so many seconds;
        say whether there is a reason to look at the rows. Without one they are as they were at the look before."""


class FileWatch(Watch):
    """The data version of a SQLite file, on a connection of its own."""

    def __init__(self, file: Path, in_words: Callable[[], AbstractContextManager[None]]) -> None:
        """Look at the store in `file`, opened at the first look; `in_words` turns the driver's errors into ours."""
        self._file = file
        self._in_words = in_words
        self._connection: sqlite3.Connection | None = None
        self._closed = False
        self._lock = threading.Lock()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it, once no thread looks through it; a look that was given up opens it no more."""
        with self._lock:
            self._closed = True
            if self._connection is not None:
                self._connection.close()

    def version(self) -> int:
        """See `Watch.version`: any commit changes it."""
        with self._lock, self._in_words():
            if self._closed:
                return 0
            if self._connection is None:
                self._connection = sqlite3.connect(
                    f"{self._file.as_uri()}?mode=rw", uri=True, check_same_thread=False, isolation_level=None
                )
            found: tuple[int] = self._connection.execute("PRAGMA data_version").fetchone()
            return found[0]

    async def changed(self, seen: int, seconds: float) -> bool:
        """See `Watch.changed`."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while (left := until - loop.time()) > 0:
            await asyncio.sleep(min(_PERIOD, left))
            if await asyncio.to_thread(self.version) != seen:
                return True
        return False
