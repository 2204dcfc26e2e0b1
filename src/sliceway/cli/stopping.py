"""How a server that runs in this process is told to stop."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from datetime import timedelta

log = logging.getLogger("sliceway.server")

HELD_UP = 1
"""The exit code of a process that did not stop in time."""

_LOOK_FOR_PARENT_S = 1.0
_LAST_WORDS_S, _CLOSING_S = 5.0, 2.0
"""Seconds beyond the drain that a stop may take: twice for what is still to be said, once to close."""


def longest(drain: timedelta) -> float:
    """Return how many seconds a stop with that drain takes at most where nothing holds it up."""
    seconds = drain.total_seconds()
    return seconds + 2 * min(seconds, _LAST_WORDS_S) + _CLOSING_S


class Stopping:
    """What the signals ask for: the first to drain, the second to be gone.

    A thread that waits for a lock or a disk cannot be cancelled, and Python waits for it without end: what does not
    stop in time is ended with its process, as by a second signal.
    """

    def __init__(self, at_most: float) -> None:
        """Listen for both signals from now on. `at_most` is how many seconds a stop may take."""
        self._at_most = at_most
        self._asked = asyncio.Event()
        self._starting = asyncio.current_task()
        self._watch: asyncio.Task[None] | None = None
        for each in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(each, self._signal, each)

    def event(self) -> asyncio.Event:
        """Return what is set when one of the signals came; until this is called, one gives up the start."""
        self._starting = None
        return self._asked

    def with_parent(self, parent: int) -> None:
        """Stop as SIGTERM does once `parent` is gone: what starts a gateway for a while leaves none behind."""
        self._watch = asyncio.create_task(self._outlive(parent), name="parent")

    async def _outlive(self, parent: int) -> None:
        while os.getppid() == parent:  # noqa: ASYNC110 - the end of another process announces itself to nobody
            await asyncio.sleep(_LOOK_FOR_PARENT_S)
        log.info("the process that started this one is gone")
        if not self._asked.is_set():
            self._signal(signal.SIGTERM)

    def _signal(self, number: signal.Signals) -> None:
        if self._asked.is_set():
            os._exit(128 + number)  # whatever was accepted is on disk, and taken up at the next start
        log.info("%s: stopping; a second signal ends it at once", number.name)
        self._asked.set()
        timer = threading.Timer(self._at_most, self._give_up)
        timer.daemon = True  # it keeps nothing from ending by itself
        timer.start()
        if self._starting is not None:
            self._starting.cancel()

    def _give_up(self) -> None:
        log.error("something did not stop within %.0f s and is ended with this process", self._at_most)
        os._exit(HELD_UP)
