"""Ranking: exact BM25 over the slices that are read, and one order for all of them (FR2, FR5, FR11)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress
from typing import NamedTuple

from sliceway.core.analysis import Word
from sliceway.core.fusion import Fused

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
    :ivar worded: it has a word of the query itself. :ivar lent: its neighbours add to its score.
    :ivar meaning: what it means to the query, from 0 to 1.
    """

    slice: str
    slug: str
    doc: int
    score: float
    coverage: float
    exact: tuple[str, ...] = ()
    phrased: bool = False
    worded: bool = True
    lent: bool = False
    meaning: float = 0.0

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

    @property
    def places(self) -> Iterator[tuple[int, int, int]]:
        """Number, occurrences and length of each page that passes."""
        listed = zip(self.docs, self.tfs, self.lengths, strict=True)
        return listed if self.passing is None else compress(listed, self.passing)


def spelt(postings: Iterable[Postings], words: Iterable[Word]) -> list[Postings]:
    """Return the postings of words: those of a word's several terms as one, where each page counts once, by the term
    that stands in it most often."""
    named = {term: word.term for word in words if len(word.terms) > 1 for term in word.terms}
    found: list[Postings] = []
    several: dict[tuple[str, str], dict[int, tuple[int, int, bool]]] = {}
    for one in postings:
        if one.term not in named:
            found.append(one)
            continue
        by_doc = several.setdefault((one.slice, named[one.term]), {})
        passing = one.passing or [True] * len(one.docs)
        for doc, *place in zip(one.docs, one.tfs, one.lengths, passing, strict=True):
            by_doc[doc] = max(by_doc.get(doc, (0, 0, False)), (place[0], place[1], bool(place[2])))
    for (name, term), by_doc in several.items():
        tfs, lengths, passes = zip(*by_doc.values(), strict=True)
        found.append(Postings(name, term, list(by_doc), tfs, lengths, passes))
    return found


def _in_turn(postings: Iterable[Postings], docs: int) -> Iterator[tuple[Postings, float]]:
    """Give postings with the weight of their term: the terms of a page always in one order, so that equal pages have
    equal sums."""
    listed = sorted(postings, key=lambda one: one.term)
    df: Counter[str] = Counter()
    for one in listed:
        df[one.term] += len(one.docs)
    for one in listed:
        yield one, idf(docs, df[one.term])


class Part(NamedTuple):
    """What one term adds in one slice to the score of each page that passes, by number; `docs` are all that have it."""

    slice: str
    term: str
    weight: float
    adds: dict[int, float]
    docs: Sequence[int]


def parts(postings: Iterable[Postings], docs: int, average: float) -> list[Part]:
    """Return what each term adds in each slice, in the order in which a page's score is added up.

    :param postings: each term of each slice once. All of the readable union counts for how rare a term is, whoever
        passes (FR11).
    :param docs: pages in that union. :param average: terms in one of them, on average.
    """
    fixed, growing = K1 * (1 - B), K1 * B / average
    found = []
    for one, weight in _in_turn(postings, docs):
        most = weight * (K1 + 1)
        adds = {doc: most * tf / (tf + fixed + growing * length) for doc, tf, length in one.places}
        found.append(Part(one.slice, one.term, weight, adds, one.docs))
    return found


@dataclass(slots=True)
class Weighed:
    """What the postings of one slice add up to, by the number of the page; `phrased` counts words of quoted phrases."""

    scores: dict[int, float] = field(default_factory=dict)
    coverage: dict[int, float] = field(default_factory=dict)
    phrased: Counter[int] = field(default_factory=Counter)


def weigh(added: Iterable[Part], phrase_terms: Collection[str] = ()) -> dict[str, Weighed]:
    """Return, by slice, the pages that pass and hold a term: what `parts` gives, added up."""
    found: dict[str, Weighed] = {}
    for one in added:
        known = found.setdefault(one.slice, Weighed())
        # Few pages have two words of a query, so most are taken over as they are.
        both = known.scores.keys() & one.adds.keys()
        sums = {doc: (known.scores[doc] + one.adds[doc], known.coverage[doc] + one.weight) for doc in both}
        known.scores.update(one.adds)
        known.coverage.update(dict.fromkeys(one.adds, one.weight))
        for doc, (score, coverage) in sums.items():
            known.scores[doc], known.coverage[doc] = score, coverage
        if one.term in phrase_terms:
            known.phrased.update(one.docs)
    return found


def posted(
    words: Sequence[Word], counts: Mapping[tuple[str, str], Counter[str]], passing: Collection[tuple[str, str]]
) -> list[Postings]:
    """Return the postings of words in pages that are in no index; each is numbered by its place in `counts`.

    :param counts: the terms of each page by slice and slug. :param passing: those that pass the filters.
    """
    places: dict[tuple[str, str], list[tuple[int, int, int, bool]]] = {}
    for at, (key, counter) in enumerate(counts.items()):
        length = counter.total()
        for word in words:
            for term in word.terms:
                if counter[term]:
                    places.setdefault((key[0], term), []).append((at, counter[term], length, key in passing))
    found = []
    for (name, term), listed in places.items():
        docs, tfs, lengths, passes = zip(*listed, strict=True)
        found.append(Postings(name, term, docs, tfs, lengths, passes))
    return spelt(found, words)


def possible(terms: Iterable[str], postings: Iterable[Postings], docs: int) -> float:
    """Return the score that no page passes: of one that answers each of the terms at its best, those in no page too."""
    df: Counter[str] = Counter()
    for one in postings:
        df[one.term] += len(one.docs)
    return sum(idf(docs, df[term]) for term in terms) * (K1 + 1)


def in_order(candidates: Iterable[Candidate], most: float, fused: Fused | None = None) -> list[Ranked]:
    """Return the candidates best first; ties by slice, then slug.

    Exact titles and slugs come first, then quoted phrases (FR5). Among equals in that, the best hit of each slice
    comes before the rest if its words answer the query as well as any page does (FR2), or if it means as much, each as
    far as words and meaning count. Scores are shares of the best.

    :param most: the highest coverage of all pages that were ranked, candidates or not.
    :param fused: where their scores are of words and meaning.
    """
    listed = sorted(candidates, key=lambda one: (-one.strength, -one.score, one.slice, one.slug))
    best = max((one.score for one in listed), default=0.0) or 1.0
    words = fused.words if fused is not None else 1.0
    heads: set[str] = set()
    ranked = []
    for one in listed:
        leads = 0.0
        if one.slice not in heads:
            leads = words * (one.worded and one.coverage >= most - _EQUAL)
            leads += fused.leads(one.meaning) if fused is not None else 0.0
        heads.add(one.slice)
        ranked.append(Ranked(one, round(2 * one.strength + leads + one.score / best, 6)))
    ranked.sort(key=lambda one: (-one.score, one.candidate.slice, one.candidate.slug))
    return ranked
