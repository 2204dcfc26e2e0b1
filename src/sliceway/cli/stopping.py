"""How a server that runs in this process is told to stop."""

from __future__ import annotations

import asyncio
import logging
import os
import signal

log = logging.getLogger("sliceway.server")

_LOOK_FOR_PARENT_S = 1.0


class Stopping:
    """What the signals ask for: the first to drain, the second to be gone."""

    def __init__(self) -> None:
        """Listen for both signals from now on."""
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
        if self._starting is not None:
            self._starting.cancel()
