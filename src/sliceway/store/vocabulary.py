"""Which terms begin as an unfinished word does, in the slices that are read and no others (FR10, FR11)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from sqlalchemy import TextualSelect, column, text

from sliceway.core.beginnings import MOST, becomes, stems_within
from sliceway.store.lists import filled, names_of
from sliceway.store.session import Session

_BEGINNING = """
WITH RECURSIVE found (slice, term, place) AS (
    SELECT slices.slice, (
        SELECT MIN(terms.term) FROM terms
        WHERE terms.slice = slices.slice AND terms.term >= :stub AND terms.term < :beyond
    ), 1 FROM slices WHERE slices.slice IN ({slices})
    UNION ALL SELECT found.slice, (
        SELECT MIN(terms.term) FROM terms
        WHERE terms.slice = found.slice AND terms.term > found.term AND terms.term < :beyond
    ), found.place + 1 FROM found WHERE found.term IS NOT NULL AND found.place < :most
) SELECT DISTINCT term FROM found WHERE term IS NOT NULL"""
"""One look into the index for each term, however many pages have it."""
_WITHIN = "SELECT DISTINCT terms.term FROM terms WHERE terms.slice IN ({slices}) AND terms.term IN ({terms})"
_LAST = "\U0010ffff"
"""Comes after every letter, byte by byte, which is how both engines compare terms."""


@lru_cache(maxsize=64)
def _statement(said: str, slices_read: int, terms: int) -> TextualSelect:
    whole = said.format(slices=names_of("slices", slices_read), terms=names_of("terms", terms))
    return text(whole).columns(column("term"))


def beginning(session: Session, readable: Sequence[str], stub: str) -> tuple[str, ...]:
    """Return the terms of these slices that an unfinished word stands for, as `becomes` chooses them.

    :param readable: slices that are read. What it costs is bounded for each of them.
    """
    if not readable:
        return ()
    scope = filled(readable, "slices")
    values = {**scope, "stub": stub, "beyond": stub + _LAST, "most": MOST}
    found = session.execute(_statement(_BEGINNING, len(scope), 0), values, of=readable).scalars().all()
    if not found and (stems := stems_within(stub)):
        named = filled(stems, "terms")
        statement = _statement(_WITHIN, len(scope), len(named))
        found = session.execute(statement, {**scope, **named}, of=readable).scalars().all()
    return becomes(stub, found)
