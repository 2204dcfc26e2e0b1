"""The vectors of the latest questions, of one model: people and agents ask the same again."""

from __future__ import annotations

from collections import OrderedDict

from sliceway.ports.embedder import Vector

REMEMBERED = 512
"""Questions; a vector takes some 1.5 KB."""


class QueryMemory:
    """The latest questions and their vectors. It belongs to one model, so that no other's vector is ever found."""

    def __init__(self, most: int = REMEMBERED) -> None:
        """Remember at most so many."""
        self._most = most
        self._known: OrderedDict[str, Vector] = OrderedDict()

    def of(self, text: str) -> Vector | None:
        """Return the vector of a question, None where it is not remembered."""
        found = self._known.get(text)
        if found is not None:
            self._known.move_to_end(text)
        return found

    def keep(self, text: str, vector: Vector) -> Vector:
        """Remember and return a vector; the question that was asked longest ago is forgotten."""
        self._known[text] = vector
        self._known.move_to_end(text)
        while len(self._known) > self._most:
            self._known.popitem(last=False)
        return vector
