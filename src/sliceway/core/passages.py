"""A page cut into passages, for models that read no more than the beginning of a text. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

LONGEST = 200
"""Word pieces of a passage, about: small models read 256, and a title and rare words take some."""
_TOKEN = re.compile(r"\w+|[^\w\s]")
_BREAKS = (re.compile(r"\n\s*\n"), re.compile(r"\n"), re.compile(r"(?<=[.!?。！？])\s*"), re.compile(r"\s+"))
"""Where a text is cut, the best place first: between paragraphs, lines, sentences, words."""
_PER_PIECE = 5
"""Letters that a model takes for one piece, on average; of other scripts it takes one for each."""


def pieces(text: str) -> int:
    """Return about how many word pieces a model makes of a text."""
    return sum(
        1 + (len(token) - 1) // _PER_PIECE if token.isascii() else len(token) for token in _TOKEN.findall(text)
    )  # fmt: skip


def passages(title: str, content: str, *, longest: int = LONGEST) -> tuple[str, ...]:
    """Return the passages of a page in order, at least one: each a part of the content, under the title where the
    content does not begin with it. Together they hold every word.

    :param longest: word pieces of a passage without its title, about.
    """
    head = "" if content.lstrip("# \t\r\n").casefold().startswith(title.casefold()) else f"{title}\n"
    return tuple(f"{head}{part}" for part in _parts(content, longest)) or (title,)


def _parts(text: str, longest: int, depth: int = 0) -> Iterator[str]:
    """Give parts of a text: as few as there can be without cutting at a worse place than needed."""
    whole = text.strip()
    if not whole:
        return
    if pieces(whole) <= longest:
        yield whole
        return
    if depth == len(_BREAKS):
        step = longest  # one endless word: a letter is at most a piece
        yield from (whole[at : at + step] for at in range(0, len(whole), step))
        return
    waiting, filled = "", 0
    for part in _cut(whole, depth):
        size = pieces(part)
        if waiting and filled + size > longest:
            yield waiting.strip()
            waiting, filled = "", 0
        if size > longest:
            yield from _parts(part, longest, depth + 1)
        else:
            waiting, filled = waiting + part, filled + size
    if waiting.strip():
        yield waiting.strip()


def _cut(text: str, depth: int) -> Iterator[str]:
    """Give a text in pieces that add up to it, each with the break after it."""
    start = 0
    for match in _BREAKS[depth].finditer(text):
        if match.end() > start:
            yield text[start : match.end()]
            start = match.end()
    if start < len(text):
        yield text[start:]
