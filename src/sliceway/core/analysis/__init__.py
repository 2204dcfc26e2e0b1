"""Text as the index and the query see it: one analyser for both (FR6).

Every text gives terms that do not depend on its language: words folded and stemmed by their script (plain Latin as
English), identifiers whole and in parts, pairs of CJK, dates. A page in another language in Latin letters gives the
stems of that language besides, marked `~`, and a query asks for these where such pages are read: each word of a query
is a `Word`, whose spellings are one thing to ranking.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import NamedTuple

from sliceway.core.analysis.dates import date_terms, day_terms
from sliceway.core.analysis.languages import ENGLISH, LATIN, language_of, languages_of
from sliceway.core.analysis.markup import is_emoji, words_meant
from sliceway.core.analysis.words import FOREIGN, foreign, is_latin, is_stopped, made_of, plain, terms_in, terms_of_each
from sliceway.core.pages import Author
from sliceway.core.text import compatible, fold

__all__ = [
    "FOREIGN", "Word", "language_of", "page_terms", "phrase_key", "phrases_of", "query_terms", "query_words",
    "terms_of", "unfinished", "word_places",
]  # fmt: skip

_PAIRED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003134f"
)
"""Scripts written without spaces between words, or with particles glued on: indexed by pairs of characters."""
_PICTURES = "\u2190-\u24ff\u25a0-\u2bff\U0001f000-\U0001faff"
_PIECE = re.compile(
    rf"(?P<pairs>[{_PAIRED}]+)|(?P<picture>[{_PICTURES}])"
    rf"|(?P<word>[^\W{_PAIRED}]+(?:[._/:@#'’-]+[^\W{_PAIRED}]+)*)"
)
_ASCII_PIECE = re.compile(r"[A-Za-z0-9_]+(?:[._/:@#'-]+[A-Za-z0-9_]+)*")
_QUOTED = re.compile(r"[\"“”„«»]([^\"“”„«»]+)[\"“”„«»]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")


class Word(NamedTuple):
    """A word of a query: the terms that it is found by, the same in every text first."""

    terms: tuple[str, ...]

    @property
    def term(self) -> str:
        """The term that every page with this very word has."""
        return self.terms[0]


def _pieces(text: str) -> Iterator[tuple[str, str]]:
    """Give the words of a text as written, each with what it is: `word`, `pairs` or `picture`."""
    for match in _PIECE.finditer(text):
        yield match[0], match.lastgroup or "word"


def _read(text: str) -> str:
    """Return a text as it is taken apart: markup as words, characters in their compatible form."""
    return compatible(words_meant(text))


def _terms(read: str, language: str | None) -> Iterator[str]:
    if read.isascii():
        return chain.from_iterable(map(partial(terms_in, language=language), _ASCII_PIECE.findall(read)))
    return chain.from_iterable(_of_piece(piece, what, language) for piece, what in _pieces(read))


def _of_piece(piece: str, what: str, language: str | None) -> Iterable[str]:
    if what == "word":
        return terms_in(piece, language)
    if what == "picture":
        return (piece,) if is_emoji(piece) else ()
    return (*piece, *(piece[at : at + 2] for at in range(len(piece) - 1)))


def terms_of(text: str, language: str | None = None) -> Iterator[str]:
    """Give the terms of a page's text, in order, those of its dates last.

    :param language: as `language_of` tells it.
    """
    read = _read(text)
    yield from _terms(read, language)
    yield from date_terms(read)


def word_places(
    text: str, wanted: frozenset[str], language: str | None = None
) -> Iterator[tuple[int, int, frozenset[str]]]:
    """Give where a word stands in a text as written that has one of the wanted terms: from, up to, and which terms."""
    if text.isascii():
        pieces = _ASCII_PIECE.findall(text)
        found_in = list(terms_of_each(pieces, language))
        apart = list(map(wanted.isdisjoint, found_in))
        upto = 0
        for piece, terms, lacks in zip(pieces, found_in, apart, strict=True) if not all(apart) else ():
            at = text.index(piece, upto)
            upto = at + len(piece)
            if not lacks:
                yield at, upto, wanted.intersection(terms)
        return
    for match in _PIECE.finditer(text):
        if match.lastgroup == "pairs":
            for at in range(match.start(), match.end()):
                for upto in (at + 1, at + 2):
                    if upto <= match.end() and text[at:upto] in wanted:
                        yield at, upto, frozenset((text[at:upto],))
        elif not wanted.isdisjoint(found := _of_piece(compatible(match[0]), match.lastgroup or "word", language)):
            yield match.start(), match.end(), wanted.intersection(found)


def query_words(query: str, *, foreign_pages: bool = False) -> tuple[Word, ...]:
    """Return the words to look for, each once, in order; stop words, alone or as parts of another word, only where
    there is nothing else.

    :param foreign_pages: whether pages are read that hold stems of another language; then each word is asked for by
        the stemmers of the languages that the query may be in, too.
    """
    read = _read(query)
    pieces = list(_pieces(read))
    small = [one.part for piece, what in pieces if what == "word" for one in made_of(piece) if one.part]
    told = languages_of(small)
    meant = tuple(language for language in told if language != ENGLISH) if told else LATIN
    stopping = (*told, "russian") if _CYRILLIC.search(read) else told
    found: dict[str, Word] = {}
    stopped: dict[str, Word] = {}
    for piece, what in pieces:
        if what == "pairs":
            pairs = [piece] if len(piece) == 1 else [piece[at : at + 2] for at in range(len(piece) - 1)]
            found.update((pair, Word((pair,))) for pair in pairs)
            continue
        if what == "picture":
            found.update((term, Word((term,))) for term in _of_piece(piece, what, None))
            continue
        for term, part in made_of(piece):
            more = [foreign(part, language) for language in meant] if foreign_pages and is_latin(part) else []
            word = Word((term, *dict.fromkeys(more)))
            # "on-call" asks for itself and for calls, not for every "on"
            (stopped if is_stopped(part or term, stopping) else found).setdefault(term, word)
    for term in date_terms(read):
        found.setdefault(term, Word((term,)))
    return tuple((found or stopped).values())


def unfinished(query: str) -> str | None:
    """Return the last word of a query that ends within it, folded as terms are; None where it ends otherwise, or the
    word is of one letter, a stop word, or of a script whose characters are indexed one by one."""
    read = _read(query)
    last = next(reversed(list(_PIECE.finditer(read))), None)
    if last is None or last.end() < len(read) or last.lastgroup != "word":
        return None
    stub = plain(fold(last[0])).strip("_")
    return stub if len(stub) > 1 and not is_stopped(stub, ()) else None


def query_terms(query: str) -> tuple[str, ...]:
    """Return the terms that every page has in which these very words stand."""
    return tuple(word.term for word in query_words(query))


def phrases_of(query: str) -> tuple[str, ...]:
    """Return what a query holds in quotation marks, as `phrase_key` writes it."""
    return tuple(key for match in _QUOTED.finditer(query) if (key := phrase_key(match[1])))


def phrase_key(text: str) -> str:
    """Return the form in which titles and quoted phrases are compared."""
    return plain(fold(text))


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
    counts = text_terms(slug=slug, title=title, content=content, summary=summary, tags=tags, author=author)
    return dated(counts, at)


def dated(counts: Counter[str], at: str) -> Counter[str]:
    """Return the terms of a page with those of the day of its time added: to the very counter."""
    counts.update(day_terms(at[:10]))
    return counts


def text_terms(
    *, slug: str, title: str, content: str, summary: str | None, tags: tuple[str, ...], author: Author
) -> Counter[str]:
    """Return the terms of a page but for those of its day: they are known before it is written."""
    who = author.on_behalf_of
    said_by = " ".join(filter(None, (author.agent, who.name if who is not None else None)))
    named = title if title != slug else ""
    texts = [named, content, summary or "", *tags]
    read = _read("\n".join(texts))
    language = language_of(named, content)
    counts = Counter(_terms(read, language))
    counts.update(_terms(_read(f"{said_by}\n{slug}"), None))
    counts.update(date_terms(read))
    return counts
