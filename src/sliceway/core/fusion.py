"""Words and meaning in one score (FR3). Pure: which numbers there are is the store's matter.

Whoever asks in the words of a page is answered best by words, whoever asks in others by meaning, and nobody says which.
Two things tell them apart: how much of the question the best page's words answer, weighed by how rare each is, and how
far the page that means most stands out among the next. A soft switch on both lets words count or not.
`docs/retrieval.md` holds what was measured beside it.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

WEIGHT = 0.75
"""What meaning counts beside words that answer the whole question."""
_MIDDLE, _WIDTH = 0.18, 0.06
"""By how much the share of the question that words answer passes what the closest page stands out by, where words count
half; and how soft the switch is."""
_NEXT, _FAR = 7, 0.2
"""The page that means most stands out among so many next ones: where as many mean the same, meaning is not sure. It is
never surer than this: a model puts texts of a language that it does not know anywhere."""
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


def words_count(best: float, possible: float, apart: float = 0.0) -> float:
    """Return how much words count, from 0 to 1.

    :param best: BM25 of the best page.
    :param possible: what a page would have that answers every word at its best, those in no page included.
    :param apart: by how much the page that means most stands out.
    """
    if best <= 0 or possible <= 0:
        return 0.0
    return 1 / (1 + math.exp(-(best / possible - apart - _MIDDLE) / _WIDTH))


def stands_out(nearest: Iterable[float]) -> float:
    """Return by how much the page that means most passes the last of the next ones, as far as that says something.

    :param nearest: what pages mean, those that mean most among them.
    """
    listed = heapq.nlargest(_NEXT + 1, nearest)
    return min(listed[0] - listed[-1], _FAR) if listed else 0.0


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
    allowed = {name: among.get(name, ()) if among is not None else None for name in meant}
    nearest = {name: each.nearest(max(quota, _NEXT + 1), allowed[name]) for name, each in meant.items()}
    best = max((score for each in scores.values() for score in each.values()), default=0.0)
    words = words_count(best, possible, stands_out(value for near in nearest.values() for _, value in near))
    per_word = words / best if best > 0 else 0.0
    fused: dict[str, dict[int, float]] = {}
    meaning: dict[str, dict[int, float]] = {}
    for name in {**dict.fromkeys(scores), **dict.fromkeys(meant)}:
        own = scores.get(name, {})
        docs = list(own)
        means = dict(zip(docs, meant[name].of(docs), strict=True)) if name in meant else dict.fromkeys(docs, 0.0)
        means.update((doc, value) for doc, value in nearest.get(name, ()) if value >= LEAST or doc in own)
        meaning[name] = means
        share = 1 / (1 + WEIGHT)
        fused[name] = {doc: share * (per_word * own.get(doc, 0.0) + WEIGHT * means[doc]) for doc in means}
    closest = max((value for each in meaning.values() for value in each.values()), default=0.0)
    return Fused(fused, meaning, words, closest)
