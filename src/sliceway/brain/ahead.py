"""Having lines of an import read ahead, by a process beside the one that writes: on a machine with several processors a
large import is done sooner, and to the same rows."""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Self

from pydantic_core import from_json

from sliceway.core.traces import trace_of
from sliceway.wire.line_reader import framed, length_of
from sliceway.wire.models import PageModel

log = logging.getLogger(__name__)

_HEAD = 8
_STOPS_IN_S = 5.0

Numbered = tuple[int, bytes]


@dataclass(frozen=True, slots=True)
class ReadPage:
    """The line of a page as it was read ahead: its fields as they were judged, and the terms of its texts."""

    slice: str
    said: Mapping[str, Any]
    terms: Mapping[str, int]

    def model(self) -> PageModel:
        """Return the page, without judging it again."""
        return PageModel.model_construct(**self.said)


Told = Sequence[ReadPage | None]
"""What was read ahead of a batch, line by line; None for what its reader reads itself."""


class Ahead:
    """Reads the batch after the one that is being worked on. The process begins with the second batch: a small import
    needs none. Whatever becomes of it, nothing is lost: who writes reads by itself what nobody read ahead."""

    def __init__(self, agent: str | None, *, wanted: bool) -> None:
        """Read for pages that this agent takes in.

        :param wanted: whether a process may be started.
        """
        self._agent = agent
        self._wanted = wanted and (os.cpu_count() or 1) > 1
        self._process: Process | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._stop()

    async def over(
        self, batches: AsyncIterator[Sequence[Numbered]]
    ) -> AsyncGenerator[tuple[Sequence[Numbered], Told]]:  # fmt: skip
        """Give each batch with what was read of it ahead. Close it where it is left before its end."""
        batch = await anext(batches, None)
        told: Told = ()
        while batch is not None:
            following = asyncio.create_task(self._following(batches))
            try:
                yield batch, told or [None] * len(batch)
                batch, told = await following
            finally:
                if not following.done():
                    following.cancel()
                    with suppress(asyncio.CancelledError):
                        await following

    async def _following(
        self, batches: AsyncIterator[Sequence[Numbered]]
    ) -> tuple[Sequence[Numbered] | None, Told]:  # fmt: skip
        batch = await anext(batches, None)
        return batch, await self._read(batch) if batch is not None and self._wanted else ()

    async def _read(self, batch: Sequence[Numbered]) -> Told:
        try:
            process = self._process = self._process or await self._begun()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.writelines([framed(b"\n".join(raw for _, raw in batch))])
            size = length_of(await process.stdout.readexactly(_HEAD))
            answer = from_json(await process.stdout.readexactly(size))
            return [ReadPage(one["slice"], one["page"], one["terms"]) if one is not None else None for one in answer]
        except (OSError, EOFError, ValueError, LookupError) as error:
            log.warning("no lines are read ahead any more, the import goes on alone: %s", trace_of(error))
            self._wanted = False
            await self._stop()
            return ()

    async def _begun(self) -> Process:
        return await asyncio.create_subprocess_exec(
            sys.executable, "-m", "sliceway.wire.line_reader", self._agent or "", stdin=PIPE, stdout=PIPE,
            start_new_session=True,  # Ctrl-C is for who writes
        )  # fmt: skip

    async def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin is not None
        process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), _STOPS_IN_S)
        except TimeoutError:
            process.kill()
            await process.wait()
