"""A page's neighbours: what was written before and after it in one conversation, and what their words lend it.

A note often answers what the note before it asked. So each word of a query counts once for a page, where it stands
best: on the page itself, or, at a part of its worth, on a neighbour in the same slice. And where several of the best
pages stand together in one conversation, each speaks for the others.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

from sliceway.core.ranking import Part

BEFORE, EARLIER, AFTER = 0.6, 0.3, 0.25
"""What a word is worth that stands on the page before, on the one before that, or on a page that follows."""

TOGETHER = 0.1
"""What a page is added of the scores of the best pages that stand with it."""
BEST, _SPEAK = 40, 2
"""Among so many of the best pages, however many are asked for, and so many of those that stand with one, it counts: the
score of a page must not depend on the length of an answer."""
_LEAST = 1e-9
"""What has less is there by its title or slug alone."""


_NONE = -1
"""The number of no page."""
_SEVERAL = 200
"""Bytes of a page that several follow, about."""


@dataclass(frozen=True, slots=True)
class Order:
    """What follows what in one slice, by number.

    :ivar before: the page before each, at the place of its number; -1 where there is none, and at the last place: so
        nothing stands before nothing.
    :ivar first: a page that follows each, in the same way. :ivar more: the others, of pages that several follow.
    """

    before: Sequence[int]
    first: Sequence[int]
    more: Mapping[int, Sequence[int]]

    @property
    def size(self) -> int:
        """How many bytes it takes, about."""
        return 8 * len(self.before) + _SEVERAL * len(self.more)

    def after(self, doc: int) -> Sequence[int]:
        """Return the pages that follow a page."""
        one = self.first[doc]
        return (one, *self.more.get(doc, ())) if one != _NONE else ()

    def around(self, doc: int) -> set[int]:
        """Return a page, the one before it, those that follow it, and those that follow these: all that it may lend
        something to."""
        following = self.after(doc)
        found = {doc, self.before[doc], *following, *chain.from_iterable(map(self.after, following))}
        found.discard(_NONE)
        return found


def order(docs: Sequence[int], befores: Sequence[int], upto: int) -> Order:
    """Return what follows what.

    :param docs: pages that follow one, each once. :param befores: the pages before them, a place in each list for a
        page. :param upto: no page has a number above it.
    """
    before, first = array("i", [_NONE]) * (upto + 2), array("i", [_NONE]) * (upto + 2)
    more: dict[int, list[int]] = {}
    for doc, one in zip(docs, befores, strict=True):
        before[doc] = one
        if first[one] == _NONE:
            first[one] = doc
        else:
            more.setdefault(one, []).append(doc)
    return Order(before, first, more)


class Standing(NamedTuple):
    """A live page of a slice: its number, in the order of writing, its slug, and the slug that it says it follows."""

    doc: int
    slug: str
    after: str | None


def folder_of(slug: str) -> str | None:
    """Return the folder of a slug, `d1` of `d1/6`; None where it has none."""
    folder, slash, _ = slug.rpartition("/")
    return folder if slash else None


def befores(pages: Iterable[Standing]) -> dict[int, int | None]:
    """Return which page stands before each live page of a slice: the one it says it follows, None where that is not
    there; without a say, the one written before it in its folder."""
    listed = sorted(pages)
    named = {page.slug: page.doc for page in listed}
    last: dict[str, int] = {}
    found: dict[int, int | None] = {}
    for page in listed:
        folder = folder_of(page.slug)
        if page.after is not None:
            said = named.get(page.after)
            found[page.doc] = said if said != page.doc else None
        else:
            found[page.doc] = last.get(folder) if folder is not None else None
        if folder is not None:
            last[folder] = page.doc
    return found


def lend(
    added: Iterable[Part], orders: Mapping[str, Order], wanted: Mapping[str, Collection[int]]
) -> dict[str, dict[int, float]]:
    """Return the scores, by slice and number, of those of the wanted pages that their neighbours lend something to.

    Pages that do not pass the filters lend nothing: to the query they are not there.

    :param added: as `parts` gives it. :param orders: what follows what in each slice.
    """
    listed: dict[str, list[dict[int, float]]] = {}
    for one in added:
        listed.setdefault(one.slice, []).append(one.adds)
    return {name: _lent(listed[name], orders[name], docs) for name, docs in wanted.items() if name in listed}


def _lent(added: Sequence[Mapping[int, float]], order: Order, wanted: Collection[int]) -> dict[int, float]:
    """Return the scores of those of the wanted pages of one slice that are lent something."""
    having = set().union(*added)
    before, first, more = order.before, order.first, order.more
    gets = [part.get for part in added]
    found: dict[int, float] = {}
    for doc in wanted:
        one = before[doc]
        earlier = before[one]
        others = [(one, BEFORE)] if one in having else []
        if earlier in having:
            others.append((earlier, EARLIER))
        if (follows := first[doc]) >= 0:
            if follows in having:
                others.append((follows, AFTER))
            if doc in more:
                others += [(each, AFTER) for each in more[doc] if each in having]
        if not others:
            continue
        score = 0.0
        for get in gets:
            best = get(doc, 0.0)
            for other, worth in others:
                lent = worth * get(other, 0.0)
                if lent > best:
                    best = lent
            score += best
        found[doc] = score
    return found


def together(
    scores: Mapping[str, Mapping[int, float]],
    worded: Mapping[str, Mapping[int, float]],
    orders: Mapping[str, Order],
) -> dict[str, dict[int, float]]:
    """Return the scores, by slice and number, of those of the best pages that stand with others of them: one or two
    before or after, in one conversation. A page speaks for others by words of its own, or not at all.

    :param scores: of all pages, what neighbours lend them included. :param worded: of pages with a word of the query,
        what these alone are worth. :param orders: what follows what.
    """
    best = _best(scores)
    beside: dict[tuple[str, int], list[float]] = {}
    for (name, doc), score in best.items():
        before = orders[name].before
        for other in (before[doc], before[before[doc]]):
            if (name, other) not in best:
                continue
            if worded[name].get(other, 0.0) > 0:
                beside.setdefault((name, doc), []).append(best[name, other])
            if worded[name].get(doc, 0.0) > 0:
                beside.setdefault((name, other), []).append(score)
    found: dict[str, dict[int, float]] = {}
    for (name, doc), others in beside.items():
        added = TOGETHER * sum(heapq.nlargest(_SPEAK, others))
        found.setdefault(name, {})[doc] = best[name, doc] + added
    return found


def _best(scores: Mapping[str, Mapping[int, float]]) -> dict[tuple[str, int], float]:
    """Return the best pages of all slices, of those with the same score the first by slice and number."""
    top = heapq.nlargest(BEST, chain.from_iterable(each.values() for each in scores.values()))
    bar = max(top[-1], _LEAST) if len(top) == BEST else _LEAST
    may = ((-score, name, doc) for name, each in scores.items() for doc, score in each.items() if score >= bar)
    return {(name, doc): -score for score, name, doc in heapq.nsmallest(BEST, may)}


class Reach(NamedTuple):
    """Which pages may come to a score: `own`, of those with something of the query; `around`, of those whose neighbours
    without anything may be lent enough."""

    own: set[int]
    around: set[int]


def reach(scores: Mapping[int, float], order: Order, bar: float) -> Reach:
    """Return the pages that may come to a score with what they are lent, and around which there may be such a page
    without a word of its own. Nothing else, and nothing around other pages, comes to it.

    :param scores: of the pages that have something. :param bar: what is enough.
    """
    most = max(scores.values(), default=0.0)
    get, around, befores = scores.get, set(), order.before
    bounds: dict[int, float] = {}
    ahead: dict[int, float] = {}
    for doc, score in scores.items():
        before = befores[doc]
        if before < 0:
            bounds[doc] = score
            if BEFORE * score >= bar:
                around.add(doc)
            continue
        earlier = befores[before]
        lent = get(before, 0.0)
        bounds[doc] = score + BEFORE * lent + EARLIER * get(earlier, 0.0)
        if BEFORE * score + EARLIER * lent >= bar:
            around.add(doc)
        ahead[before] = gives = ahead.get(before, 0.0) + AFTER * score
        if before not in scores:
            far = get(befores[earlier], 0.0) if earlier in scores else most
            if gives + BEFORE * get(earlier, 0.0) + EARLIER * far >= bar:
                around.add(doc)
    return Reach({doc for doc, bound in bounds.items() if bound + ahead.get(doc, 0.0) >= bar}, around)
