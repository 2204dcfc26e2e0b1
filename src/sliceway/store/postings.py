"""The keyword index: rows of terms kept in step with the pages they come from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sliceway.store.session import Session
from sliceway.store.tables import terms

_NAMES = ("term", "doc", "tf", "length")


def put(session: Session, slice_name: str, doc: int, counts: Counter[str]) -> int:
    """Index a page under its number and return its length in terms. It must not be indexed yet."""
    put_all(session, slice_name, [(doc, counts)])
    return counts.total()


def put_all(session: Session, slice_name: str, pages: Iterable[tuple[int, Counter[str]]]) -> None:
    """Index pages under their numbers, in the order of the index: what stands together is written together."""
    rows: list[tuple[str, int, int, int]] = []
    for doc, counts in pages:
        length = counts.total()
        rows += [(term, doc, tf, length) for term, tf in counts.items()]
    if rows:
        rows.sort()
        session.add(terms, _NAMES, rows, into=slice_name)


def drop(session: Session, slice_name: str, doc: int) -> None:
    """Take a page out of the index."""
    session.delete(terms, terms.c.doc == doc, into=slice_name)
