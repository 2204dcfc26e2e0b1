"""Whether a brain's server can do its work, and how much there is: looked at when asked, not more than once a second.

Whoever asks shows no token, so that what it costs and what it tells is kept small (OP2).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Generic, TypeVar

from sliceway.errors import SlicewayError
from sliceway.store.session import Session, Store

_PATIENCE_S = 2.0
_FRESH_S = 1.0

Seen = TypeVar("Seen")


class _Look(Generic[Seen]):
    """One look at the store that all share who ask within a second."""

    def __init__(self, look: Callable[[], Awaitable[Seen]]) -> None:
        self._look = look
        self._task: asyncio.Future[Seen] | None = None
        self._at = 0.0

    async def seen(self) -> Seen | None:
        """Return what was seen, None where it takes too long; the look goes on then, and no second one begins."""
        now = asyncio.get_running_loop().time()
        if self._task is None or (self._task.done() and now - self._at > _FRESH_S):
            self._task, self._at = asyncio.ensure_future(self._look()), now
        done, _ = await asyncio.wait([self._task], timeout=_PATIENCE_S)
        return self._task.result() if done else None

    async def end(self) -> None:
        """Let go of a look that is not done."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])


class Health:
    """Looks at the parts."""

    def __init__(
        self,
        store: Store,
        *,
        schema: Callable[[], Awaitable[Mapping[str, Any]]],
        keeper: asyncio.Task[None],
        counts: Callable[[], Awaitable[Mapping[str, int]]],
        embedding: Callable[[], Awaitable[Mapping[str, Any]]],
    ) -> None:
        """Take what there is to look at; `schema` says where the store's schema stands, `counts` how many proposals
        stand at each state, `embedding` which model there is and how many pages wait for it."""
        self._store = store
        self._schema = schema
        self._keeper = keeper
        self._by_state = counts
        self._embedding = embedding
        self._facts = _Look(self._look)
        self._counts = _Look(self._count)

    async def facts(self) -> Mapping[str, Any]:
        """Return the facts; `ready` says whether all of them are good."""
        found = await self._facts.seen() or {"ready": False, "why": "the store does not answer in time"}
        keeper = not self._keeper.done()
        return {**found, "keeper": keeper, "ready": found["ready"] and keeper}

    async def gauges(self) -> Mapping[str, int]:
        """Return what stands at a number now: proposals by state, but drafts. Nothing where the store does not say."""
        return await self._counts.seen() or {}

    async def close(self) -> None:
        """Let go of looks that are not done."""
        await self._facts.end()
        await self._counts.end()

    async def _look(self) -> Mapping[str, Any]:
        schema = await self._schema()
        readable = await self._does(self._store.reading)
        writable = await self._does(self._store.writing)
        ready = bool(schema["ok"]) and readable and writable
        embedding = dict(await self._embedding())
        return {
            "ready": ready, "migrations": dict(schema), "readable": readable, "writable": writable,
            "embedding": embedding,
        }  # fmt: skip

    async def _count(self) -> Mapping[str, int]:
        try:
            found = await self._by_state()
        except SlicewayError:
            return {}
        return {f'proposals{{state="{state}"}}': count for state, count in found.items()}

    @staticmethod
    async def _does(hop: Callable[[Callable[[Session], None]], Awaitable[None]]) -> bool:
        """Say whether the store takes a transaction that does nothing."""
        try:
            await hop(lambda _session: None)
        except SlicewayError:
            return False
        return True
