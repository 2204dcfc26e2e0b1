"""How recall asks a model: the vector of a question, or none where the model does not answer in time (FR7)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from sliceway.errors import Unavailable
from sliceway.ports.embedder import Embedder, Vector
from sliceway.store.matrix import Matrices

_REST_S = 10.0
"""Seconds that a model is left alone after it did not answer: each recall would wait for it in vain."""

logger = logging.getLogger(__name__)


class Meaning:
    """A model and the vectors of one store in memory, shared by everybody who calls this brain."""

    def __init__(self, embedder: Embedder, *, waits: bool, monotonic: Callable[[], float] | None = None) -> None:
        """Ask nothing yet.

        :param waits: a recall waits until the model is loaded; without, keywords alone answer until then.
        :param monotonic: seconds from any moment on; the event loop's own without.
        """
        self.embedder = embedder
        self.matrices = Matrices(embedder.key)
        self._waits = waits
        self._monotonic = monotonic
        self._rests_until = 0.0
        self._loading: asyncio.Task[None] | None = None

    async def vector_of(self, question: str) -> Vector | None:
        """Return the vector of a question; None where the model cannot be had now: that is a degradation, no error."""
        now = (self._monotonic or asyncio.get_running_loop().time)()
        if now < self._rests_until:
            return None
        if not (self._waits or self.embedder.loaded):
            self._load()
            return None
        try:
            return await self.embedder.embed_query(question)
        except Unavailable as error:
            logger.warning("Recall goes on without vectors for %.0f s: %s", _REST_S, error.detail)
            self._rests_until = now + _REST_S
            return None

    def _load(self) -> None:
        """Begin to load the model, once."""
        if self._loading is None or self._loading.done():
            self._loading = asyncio.create_task(self._loaded(), name="load-model")

    async def _loaded(self) -> None:
        try:
            await self.embedder.load()
        except Unavailable as error:
            logger.warning("The embedding model cannot be loaded: %s", error.detail)
            self._rests_until = (self._monotonic or asyncio.get_running_loop().time)() + _REST_S

    async def close(self) -> None:
        """Let go of the model."""
        if self._loading is not None:
            await asyncio.wait([self._loading])
        await self.embedder.close()
