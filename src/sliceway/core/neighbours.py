"""A page's neighbours: what was written before and after it in one conversation, and what their words lend it.

A note often answers what the note before it asked. So each word of a query counts once for a page, where it stands
best: on the page itself, or, at a part of its worth, on a neighbour in the same slice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sliceway.core.ranking import Postings, parts

BEFORE, EARLIER, AFTER = 0.6, 0.3, 0.25
"""What a word is worth that stands on the page before, on the one before that, or on the page after."""
_WORTH = (BEFORE, EARLIER, AFTER)
REACH = 1 + BEFORE + EARLIER + AFTER
"""No page has more than this times the score that is the best among its own and its neighbours'."""


class Standing(NamedTuple):
    """A live page of a slice: its number, in the order of writing, its slug, and the slug that it says it follows."""

    doc: int
    slug: str
    after: str | None


class Near(NamedTuple):
    """A page by number and those near it: the one before, the one before that, and the first that follows it."""

    doc: int
    before: int | None
    earlier: int | None
    after: int | None


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


def near_all(before: Mapping[int, int | None]) -> list[Near]:
    """Return every page of a slice with its neighbours, from what stands before each."""
    after: dict[int, int] = {}
    for doc in sorted(before, reverse=True):
        one = before[doc]
        if one is not None:
            after[one] = doc
    return [
        Near(doc, one, before.get(one) if one is not None else None, after.get(doc)) for doc, one in before.items()
    ]  # fmt: skip


def lend(
    postings: Iterable[Postings], near: Mapping[str, Sequence[Near]], docs: int, average: float
) -> dict[str, dict[int, float]]:
    """Return the scores of pages, by slice and number, with what their neighbours lend them; none for those that have
    nothing of the query and are lent nothing.

    Pages that do not pass the filters lend nothing: to the query they are not there.

    :param postings: as `weigh` takes them. :param docs: pages of the union. :param average: terms in one of them.
    """
    found: dict[str, dict[int, float]] = {name: {} for name in near}
    for one, part in parts(postings, docs, average):
        scores = found.get(one.slice)
        if scores is None:
            continue
        for doc, *others in near[one.slice]:
            best = part.get(doc, 0.0)
            for other, worth in zip(others, _WORTH, strict=True):
                if other in part:
                    best = max(best, worth * part[other])
            if best:
                scores[doc] = scores.get(doc, 0.0) + best
    return found
