"""What models that run in this process share: threads of their own, loading when first needed, a memory of queries."""

from __future__ import annotations

import asyncio
import threading
from abc import abstractmethod
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from sliceway.embed.memory import QueryMemory
from sliceway.ports.embedder import Embedder, Vector
from sliceway.store.threads import stand_back


class Encoder(Protocol):
    """A model that is loaded. It may be called from two threads at once."""

    def __call__(self, texts: Sequence[str], *, query: bool) -> list[Vector]:
        """Return a vector for each text."""
        ...


class LocalModel(Embedder):
    """A model in this process: one thread for queries and one for pages, which stands back."""

    def __init__(self) -> None:
        """Load nothing yet."""
        self._encoder: Encoder | None = None
        self._opening = threading.Lock()
        self._memory = QueryMemory()
        self._queries = ThreadPoolExecutor(1, thread_name_prefix="sliceway-query")
        self._pages = ThreadPoolExecutor(1, thread_name_prefix="sliceway-embed", initializer=stand_back)

    @abstractmethod
    def opened(self) -> Encoder:
        """Load the model and return it; called once, in a thread.

        :raises Unavailable: it cannot be used.
        """

    @property
    def loaded(self) -> bool:
        """See `Embedder.loaded`."""
        return self._encoder is not None

    async def load(self) -> None:
        """See `Embedder.load`."""
        if self._encoder is None:
            await asyncio.get_running_loop().run_in_executor(self._queries, self._ready)

    async def embed_pages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """See `Embedder.embed_pages`."""
        if not texts:
            return []
        return await asyncio.get_running_loop().run_in_executor(
            self._pages, lambda: self._ready()(texts, query=False)
        )  # fmt: skip

    async def embed_query(self, text: str) -> Vector:
        """See `Embedder.embed_query`."""
        known = self._memory.of(text)
        if known is not None:
            return known
        loop = asyncio.get_running_loop()
        [vector] = await loop.run_in_executor(self._queries, lambda: self._ready()([text], query=True))
        return self._memory.keep(text, vector)

    async def close(self) -> None:
        """See `Embedder.close`."""
        await asyncio.to_thread(self._let_go)

    def _ready(self) -> Encoder:
        with self._opening:
            if self._encoder is None:
                self._encoder = self.opened()
            return self._encoder

    def _let_go(self) -> None:
        for pool in (self._queries, self._pages):
            pool.shutdown(wait=True, cancel_futures=True)
        self._encoder = None
