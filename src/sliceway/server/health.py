"""Whether a brain's server can do its work: the schema, the store to read and to write, the keeper (OP2)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from sliceway.errors import SlicewayError
from sliceway.store.engine import Connection, Database

_PATIENCE_S = 2.0
_FRESH_S = 1.0


class Health:
    """Looks at the parts when asked, and not more than once a second: whoever asks shows no token."""

    def __init__(
        self, database: Database, *, schema: Callable[[], Awaitable[Mapping[str, Any]]], keeper: asyncio.Task[None]
    ) -> None:
        """Take what there is to look at; `schema` says where the store's schema stands."""
        self._database = database
        self._schema = schema
        self._keeper = keeper
        self._looking: asyncio.Task[Mapping[str, Any]] | None = None
        self._looked_at = float("-inf")

    async def facts(self) -> Mapping[str, Any]:
        """Return the facts; `ready` says whether all of them are good."""
        now = asyncio.get_running_loop().time()
        if self._looking is None or (self._looking.done() and now - self._looked_at > _FRESH_S):
            self._looking, self._looked_at = asyncio.ensure_future(self._look()), now
        try:
            async with asyncio.timeout(_PATIENCE_S):
                found = await asyncio.shield(self._looking)
        except TimeoutError:
            found = {"ready": False, "why": "the store does not answer in time"}
        keeper = not self._keeper.done()
        return {**found, "keeper": keeper, "ready": found["ready"] and keeper}

    async def _look(self) -> Mapping[str, Any]:
        schema = await self._schema()
        readable = await self._does(self._database.reading)
        writable = await self._does(self._database.writing)
        return {
            "ready": bool(schema["ok"]) and readable and writable, "migrations": dict(schema), "readable": readable,
            "writable": writable,
        }  # fmt: skip

    @staticmethod
    async def _does(hop: Callable[[Callable[[Connection], None]], Awaitable[None]]) -> bool:
        """Say whether the store takes a transaction that does nothing."""
        try:
            await hop(lambda _connection: None)
        except SlicewayError:
            return False
        return True

    async def gauges(self) -> Mapping[str, int]:
        """Return what stands at a number now."""
        return {}
