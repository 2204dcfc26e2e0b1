"""The embedding model that the settings name, put together; loaded when it is first needed."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from sliceway import embed
from sliceway.brain.local import LocalDoor
from sliceway.embed import E5, MiniLm
from sliceway.embed.files import installed
from sliceway.errors import FieldError, SettingsError, Unavailable
from sliceway.ports.embedder import Embedder
from sliceway.settings import EmbedSettings
from sliceway.settings.values import ENDPOINT
from sliceway.wiring.fresh import ended, new_id

_LOCAL: Mapping[str, tuple[type[MiniLm | E5], str]] = {"minilm": (MiniLm, "semantic"), "e5": (E5, "e5")}


def make_embedder(settings: EmbedSettings) -> Embedder | None:
    """Return the model, None where there is none. Nothing is loaded or asked yet.

    :raises SettingsError: it is named, and what it needs is not installed.
    """
    named = settings.model
    if named == "none" or (named is None and not MiniLm.installed()):
        return None
    # Its threads would be as many as there are processors, in every process; matrices here are small.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if named is not None and named.startswith(ENDPOINT):
        if not installed("numpy"):
            raise _missing(named, "semantic")
        key = settings.key.get_secret_value() if settings.key is not None else None
        return embed.Endpoint(named.removeprefix(ENDPOINT).strip(), settings.url or "", key)
    made, extra = _LOCAL[named or "minilm"]
    if not made.installed():
        raise _missing(named or "minilm", extra)
    return made()


@asynccontextmanager
async def embedding(door: LocalDoor) -> AsyncIterator[None]:
    """Make vectors in the background while the context is open, where there is a model."""
    worker = door.embedding_worker(new_id())
    if worker is None:
        yield
        return
    task = asyncio.create_task(worker.run(), name="embedding")
    try:
        yield
    finally:
        await ended(task)


async def embedding_facts(door: LocalDoor) -> dict[str, Any]:
    """Say which model there is, whether it is loaded, how many pages wait for it, and which other model a process that
    lives uses, where one does (OP2); None where the store does not say."""
    worker = door.embedding_worker(new_id())
    if worker is None or door.meaning is None:
        return {"model": "none", "pending": 0}
    try:
        pending: int | None = await worker.pending()
        other = await worker.other()
    except Unavailable:
        pending = other = None
    facts = {"model": door.meaning.embedder.name, "loaded": door.meaning.embedder.loaded, "pending": pending}
    return facts | ({"other_model": other} if other is not None else {})


def _missing(model: str, extra: str) -> SettingsError:
    what = f"the model {model} is not installed: pip install 'sliceway[{extra}]', or set SLICEWAY_EMBED__MODEL=none"
    return SettingsError([FieldError("embed.model", "missing", what)])
