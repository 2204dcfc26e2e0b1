"""The part of a page that shows why it was found, and where in it the words stand."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from sliceway.core.analysis import FOREIGN, language_of, word_places

WIDTH = 240
"""Characters in a snippet, at most, beside the marks of a cut."""
_SCANNED = 1 << 15


class Passage(NamedTuple):
    """A stretch of a page's own text on one line; `marks` are the words asked for, from and up to which character."""

    text: str
    marks: tuple[tuple[int, int], ...]


def passage(content: str, terms: Collection[str]) -> Passage:
    """Return the stretch of a page with the most of `terms`; `…` shows what is left out before or after it."""
    text = " ".join(content[:_SCANNED].split())
    wanted = frozenset(terms)
    foreign = any(term.startswith(FOREIGN) for term in wanted)
    places = list(word_places(text, wanted, language_of(content) if foreign else None))
    cut_off = len(content) > _SCANNED
    if len(text) <= WIDTH:
        return Passage(f"{text} …" if cut_off else text, tuple(_joined(places)))
    start = _start(places)
    if start:
        start = text.find(" ", start) + 1
    end = start + WIDTH
    if end < len(text):
        end = text.rfind(" ", start, end) if " " in text[start:end] else end
    head = "… " if start else ""
    tail = " …" if end < len(text) or cut_off else ""
    shown = [
        (at - start + len(head), upto - start + len(head), found)
        for at, upto, found in places
        if start <= at and upto <= end
    ]
    return Passage(f"{head}{text[start:end]}{tail}", tuple(_joined(shown)))


def _start(places: list[tuple[int, int, frozenset[str]]]) -> int:
    """Return where the stretch with the most of the terms begins, with a little before it."""
    start = most = 0
    for index, (at, _, _) in enumerate(places):
        seen: set[str] = set()
        for later, _, found in places[index:]:
            if later >= at + WIDTH - 40:
                break
            seen |= found
        if len(seen) > most:
            most, start = len(seen), at
    return max(0, start - 40)


def _joined(places: list[tuple[int, int, frozenset[str]]]) -> Iterator[tuple[int, int]]:
    """Give the places in order, those that touch as one."""
    last: tuple[int, int] | None = None
    for at, upto, _ in places:
        if last is not None and at <= last[1]:
            last = last[0], max(last[1], upto)
            continue
        if last is not None:
            yield last
        last = at, upto
    if last is not None:
        yield last
