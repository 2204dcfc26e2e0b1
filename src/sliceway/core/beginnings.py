"""Words that an unfinished one may become: terms that begin with it. Pure; whose terms is the store's matter."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sliceway.core.analysis import Word, query_words

MOST = 50
"""Terms that an unfinished word stands for, the first in order: one that may become more is hardly begun."""
_STEM, _CUT = 3, 5
"""Letters of a stem that a word was typed beyond, at least, and letters typed beyond it, at most: `rotatio` is of
`rotat`."""


def stems_within(stub: str) -> tuple[str, ...]:
    """Return what an unfinished word may have been typed beyond the stem of, the longest first."""
    least = max(_STEM, len(stub) - _CUT)
    return tuple(stub[:end] for end in range(len(stub) - 1, least - 1, -1))


def becomes(stub: str, vocabulary: Iterable[str]) -> tuple[str, ...]:
    """Return the terms of a vocabulary that an unfinished word stands for: at most `MOST` that begin with it, else the
    longest stem that it was typed beyond."""
    known = set(vocabulary)
    found = sorted(term for term in known if term.startswith(stub))[:MOST]
    return tuple(found or [stem for stem in stems_within(stub) if stem in known][:1])


def begun(words: Sequence[Word], stub: str, terms: Sequence[str]) -> tuple[Word, ...]:
    """Return the words of a query whose last one is unfinished: that one is found by any of these terms as by itself,
    and counts as one word.

    :param words: as `query_words` returns them. :param terms: what `becomes` returns.
    """
    own = {word.term for word in query_words(stub)[-1:]}
    last = next((at for at, word in enumerate(words) if word.term in own), None)
    if last is None:
        return (*words, Word(tuple(terms))) if terms else tuple(words)
    others = [word for at, word in enumerate(words) if at != last]
    taken = {term for word in others for term in word.terms}
    more = (term for term in terms if term not in taken)
    return (*others, Word(tuple(dict.fromkeys((*words[last].terms, *more)))))
