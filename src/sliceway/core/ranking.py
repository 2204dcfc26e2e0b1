"""Ranking: exact BM25 over the slices that are read, and one order for all of them (FR2, FR5, FR11)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

K1 = 0.9
B = 0.3
"""A mild length penalty suits short notes, and keeps thin pages from passing curated ones."""
_EQUAL = 1e-9


@dataclass(frozen=True, slots=True)
class Candidate:
    """A page that may be an answer.

    :ivar coverage: how much of the query its words answer, weighed by how rare they are.
    :ivar exact: `title`, `slug` or both, where the query is that very title or slug.
    :ivar phrased: it holds every quoted phrase of the query.
    """

    slice: str
    slug: str
    doc: int
    score: float
    coverage: float
    exact: tuple[str, ...] = ()
    phrased: bool = False

    @property
    def strength(self) -> int:
        """What comes before any score (FR5)."""
        return 2 if self.exact else int(self.phrased)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate in its place, with the score that the order follows."""

    candidate: Candidate
    score: float


def idf(docs: int, df: int) -> float:
    """Return the weight of a term that stands in `df` of `docs` pages; never negative."""
    return math.log(1 + (docs - df + 0.5) / (df + 0.5))


def saturation(tf: int, length: int, average: float) -> float:
    """Return how much `tf` occurrences count in a page of `length` terms."""
    return tf * (K1 + 1) / (tf + K1 * (1 - B + B * length / average))


def score_all(terms: Sequence[str], counts: Mapping[tuple[str, str], Counter[str]]) -> list[Candidate]:
    """Return every page that holds a term, scored; `counts` holds each page's terms by slice and slug."""
    docs = len(counts)
    lengths = {key: counter.total() for key, counter in counts.items()}
    average = sum(lengths.values()) / docs if docs else 1.0
    weights = {term: idf(docs, sum(1 for counter in counts.values() if counter[term])) for term in terms}
    found = []
    for key, counter in counts.items():
        held = [term for term in terms if counter[term]]
        if held:
            score = sum(weights[term] * saturation(counter[term], lengths[key], average) for term in sorted(held))
            found.append(Candidate(*key, 0, score, sum(weights[term] for term in held)))
    return found


def in_order(candidates: Iterable[Candidate], most: float) -> list[Ranked]:
    """Return the candidates best first; ties by slice, then slug.

    Exact titles and slugs come first, then quoted phrases (FR5). Among equals in that, the best hit of each slice
    comes before the rest if its words answer the query as well as any page does (FR2). Scores are shares of the best.

    :param most: the highest coverage of all pages that were ranked, candidates or not.
    """
    listed = sorted(candidates, key=lambda one: (-one.strength, -one.score, one.slice, one.slug))
    best = max((one.score for one in listed), default=0.0) or 1.0
    heads: set[str] = set()
    ranked = []
    for one in listed:
        leads = one.slice not in heads and one.coverage >= most - _EQUAL
        heads.add(one.slice)
        ranked.append(Ranked(one, round(2 * one.strength + int(leads) + one.score / best, 6)))
    ranked.sort(key=lambda one: (-one.score, one.candidate.slice, one.candidate.slug))
    return ranked
