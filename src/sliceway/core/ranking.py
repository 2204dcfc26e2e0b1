"""Ranking: exact BM25 over the slices that are read, and one order for all of them (FR2, FR5, FR11)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

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


@dataclass(slots=True)
class Weighed:
    """What the postings of one page add up to; `phrased` counts its words of quoted phrases."""

    score: float = 0.0
    coverage: float = 0.0
    phrased: int = 0


def weigh(
    rows: Sequence[Sequence[Any]], docs: int, average: float, phrase_terms: Collection[str] = ()
) -> dict[tuple[str, int], Weighed]:
    """Return the pages that pass and hold a term, by slice and number.

    :param rows: postings: slice, number, term, occurrences, length of the page, and whether the page passes the
        filters; the terms of a page always in one order, so that equal pages have equal sums. All postings of the
        readable union count for how rare a term is, whoever passes (FR11).
    :param docs: pages in that union. :param average: terms in one of them, on average.
    """
    weights = {term: idf(docs, df) for term, df in Counter(row[2] for row in rows).items()}
    fixed, growing = K1 * (1 - B), K1 * B / average
    found: dict[tuple[str, int], Weighed] = {}
    for name, doc, term, tf, length, passes in rows:
        if not passes:
            continue
        one = found.get((name, doc))
        if one is None:
            one = found[name, doc] = Weighed()
        weight = weights[term]
        one.score += weight * tf * (K1 + 1) / (tf + fixed + growing * length)
        one.coverage += weight
        if term in phrase_terms:
            one.phrased += 1
    return found


def score_all(terms: Sequence[str], counts: Mapping[tuple[str, str], Counter[str]]) -> list[Candidate]:
    """Return every page that holds a term, scored; `counts` holds each page's terms by slice and slug."""
    numbered = list(enumerate(counts.items()))
    docs = len(numbered)
    average = sum(counter.total() for counter in counts.values()) / docs if docs else 1.0
    rows = [
        (key[0], at, term, counter[term], counter.total(), True)
        for at, (key, counter) in numbered
        for term in sorted(terms)
        if counter[term]
    ]
    slugs = {(key[0], at): key[1] for at, (key, _) in numbered}
    return [
        Candidate(name, slugs[name, at], 0, one.score, one.coverage)
        for (name, at), one in weigh(rows, docs, average).items()
    ]


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
