"""A page's neighbours: what was written before and after it in one conversation, and what their words lend it.

A note often answers what the note before it asked. So each word of a query counts once for a page, where it stands
best: on the page itself, or, at a part of its worth, on a neighbour in the same slice. And where several of the best
pages stand together in one conversation, each speaks for the others.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping
from itertools import chain
from typing import NamedTuple

from sliceway.core.ranking import Postings, parts

BEFORE, EARLIER, AFTER = 0.6, 0.3, 0.25
"""What a word is worth that stands on the page before, on the one before that, or on a page that follows."""

TOGETHER = 0.1
"""What a page is added of the scores of the best pages that stand with it."""
BEST, _SPEAK = 40, 2
"""Among so many of the best pages, however many are asked for, and so many of those that stand with one, it counts: the
score of a page must not depend on the length of an answer."""
_LEAST = 1e-9
"""What has less is there by its title or slug alone."""

Chain = tuple[int | None, int | None]
"""The pages before a page, by number: the one it follows, and the one that follows."""


_NONE: Chain = (None, None)


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


def chains(before: Mapping[int, int | None]) -> dict[int, Chain]:
    """Return the two pages before each page of a slice, from what stands before each."""
    return {doc: (one, before.get(one) if one is not None else None) for doc, one in before.items()}


def lend(
    postings: Iterable[Postings], near: Mapping[str, Mapping[int, Chain]], docs: int, average: float
) -> dict[str, dict[int, float]]:
    """Return the scores, by slice and number, of the pages that their neighbours lend something to.

    Pages that do not pass the filters lend nothing: to the query they are not there.

    :param postings: as `weigh` takes them. :param near: the pages that may be lent something, with those before them;
        and all that has a word of the query, so that it is known what follows what.
    :param docs: pages of the union. :param average: terms in one of them, on average.
    """
    added = [(one, part) for one, part in parts(postings, docs, average)]
    having: dict[str, set[int]] = {}
    for one, part in added:
        having.setdefault(one.slice, set()).update(part)
    edges = {name: _edges(near[name], having[name]) for name in near if name in having}
    found: dict[str, dict[int, float]] = {name: dict.fromkeys(each, 0.0) for name, each in edges.items()}
    for one, part in added:
        scores = found.get(one.slice, {})
        for doc, others in edges.get(one.slice, {}).items():
            best = part.get(doc, 0.0)
            for other, worth in others:
                if other in part:
                    best = max(best, worth * part[other])
            if best:
                scores[doc] += best
    return found


def _edges(near: Mapping[int, Chain], having: Collection[int]) -> dict[int, list[tuple[int, float]]]:
    """Return which pages that have something lend it to which, and what it is worth there."""
    found: dict[int, list[tuple[int, float]]] = {}
    for doc, (before, earlier) in near.items():
        if before in having and before is not None:
            found.setdefault(doc, []).append((before, BEFORE))
        if earlier in having and earlier is not None:
            found.setdefault(doc, []).append((earlier, EARLIER))
        if before in near and before is not None and doc in having:
            found.setdefault(before, []).append((doc, AFTER))
    return found


def together(
    scores: Mapping[str, Mapping[int, float]],
    worded: Mapping[str, Mapping[int, float]],
    near: Mapping[str, Mapping[int, Chain]],
) -> dict[str, dict[int, float]]:
    """Return the scores, by slice and number, of those of the best pages that stand with others of them: one or two
    before or after, in one conversation. A page speaks for others by words of its own, or not at all.

    :param scores: of all pages, what neighbours lend them included. :param worded: of pages with a word of the query,
        what these alone are worth. :param near: all of them, with those before them.
    """
    best = _best(scores)
    beside: dict[tuple[str, int], list[float]] = {}
    for (name, doc), score in best.items():
        for other in near.get(name, {}).get(doc, _NONE):
            if other is None or (name, other) not in best:
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


def promising(scores: Mapping[int, float], near: Mapping[int, Chain], bar: float) -> set[int]:
    """Return the pages with something of the query around which there may be one without, that is lent enough.

    :param scores: of the pages that have something. :param near: these, with those before them.
    :param bar: what is enough. Nothing around the other pages comes to it.
    """
    most = max(scores.values(), default=0.0)
    get, found = scores.get, set()
    ahead: dict[int, float] = {}
    for doc, score in scores.items():
        before, earlier = near.get(doc, _NONE)
        if BEFORE * score + EARLIER * get(before or -1, 0.0) >= bar:
            found.add(doc)
        if before is not None and before >= 0 and before not in scores:
            far = get(near.get(earlier, _NONE)[0] or -1, 0.0) if earlier in scores and earlier is not None else most
            ahead[before] = ahead.get(before, 0.0) + AFTER * score
            if ahead[before] + BEFORE * get(earlier or -1, 0.0) + EARLIER * far >= bar:
                found.add(doc)
    return found
