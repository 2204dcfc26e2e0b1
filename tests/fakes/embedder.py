"""A model that tests can read: words of one concept are one direction, whatever they are."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence

from sliceway.core.vectors import packed
from sliceway.errors import Unavailable
from sliceway.ports.embedder import Embedder, Vector

DIMENSIONS = 64
CONCEPTS: Mapping[str, str] = {
    word: concept
    for concept, words in {
        "holiday": "holiday vacation leave away off days",
        "car": "car automobile vehicle drive parking",
        "money": "money budget cost price salary pay",
        "outage": "outage down broken crash incident failed",
    }.items()
    for word in words.split()
}


class FakeEmbedder(Embedder):
    """Each word points where its concept does, else somewhere of its own; a text where its words do together."""

    def __init__(self, key: str = "fake-1", concepts: Mapping[str, str] = CONCEPTS, *, loaded: bool = True) -> None:
        """Answer as a model of this key would."""
        self._key, self._concepts, self._loaded = key, concepts, loaded
        self.broken = False
        self.seen: list[str] = []
        self.asked: list[str] = []

    @property
    def name(self) -> str:
        """See `Embedder.name`."""
        return "fake"

    @property
    def key(self) -> str:
        """See `Embedder.key`."""
        return self._key

    @property
    def loaded(self) -> bool:
        """See `Embedder.loaded`."""
        return self._loaded

    async def load(self) -> None:
        """See `Embedder.load`."""
        self._check()
        self._loaded = True

    async def embed_pages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """See `Embedder.embed_pages`."""
        await self.load()
        self.seen.extend(texts)
        return [self.vector(text) for text in texts]

    async def embed_query(self, text: str) -> Vector:
        """See `Embedder.embed_query`."""
        await self.load()
        self.asked.append(text)
        return self.vector(text)

    async def close(self) -> None:
        """See `Embedder.close`."""

    def vector(self, text: str) -> Vector:
        """Return where a text points."""
        numbers = [0.0] * DIMENSIONS
        for word in re.findall(r"\w+", text.casefold()) or [text]:
            digest = hashlib.sha256(self._concepts.get(word, word).encode()).digest()
            numbers[digest[0] % DIMENSIONS] += 1.0 if digest[1] % 2 else -1.0
            numbers[digest[2] % DIMENSIONS] += 0.5
        try:
            return packed(numbers)
        except ValueError:
            return packed([1.0] * DIMENSIONS)

    def _check(self) -> None:
        if self.broken:
            raise Unavailable("The model is broken.")
