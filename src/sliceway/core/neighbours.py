"""A page's neighbours: what was written before and after it in one conversation, and what their words lend it.

A note often answers what the note before it asked. So each word of a query counts once for a page, where it stands
best: on the page itself, or, at a part of its worth, on a neighbour in the same slice. And where several of the best
pages stand together in one conversation, each speaks for the others.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Mapping, Sequence
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
    added: Iterable[Part], near: Mapping[str, Mapping[int, Chain]], wanted: Mapping[str, Collection[int]] | None = None
) -> dict[str, dict[int, float]]:
    """Return the scores, by slice and number, of the pages that their neighbours lend something to.

    Pages that do not pass the filters lend nothing: to the query they are not there.

    :param added: as `parts` gives it. :param near: the pages that may be lent something, with those before them;
        and all that has a word of the query, so that it is known what follows what.
    :param wanted: the pages whose scores are asked for, by slice; all that are near where it is None.
    """
    listed: dict[str, list[dict[int, float]]] = {}
    for one in added:
        listed.setdefault(one.slice, []).append(one.adds)
    return {
        name: _lent(listed[name], chains_near, wanted.get(name, ()) if wanted is not None else chains_near)
        for name, chains_near in near.items()
        if name in listed
    }


def _lent(added: Sequence[Mapping[int, float]], near: Mapping[int, Chain], wanted: Collection[int]) -> dict[int, float]:
    """Return the scores of those of the wanted pages of one slice that are lent something."""
    having = set().union(*added)
    found: dict[int, float] = {}
    for doc, others in _edges(near, having, wanted).items():
        score = 0.0
        for part in added:
            best = part.get(doc, 0.0)
            for other, worth in others:
                if other in part and worth * part[other] > best:
                    best = worth * part[other]
            score += best
        found[doc] = score
    return found


def _edges(
    near: Mapping[int, Chain], having: Collection[int], wanted: Collection[int]
) -> dict[int, list[tuple[int, float]]]:  # fmt: skip
    """Return which pages that have something lend it to which of the wanted, and what it is worth there."""
    found: dict[int, list[tuple[int, float]]] = {}
    for doc in wanted:
        before, earlier = near.get(doc, _NONE)
        if before in having and before is not None:
            found.setdefault(doc, []).append((before, BEFORE))
        if earlier in having and earlier is not None:
            found.setdefault(doc, []).append((earlier, EARLIER))
    for doc in having:
        before = near.get(doc, _NONE)[0]
        if before is not None and before in wanted and before in near:
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


class Reach(NamedTuple):
    """Which pages may come to a score: `own`, of those with something of the query; `around`, of those whose neighbours
    without anything may be lent enough."""

    own: set[int]
    around: set[int]


def reach(scores: Mapping[int, float], near: Mapping[int, Chain], bar: float) -> Reach:
    """Return the pages that may come to a score with what they are lent, and around which there may be such a page
    without a word of its own. Nothing else, and nothing around other pages, comes to it.

    :param scores: of the pages that have something. :param near: these, with those before them.
    :param bar: what is enough.
    """
    most = max(scores.values(), default=0.0)
    get, around = scores.get, set()
    bounds: dict[int, float] = {}
    ahead: dict[int, float] = {}
    for doc, score in scores.items():
        before, earlier = near.get(doc, _NONE)
        lent = get(before, 0.0) if before is not None else 0.0
        bounds[doc] = score + BEFORE * lent + EARLIER * (get(earlier, 0.0) if earlier is not None else 0.0)
        if BEFORE * score + EARLIER * lent >= bar:
            around.add(doc)
        if before is None or before < 0:
            continue
        ahead[before] = ahead.get(before, 0.0) + AFTER * score
        if before not in scores:
            far = get(near.get(earlier, _NONE)[0] or -1, 0.0) if earlier in scores and earlier is not None else most
            if ahead[before] + BEFORE * get(earlier or -1, 0.0) + EARLIER * far >= bar:
                around.add(doc)
    return Reach({doc for doc, bound in bounds.items() if bound + ahead.get(doc, 0.0) >= bar}, around)
