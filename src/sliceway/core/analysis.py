"""Text as the index and the query see it: folded words, stems, identifiers whole and in parts, pairs of CJK (FR6)."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import snowballstemmer

from sliceway.core.pages import Author
from sliceway.core.text import compatible, fold

_PAIRED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003134f"
)
"""Scripts written without spaces between words, or with particles glued on: indexed by pairs of characters."""
_PIECE = re.compile(rf"(?P<pairs>[{_PAIRED}]+)|(?P<word>[^\W{_PAIRED}]+(?:[._/:@#'’-]+[^\W{_PAIRED}]+)*)")
_JOINERS = re.compile(r"[._/:@#'’-]+")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_APOSTROPHES = re.compile(r"['’]")
_MARKS = re.compile("[\u0300-\u036f]+")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_GREEK = re.compile("[\u0370-\u03ff]")
_ASCII_WORD = re.compile("[a-z]+")
_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]")
_LONGEST = 64
"""A term longer than this is no word; its head stands for it."""

_STOPPED = """a about am an and any are as at be been but by can could did do does for from had has have he her him his
how i if in into is it its me my no not of on or our she so some than that the their them then there these they this
those to up us was we were what when where which who whom why will with would you your"""
STOP_WORDS = frozenset(_STOPPED.split())
"""Dropped from queries, never from pages."""


@lru_cache(maxsize=1 << 16)
def _stem(word: str) -> str:
    """Return the stem of a folded word; a stemmer is made for each word, because it holds what it works on."""
    if _ASCII_WORD.fullmatch(word):
        language = "english"
    elif _CYRILLIC.search(word):
        language = "russian"
    elif _GREEK.search(word):
        language = "greek"
    else:
        return word
    stemmed: str = snowballstemmer.stemmer(language).stemWord(word)
    return stemmed


def _plain(text: str) -> str:
    """Return a folded text without the marks on its Latin and Greek letters; other scripts keep theirs."""
    if text.isascii():
        return text
    bare = {}
    for char in set(text):
        parts = unicodedata.normalize("NFD", char)
        if len(parts) > 1 and (parts[0] < "\u0250" or _GREEK.match(parts[0])):
            bare[ord(char)] = _MARKS.sub("", parts)
    return text.translate(bare)


def _word_terms(piece: str) -> tuple[str, ...]:
    """Return the terms of one word or identifier as written: its parts, and the whole where it has several.

    Those of ordinary words are remembered; a word as long as a page would hold that page, thousands of times.
    """
    return _known_terms(piece) if len(piece) <= _LONGEST else _made_terms(piece)


@lru_cache(maxsize=1 << 15)
def _known_terms(piece: str) -> tuple[str, ...]:
    return _made_terms(piece)


def _made_terms(piece: str) -> tuple[str, ...]:
    whole = _plain(fold(piece))
    parts = [part for part in _JOINERS.split(piece) if part]
    if _APOSTROPHES.search(piece) and not any(char.isdigit() for char in piece):
        # "don't", "team's": what follows the apostrophe is no word of its own
        parts = [_APOSTROPHES.split(part)[0] for part in re.split(r"[._/:@#-]+", piece) if part]
    terms = []
    for part in parts:
        humps = _HUMP.split(part)
        folded = [_stem(_plain(fold(hump))[:_LONGEST]) for hump in humps]
        terms.extend(folded)
        if len(humps) > 1 and len(parts) > 1:
            terms.append(_stem(_plain(fold(part))[:_LONGEST]))
    if len(terms) > 1:
        terms.append(_stem(whole[:_LONGEST]))
    return tuple(term for term in terms if term)


def _pieces(text: str) -> Iterator[tuple[str, bool]]:
    """Give the words of a text as written, and whether each is of a script that is indexed by pairs."""
    for match in _PIECE.finditer(compatible(text)):
        yield match[0], match.lastgroup == "pairs"


def terms_of(text: str) -> Iterator[str]:
    """Give the terms of a page's text, in order."""
    for piece, paired in _pieces(text):
        if paired:
            yield from piece
            yield from (piece[at : at + 2] for at in range(len(piece) - 1))
        else:
            yield from _word_terms(piece)


def query_terms(query: str) -> tuple[str, ...]:
    """Return the terms to look for, each once, in order; stop words, alone or as parts of another word, only where
    there is nothing else."""
    found: dict[str, None] = {}
    stopped: dict[str, None] = {}
    for piece, paired in _pieces(query):
        if paired:
            terms = [piece] if len(piece) == 1 else [piece[at : at + 2] for at in range(len(piece) - 1)]
            found.update(dict.fromkeys(terms))
        elif fold(piece) in STOP_WORDS:
            stopped.update(dict.fromkeys(_word_terms(piece)))
        else:
            for term in _word_terms(piece):  # "on-call" asks for itself and for calls, not for every "on"
                (stopped if term in STOP_WORDS else found)[term] = None
    return tuple(found or stopped)


def phrases_of(query: str) -> tuple[str, ...]:
    """Return what a query holds in quotation marks, as `phrase_key` writes it."""
    return tuple(key for match in _QUOTED.finditer(query) if (key := phrase_key(match[1])))


def phrase_key(text: str) -> str:
    """Return the form in which titles and quoted phrases are compared."""
    return _plain(fold(text))


def page_terms(
    *,
    slug: str,
    title: str,
    content: str,
    summary: str | None,
    tags: tuple[str, ...],
    author: Author,
    at: str,
) -> Counter[str]:
    """Return how often each term stands in a page as indexed: its texts, who said it, and when.

    :param at: the time it was written, as the ledger writes times.
    """
    who = author.on_behalf_of
    said_by = " ".join(filter(None, (author.agent, who.name if who is not None else None)))
    texts = [title, content, *filter(None, [summary]), *tags, said_by]
    if title != slug:
        texts.append(slug)
    counts = Counter(term for text in texts for term in terms_of(text))
    counts.update([at[:10], at[:4]])
    return counts
