"""The part of a page that shows why it was found."""

from __future__ import annotations

import re
from collections.abc import Collection

from sliceway.core.analysis import terms_of

WIDTH = 240
"""Characters in a snippet, at most, beside the marks of a cut."""
_WORD = re.compile(r"\S+")
_SCANNED = 1 << 15


def snippet(content: str, terms: Collection[str]) -> str:
    """Return the stretch of a page's own text with the most of `terms`, on one line; `…` marks what is left out."""
    text = " ".join(content[:_SCANNED].split())
    if len(text) <= WIDTH:
        return text if len(content) <= _SCANNED else f"{text} …"
    wanted = set(terms)
    matches = [(match.start(), wanted.intersection(terms_of(match[0]))) for match in _WORD.finditer(text)]
    hits = [(at, found) for at, found in matches if found]
    start = 0
    most = 0
    for index, (at, _) in enumerate(hits):
        seen: set[str] = set()
        for later, found in hits[index:]:
            if later >= at + WIDTH - 40:
                break
            seen |= found
        if len(seen) > most:
            most, start = len(seen), at
    start = max(0, start - 40)
    if start:
        start = text.find(" ", start) + 1
    end = start + WIDTH
    if end < len(text):
        end = text.rfind(" ", start, end) if " " in text[start:end] else end
    head = "… " if start else ""
    tail = " …" if end < len(text) or len(content) > _SCANNED else ""
    return f"{head}{text[start:end]}{tail}"
