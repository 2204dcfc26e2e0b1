"""Meaning as numbers: the port of whatever turns texts into vectors (FR3)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

Vector = bytes
"""Numbers of 32 bits, little-endian, of length one together: the dot product of two is their cosine."""


class Embedder(ABC):
    """A model that places texts by what they mean. Vectors of different keys are never compared.

    Every method may be called before `load`, which they then wait for. None of them holds up the event loop, and a
    query does not wait behind the pages that are embedded in the same moment.
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """Return what people call the model, as the settings spell it."""

    @property
    @abstractmethod
    def key(self) -> str:
        """Return what its vectors are stored under: the model and the very weights, and how texts are put to it."""

    @property
    @abstractmethod
    def loaded(self) -> bool:
        """Say whether a query is answered at once, without loading anything first."""

    @property
    def baseline(self) -> float:
        """Return about which cosine two texts have that have nothing in common: at least 0, less than 1."""
        return 0.0

    @abstractmethod
    async def load(self) -> None:
        """Make ready to answer. Doing it again changes nothing.

        :raises Unavailable: the model cannot be used: its words say why and what to do.
        """

    @abstractmethod
    async def embed_pages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """Return one vector for each passage of a page, in their order. Nothing is remembered.

        What is longer than the model reads counts by its beginning: see `core.passages`.

        :raises Unavailable: the model cannot be used or reached now; none of the texts was embedded.
        """

    @abstractmethod
    async def embed_query(self, text: str) -> Vector:
        """Return the vector of a question; the latest are remembered.

        :raises Unavailable: the model cannot be used or reached now.
        """

    @abstractmethod
    async def close(self) -> None:
        """Let go of the model. Nothing may be asked of it afterwards."""
