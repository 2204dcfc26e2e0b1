"""Finding pages by their words: BM25 over the postings of the slices that are read, in one statement (FR10, FR11)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sliceway.core.analysis import FOREIGN, Word
from sliceway.core.fusion import Fused, Meant, fuse
from sliceway.core.neighbours import BEST, Lenders, Order, beside, lend, lenders_of, reach, together, within_reach
from sliceway.core.ranking import Candidate, Part, Postings, Weighed, parts, possible, spelt, weigh
from sliceway.store.filters import Filters
from sliceway.store.lists import filled, keys_given, numbers, size_of
from sliceway.store.neighbours import orders
from sliceway.store.orders import Head
from sliceway.store.questions import (
    NAMES,
    WHOLE,
    counted_statement,
    found_statement,
    pages_statement,
    passing_statement,
    some_passing_statement,
)
from sliceway.store.session import Session

Key = tuple[str, int]
"""A page by slice and number."""
Row = Mapping[str, Any]
"""A page by the names of its columns."""

_FEW = 64
"""Candidates that are read whole at once; of more, first what orders them."""
_AT_ONCE = 5000
"""Pages in one statement: any number may tie, and an engine takes only so many values."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The readable slices that exist, what ranking counts in them (pages, terms), whether there are stems of another
    language than English, and links; and how the chain of each stands."""

    slices: tuple[str, ...]
    docs: int
    length: int
    foreign_pages: bool
    linked: bool
    heads: Mapping[str, Head]

    @property
    def average(self) -> float:
        """Terms in a page, on average."""
        return self.length / self.docs if self.docs else 1.0


def counted(session: Session, named: Sequence[str]) -> Counted:
    """Return what there is in those of the slices that ever held a page; what is only asked for shows nowhere."""
    if not named:
        return Counted((), 0, 0, False, False, {})
    scope = filled(named, "slices")
    values = {**scope, "foreign": FOREIGN, "beyond": chr(ord(FOREIGN) + 1)}
    rows = session.fetch(counted_statement(len(scope)), values, of=named)
    heads = {name: Head(seq, head) for name, seq, head, *_ in rows}
    docs, length = sum(row[3] for row in rows), sum(row[4] for row in rows)
    return Counted(tuple(heads), docs, length, any(row[5] for row in rows), any(row[6] for row in rows), heads)


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates, and the highest coverage of all pages that were ranked.

    `phrased` holds those with every word of the quoted phrases, to be verified; `rows`, what `rows_of` would return of
    those that were read already; `fused`, how words and meaning came together.
    """

    candidates: tuple[Candidate, ...]
    most: float
    phrased: frozenset[Key]
    rows: Mapping[Key, Row]
    fused: Fused | None = None


def find(
    session: Session,
    within: Counted,
    words: Sequence[Word],
    query: str,
    *,
    filters: Filters,
    quota: int,
    phrase_terms: Sequence[str] = (),
    meant: Mapping[str, Meant] | None = None,
) -> Found:
    """Return the best `quota` pages of each readable slice (and those that tie with the last), exact titles and
    slugs before scores (FR2, FR5).

    One statement reads the postings of the query's terms in the readable slices, and nothing else is ranked by;
    the sums are made here: SQLite's own grouping took three times as long.

    :param query: the whole query as `phrase_key` writes it, for exact titles and slugs.
    :param phrase_terms: terms of the quoted phrases: pages with all of them are among the candidates first.
    :param meant: what the pages of each slice mean to the query; without, words alone are ranked by.
    """
    if not within.slices:
        return Found((), 0.0, frozenset(), {})
    exact, postings = _posted(session, within, words, query, filters)
    added = parts(postings, within.docs, within.average)
    weighed = weigh(added, phrase_terms)
    for name, doc in exact:
        one = weighed.setdefault(name, Weighed())
        one.scores.setdefault(doc, 0.0)
        one.coverage.setdefault(doc, 0.0)
    phrased = {
        (name, doc)
        for name, one in weighed.items()
        for doc, count in one.phrased.items()
        if count == len(phrase_terms) and doc in one.scores
    }
    follows = orders(session, {name: within.heads[name] for name in weighed})
    lent = _lent(
        session, weighed, added, follows, filters, quota=quota, strong=phrased | exact, every=meant is not None
    )
    scores: Mapping[str, Mapping[int, float]] = {
        name: {**one.scores, **lent.get(name, {})} for name, one in weighed.items()
    }
    stands = together(scores, {name: one.scores for name, one in weighed.items()}, follows)
    told: Mapping[str, Mapping[int, float]] = {name: {**each, **stands.get(name, {})} for name, each in scores.items()}
    scores, fused = told, None
    if meant is not None:
        ideal = possible((word.term for word in words), postings, within.docs)
        among = _passing(session, within, filters) if filters.any else None
        fused = fuse(scores, ideal, meant, quota=quota, among=among)
        scores = fused.scores
    best = _best(scores, exact, phrased, quota)
    rows = _pages(session, WHOLE if len(best) <= _FEW else NAMES, best)
    candidates = []
    for name, doc in best:
        row, known = rows[name, doc], weighed.get(name, _NOTHING)
        exactly = exact_of(query, row["slug"], row["title_key"]) if (name, doc) in exact else ()
        alone = known.scores.get(doc, 0.0)
        candidates.append(
            Candidate(
                name, row["slug"], doc, round(scores[name][doc], 9), round(known.coverage.get(doc, 0.0), 9), exactly,
                worded=alone > 0, lent=told.get(name, {}).get(doc, 0.0) > alone,
                meaning=fused.meaning[name][doc] if fused is not None else 0.0,
            )
        )  # fmt: skip
    most = max((max(one.coverage.values(), default=0.0) for one in weighed.values()), default=0.0)
    whole = rows if len(best) <= _FEW else {}
    return Found(tuple(candidates), most, frozenset(phrased.intersection(best)), whole, fused)


def _passing(session: Session, within: Counted, filters: Filters) -> dict[str, set[int]]:
    """Return the live pages that pass the filters, by slice."""
    scope = filled(within.slices, "slices")
    statement = passing_statement(len(scope), len(filters.tags), tuple(filters.given))
    found: dict[str, set[int]] = {}
    for name, doc in session.execute(statement, {**scope, **filters.values}, of=within.slices):
        found.setdefault(name, set()).add(doc)
    return found


def _lent(
    session: Session,
    weighed: Mapping[str, Weighed],
    added: Sequence[Part],
    follows: Mapping[str, Order],
    filters: Filters,
    *,
    quota: int,
    strong: Collection[Key],
    every: bool,
) -> dict[str, dict[int, float]]:
    """Return the scores of pages that their neighbours lend something to, wherever that may bring one among the best
    `quota`, and of those that are `strong` however they score; of `every` page that has a word, where that counts.

    Pages without a word are looked for only around those that may lend them enough.
    """
    bars = _bars({name: one.scores for name, one in weighed.items() if one.scores}, BEST if every else max(quota, BEST))
    lenders: dict[str, dict[int, Lenders]] = {}
    others = list(strong)
    for name, bar in bars.items():
        scores, order, enough = weighed[name].scores, follows[name], bar * _NEARLY
        found = reach(scores, order, enough)
        if every:
            lenders[name] = found.lenders
            near = {doc for one in found.ahead | found.back for doc in order.around(one)}.difference(scores)
        else:
            lenders[name] = within_reach(scores, found.lenders, enough)
            near = beside(scores, found, order, enough)
        others.extend(_passing_of(session, [(name, doc) for doc in near], filters))
    for name, doc in others:
        lenders[name].update(lenders_of((doc,), weighed[name].scores, follows[name]))
    return lend(added, lenders)


def _passing_of(session: Session, keys: Sequence[Key], filters: Filters) -> list[Key]:
    """Return those of some live pages that pass the filters."""
    if not filters.any:
        return list(keys)
    found: list[Key] = []
    for start in range(0, len(keys), _AT_ONCE):
        some = keys[start : start + _AT_ONCE]
        statement = some_passing_statement(size_of(len(some)), len(filters.tags), tuple(filters.given))
        values = {**filters.values, **keys_given(some)}
        found.extend((row[0], row[1]) for row in session.execute(statement, values, of={name for name, _ in some}))
    return found


def _posted(
    session: Session, within: Counted, words: Sequence[Word], query: str, filters: Filters
) -> tuple[set[Key], list[Postings]]:
    """Return the pages whose title or slug the query is, and the postings of its words."""
    terms = list(dict.fromkeys(term for word in words for term in word.terms))
    scope = filled(within.slices, "slices")
    wanted = filled(terms, "terms") if terms else {}
    statement = found_statement(session.dialect, len(scope), len(wanted), len(filters.tags), tuple(filters.given))
    values = {"query": query, **scope, **wanted, **filters.values}
    exact: set[Key] = set()
    postings = []
    for name, term, docs, tfs, lengths, passing in session.fetch(statement, values, of=within.slices):
        if not term:  # no term is empty
            exact.update((name, doc) for doc in numbers(docs))
            continue
        passes = [number > 0 for number in numbers(passing)] if passing is not None else None
        postings.append(Postings(name, term, numbers(docs), numbers(tfs), numbers(lengths), passes))
    return exact, spelt(postings, words)


_NEARLY = 1 - 1e-9
_FIRST, _PHRASED = float(1 << 21), float(1 << 20)
"""What an exact title or slug, and every word of the phrases, count beside a score: more than any (FR5)."""

_NOTHING = Weighed()


def _best(
    scores: Mapping[str, Mapping[int, float]], first: Collection[Key], phrased: Collection[Key], quota: int
) -> list[Key]:  # fmt: skip
    """Return the pages that may be among the best `quota`: those of each slice, and those that tie with the last."""
    places = {name: dict(each) for name, each in scores.items() if each}
    for strong, keys in ((_FIRST, first), (_PHRASED, phrased)):
        for name, doc in keys:
            places[name][doc] += strong
    bars = _bars(places, quota)
    return [(name, doc) for name, each in places.items() for doc, place in each.items() if place >= bars[name]]


def _bars(places: Mapping[str, Mapping[int, float]], quota: int) -> dict[str, float]:
    """Return, for each slice that has a page, the least place that is wanted of it: beside the slice's best, a page is
    wanted only if it is among the best `quota` of all."""
    tops = {name: sorted(each.values(), reverse=True)[:quota] for name, each in places.items()}
    all_tops = sorted((place for top in tops.values() for place in top), reverse=True)[:quota]
    least = all_tops[-1] if len(all_tops) == quota else 0.0
    return {
        name: min(max(least, top[-1] if len(top) == quota else 0.0), top[0]) for name, top in tops.items()
    }  # fmt: skip


def rows_of(session: Session, keys: Sequence[Key]) -> dict[Key, Row]:
    """Return pages by slice and number."""
    return _pages(session, WHOLE, keys)


def _pages(session: Session, columns: str, keys: Sequence[Key]) -> dict[Key, Row]:
    found: dict[Key, Row] = {}
    named = columns.split(", ")
    for start in range(0, len(keys), _AT_ONCE):
        some = keys[start : start + _AT_ONCE]
        statement = pages_statement(columns, size_of(len(some)))
        read = session.fetch(statement, keys_given(some), of={name for name, _ in some})
        found |= {(row[0], row[1]): dict(zip(named, row, strict=True)) for row in read}
    return found


def exact_of(query: str, slug: str, title_key: str) -> tuple[str, ...]:
    """Return which of title and slug the query is, exactly."""
    return tuple(name for name, value in (("title", title_key), ("slug", slug)) if value == query)
