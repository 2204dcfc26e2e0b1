"""Ranking: exact BM25 over the slices that are read, and one order for all of them (FR2, FR5, FR11)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress

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


@dataclass(frozen=True, slots=True)
class Postings:
    """Where one term stands in one slice, a place in each list for a page: its number, how often, the page's length.

    :ivar passing: whether each page passes the filters; None where there are none.
    """

    slice: str
    term: str
    docs: Sequence[int]
    tfs: Sequence[int]
    lengths: Sequence[int]
    passing: Sequence[bool] | None = None


@dataclass(slots=True)
class Weighed:
    """What the postings of one slice add up to, by the number of the page; `phrased` counts words of quoted phrases."""

    scores: dict[int, float] = field(default_factory=dict)
    coverage: dict[int, float] = field(default_factory=dict)
    phrased: Counter[int] = field(default_factory=Counter)


def weigh(
    postings: Iterable[Postings], docs: int, average: float, phrase_terms: Collection[str] = ()
) -> dict[str, Weighed]:
    """Return, by slice, the pages that pass and hold a term.

    :param postings: each term of each slice once. All of the readable union counts for how rare a term is, whoever
        passes (FR11).
    :param docs: pages in that union. :param average: terms in one of them, on average.
    """
    # The terms of a page are always added in one order, so that equal pages have equal sums.
    listed = sorted(postings, key=lambda one: one.term)
    df: Counter[str] = Counter()
    for one in listed:
        df[one.term] += len(one.docs)
    fixed, growing = K1 * (1 - B), K1 * B / average
    found: dict[str, Weighed] = {}
    for one in listed:
        weight = idf(docs, df[one.term])
        most = weight * (K1 + 1)
        slice_found = found.setdefault(one.slice, Weighed())
        scores, coverage = slice_found.scores, slice_found.coverage
        places: Iterable[tuple[int, int, int]] = zip(one.docs, one.tfs, one.lengths, strict=True)
        if one.passing is not None:
            places = compress(places, one.passing)
        for doc, tf, length in places:
            score = most * tf / (tf + fixed + growing * length)
            if doc in scores:
                scores[doc] += score
                coverage[doc] += weight
            else:
                scores[doc] = score
                coverage[doc] = weight
        if one.term in phrase_terms:
            slice_found.phrased.update(one.docs)
    return found


def score_all(terms: Sequence[str], counts: Mapping[tuple[str, str], Counter[str]]) -> list[Candidate]:
    """Return every page that holds a term, scored; `counts` holds each page's terms by slice and slug."""
    numbered = list(enumerate(counts.items()))
    lengths = [counter.total() for counter in counts.values()]
    average = sum(lengths) / len(lengths) if lengths else 1.0
    places: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for at, ((name, _), counter) in numbered:
        for term in terms:
            if counter[term]:
                places.setdefault((name, term), []).append((at, counter[term]))
    postings = [
        Postings(name, term, [at for at, _ in listed], [tf for _, tf in listed], [lengths[at] for at, _ in listed])
        for (name, term), listed in places.items()
    ]
    return [
        Candidate(name, numbered[at][1][0][1], 0, score, one.coverage[at])
        for name, one in weigh(postings, len(lengths), average).items()
        for at, score in one.scores.items()
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
