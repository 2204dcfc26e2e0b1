"""Words and meaning in one score (FR3). Pure: which numbers there are is the store's matter.

Whoever asks in the words of a page is answered best by words, whoever asks in others by meaning, and nobody says which.
What tells them apart is how much of the question the best page's words answer, weighed by how rare each is: a soft
switch on that lets words count or not. `docs/retrieval.md` holds what was measured beside it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

WEIGHT = 0.7
"""What meaning counts beside words that answer the whole question."""
_MIDDLE, _WIDTH = 0.28, 0.05
"""The share of the question, answered by words, at which they count half, and how soft the switch is."""
LEAST = 0.2
"""A page without a word of the question is an answer from this meaning on; below it nearly everything is."""
_NEAR = 0.9
"""A slice's page that means nearly as much of what the best one does leads the slice (FR2)."""


class Meant(Protocol):
    """What the pages of one slice mean to a question: 0 is nothing, 1 the very same."""

    def of(self, docs: Sequence[int]) -> Sequence[float]:
        """Return it for each of these pages, by number; 0 where nothing is known."""
        ...

    def passage(self, doc: int) -> int:
        """Return which passage of a page means most, from 0."""
        ...

    def nearest(self, count: int, among: Collection[int] | None) -> Sequence[tuple[int, float]]:
        """Return the pages that mean most, best first, of those `among` where that is not None."""
        ...


@dataclass(frozen=True, slots=True)
class Fused:
    """Scores of all that may be an answer, by slice and number.

    :ivar words: from 0 to 1, how much words count. :ivar meaning: what pages mean, as far as it was looked up.
    :ivar closest: the most that any page means.
    """

    scores: Mapping[str, Mapping[int, float]]
    meaning: Mapping[str, Mapping[int, float]]
    words: float
    closest: float

    def leads(self, meaning: float) -> float:
        """Return what a slice's best page is put forward by for its meaning: all or nothing of what words leave."""
        return 1 - self.words if meaning >= max(LEAST, _NEAR * self.closest) else 0.0


def words_count(best: float, possible: float) -> float:
    """Return how much words count, from 0 to 1.

    :param best: BM25 of the best page.
    :param possible: what a page would have that answers every word at its best, those in no page included.
    """
    if best <= 0 or possible <= 0:
        return 0.0
    return 1 / (1 + math.exp(-(best / possible - _MIDDLE) / _WIDTH))


def fuse(
    scores: Mapping[str, Mapping[int, float]],
    possible: float,
    meant: Mapping[str, Meant],
    *,
    quota: int,
    among: Mapping[str, Collection[int]] | None = None,
) -> Fused:
    """Return one score for each page that has a word of the question, and for the `quota` of each slice that mean most.

    Words are the share of the best page's BM25, meaning is as it is: stretched over a question's answers a bad best one
    would look good. The score of a page does not depend on `quota`, nor on slices that are not given.

    :param scores: BM25 of the pages that pass, by slice and number. :param possible: see `words_count`.
    :param among: the pages that pass the filters, where there are any.
    """
    best = max((score for each in scores.values() for score in each.values()), default=0.0)
    words = words_count(best, possible)
    per_word = words / best if best > 0 else 0.0
    fused: dict[str, dict[int, float]] = {}
    meaning: dict[str, dict[int, float]] = {}
    for name in {**dict.fromkeys(scores), **dict.fromkeys(meant)}:
        own = scores.get(name, {})
        docs = list(own)
        means = dict(zip(docs, meant[name].of(docs), strict=True)) if name in meant else dict.fromkeys(docs, 0.0)
        if name in meant:
            allowed = among.get(name, ()) if among is not None else None
            near = meant[name].nearest(quota, allowed)
            means.update((doc, value) for doc, value in near if value >= LEAST or doc in own)
        meaning[name] = means
        share = 1 / (1 + WEIGHT)
        fused[name] = {doc: share * (per_word * own.get(doc, 0.0) + WEIGHT * means[doc]) for doc in means}
    closest = max((value for each in meaning.values() for value in each.values()), default=0.0)
    return Fused(fused, meaning, words, closest)
