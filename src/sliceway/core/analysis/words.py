"""One word or identifier as the terms it is found by: its parts, the whole, and its stem in a language (FR6)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple

from sliceway.core.analysis.languages import ENGLISH, STOP_WORDS, stem, stem_by_script
from sliceway.core.text import fold

FOREIGN = "~"
"""Stands before a stem of another language than English, so that it meets no word of another language by chance."""
LONGEST = 64
"""A term longer than this is no word; its head stands for it."""

_OUTER = re.compile(r"[/:@#]+")
_INNER = re.compile(r"[._'’-]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_APOSTROPHE = re.compile(r"['’]")
_DASHED = re.compile(r"[^\W_]+(?:[-_][^\W_]+)+")
_VERSION = re.compile(r"v\d")
_MARKS = re.compile("[\u0300-\u036f]+")
_MARKED = re.compile("[\u0370-\u03ff\u1f00-\u1fff]")
_JOINED = 4
"""Parts of an identifier that is found written as one word too: `on-call` by `oncall`."""


class Made(NamedTuple):
    """One term of a word; `part` is the plain word in small letters that it is the stem of, empty where it is none."""

    term: str
    part: str = ""


def plain(text: str) -> str:
    """Return a folded text without the marks on its Latin and Greek letters; other scripts keep theirs."""
    if text.isascii():
        return text
    bare = {}
    for char in set(text):
        parts = unicodedata.normalize("NFD", char)
        if len(parts) > 1 and (parts[0] < "\u0250" or _MARKED.match(parts[0])):
            bare[ord(char)] = _MARKS.sub("", parts)
    return text.translate(bare)


def made_of(piece: str) -> tuple[Made, ...]:
    """Return the terms of a word or identifier as written, in every text alike.

    Those of ordinary words are remembered; a word as long as a page would hold that page, thousands of times.
    """
    return _known(piece) if len(piece) <= LONGEST else _make(piece)


def terms_in(piece: str, language: str | None) -> tuple[str, ...]:
    """Return the terms of a word in a page of a language; None is English, and all that nothing is known of."""
    return _known_in(piece, language) if len(piece) <= LONGEST else _terms_in(piece, language)


def terms_of_each(pieces: Sequence[str], language: str | None) -> Iterator[tuple[str, ...]]:
    """Give what `terms_in` returns for each of many words, without a call of ours for each."""
    known = _known_in if max(map(len, pieces), default=0) <= LONGEST else terms_in
    return map(known, pieces, repeat(language))


@lru_cache(maxsize=1 << 15)
def foreign(word: str, language: str) -> str:
    """Return the term of a plain word in small letters by another language's stemmer."""
    return FOREIGN + plain(fold(stem(word, language)))


@lru_cache(maxsize=1 << 15)
def _known(piece: str) -> tuple[Made, ...]:
    return _make(piece)


@lru_cache(maxsize=1 << 16)
def _known_in(piece: str, language: str | None) -> tuple[str, ...]:
    return _terms_in(piece, language)


def _terms_in(piece: str, language: str | None) -> tuple[str, ...]:
    made = made_of(piece)
    terms = tuple(one.term for one in made)
    if language is None:
        return terms
    stopped = STOP_WORDS[language]
    return (*terms, *(foreign(one.part, language) for one in made if is_latin(one.part) and one.part not in stopped))


def _stem(text: str) -> str:
    if text.isascii():
        return stem_by_script(text[:LONGEST].lower())
    return stem_by_script(plain(fold(text))[:LONGEST])


def _word(part: str) -> Made:
    term = _stem(part)
    return Made(term, part.lower() if part.isalpha() and len(part) <= LONGEST else "")


def _make(piece: str) -> tuple[Made, ...]:
    if piece.isalpha() and (piece.islower() or piece.istitle()):
        one = _stem(piece)
        return (Made(one, piece.lower()),) if one else ()
    if not piece.startswith("__"):
        piece = piece.strip("_")  # chat's italics
    made: list[Made] = []
    segments = [segment for segment in _OUTER.split(piece) if segment]
    for segment in segments:
        inner = _segment(segment)
        made.extend(inner)
        if len(inner) > 1 and len(segments) > 1:
            made.append(Made(_stem(segment)))
    if len(made) > 1 or piece.startswith("__"):
        made.append(Made(_stem(piece)))
    return tuple(one for one in made if one.term)


def _segment(segment: str) -> list[Made]:
    """Return the terms of what stands between slashes, colons and the like: its parts, and these written as one."""
    parts = [part for part in _INNER.split(segment) if part.strip("_")]
    spoken = _APOSTROPHE.search(segment) is not None and not any(char.isdigit() for char in segment)
    if spoken:
        # "don't", "team's": what is left after the apostrophe is no word of its own; "l'équipe" has two.
        parts = [part for at, part in enumerate(parts) if at == 0 or len(part) > 2]
    made: list[Made] = []
    for part in parts:
        humps = _HUMP.split(part)
        made.extend(_word(hump) for hump in humps)
        if len(humps) > 1 and len(parts) > 1:
            made.append(Made(_stem(part)))
    if 1 < len(parts) <= _JOINED and _DASHED.fullmatch(segment) and not segment.replace("-", "").isdigit():
        made.append(Made(_stem("".join(parts))))
    if _VERSION.match(segment) and len(parts) > 1:
        made.append(Made(fold(segment[1:])[:LONGEST]))
    return made


def is_latin(part: str) -> bool:
    """Say whether a plain word has a stem in languages of Latin letters."""
    return "" < part < "\u0250"


def is_stopped(part: str, languages: tuple[str, ...]) -> bool:
    """Say whether a plain word in small letters says nothing in one of the languages; English where none is told."""
    return any(part in STOP_WORDS[language] for language in languages or (ENGLISH,))
