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
_NEARLY = 1 - 1e-9
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


Lenders = list[tuple[int, float]]
"""Pages that may lend a page something, and what it is worth there."""


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


def lend(added: Iterable[Part], lenders: Mapping[str, Mapping[int, Lenders]]) -> dict[str, dict[int, float]]:
    """Return the scores, by slice and number, of pages that their neighbours lend something to.

    :param added: as `parts` gives it. :param lenders: who may lend something to which page.
    """
    listed: dict[str, list[dict[int, float]]] = {}
    for one in added:
        listed.setdefault(one.slice, []).append(one.adds)
    return {name: _lent(listed[name], docs) for name, docs in lenders.items() if name in listed}


def _lent(added: Sequence[Mapping[int, float]], lenders: Mapping[int, Lenders]) -> dict[int, float]:
    gets = [part.get for part in added]
    found: dict[int, float] = {}
    for doc, others in lenders.items():
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


def lenders_of(docs: Iterable[int], having: Collection[int], order: Order) -> dict[int, Lenders]:
    """Return who may lend something to each of some pages of a slice, of those to whom anybody may.

    :param having: the pages that have something. One that does not pass the filters lends nothing: to the query it is
        not there.
    """
    before = order.before
    found: dict[int, Lenders] = {}
    for doc in docs:
        one = before[doc]
        listed = ((one, BEFORE), (before[one], EARLIER), *((each, AFTER) for each in order.after(doc)))
        others = [lender for lender in listed if lender[0] in having]
        if others:
            found[doc] = others
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
    listed = sorted(chain.from_iterable(each.values() for each in scores.values()), reverse=True)
    bar = max(listed[BEST - 1], _LEAST) if len(listed) >= BEST else _LEAST
    may = [(-score, name, doc) for name, each in scores.items() for doc, score in each.items() if score >= bar]
    return {(name, doc): -score for score, name, doc in sorted(may)[:BEST]}


class Reach(NamedTuple):
    """What neighbours may bring to pages of one slice: `lenders`, who may lend something to which page that has a word
    of its own. Of pages without one, those may come to the score that follow a page of `ahead`, or the page that
    follows it; and those before a page of `back`."""

    lenders: dict[int, Lenders]
    ahead: set[int]
    back: set[int]


def reach(scores: Mapping[int, float], order: Order, bar: float) -> Reach:
    """Return who may lend something to whom among the pages that have something, and around which of them there may be
    a page without a word of its own that comes to a score: around no other there is.

    Few pages have neighbours that have something too; the others take two look-ups each.

    :param scores: of the pages that have something. :param bar: that score.
    """
    most = max(scores.values(), default=0.0)
    least = min(bar / BEFORE, (bar - EARLIER * most) / AFTER) * _NEARLY
    befores, more, get = order.before, order.more, scores.get
    found = Reach({}, set(), set())
    lenders, ahead, back = found
    gives: dict[int, float] = {}
    for doc, score in scores.items():
        before = befores[doc]
        earlier = befores[before]
        if before in scores:
            lenders.setdefault(doc, []).append((before, BEFORE))
            lenders.setdefault(before, []).append((doc, AFTER))
            if earlier in scores:
                lenders[doc].append((earlier, EARLIER))
            if BEFORE * score + EARLIER * scores[before] >= bar:
                ahead.add(doc)
            continue
        if earlier in scores:
            lenders.setdefault(doc, []).append((earlier, EARLIER))
        elif score < least and before not in more:
            continue
        if BEFORE * score >= bar:
            ahead.add(doc)
        if before == _NONE:
            continue
        given = AFTER * score
        if before in more:
            given = gives[before] = gives.get(before, 0.0) + given
        far = get(befores[earlier], 0.0) if earlier in scores else most
        if given + BEFORE * get(earlier, 0.0) + EARLIER * far >= bar:
            back.add(doc)
    return found


def beside(scores: Mapping[int, float], found: Reach, order: Order, bar: float) -> set[int]:
    """Return the pages without a word of their own that may come to a score; see `reach`."""
    docs = {order.before[doc] for doc in found.back}
    for doc in found.ahead:
        following = order.after(doc)
        docs.update(following)
        if EARLIER * scores[doc] >= bar:
            docs.update(chain.from_iterable(map(order.after, following)))
    return docs.difference(scores)


def within_reach(scores: Mapping[int, float], lenders: Mapping[int, Lenders], bar: float) -> dict[int, Lenders]:
    """Return those of the lenders whose pages may come to a score by what they are lent."""
    return {
        doc: others
        for doc, others in lenders.items()
        if scores[doc] + sum([worth * scores[other] for other, worth in others]) >= bar
    }
