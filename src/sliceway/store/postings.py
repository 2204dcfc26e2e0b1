"""The keyword index: rows of terms kept in step with the pages they come from."""

from __future__ import annotations

from collections import Counter

from sliceway.store.session import Session
from sliceway.store.tables import terms


def put(session: Session, slice_name: str, doc: int, counts: Counter[str]) -> int:
    """Index a page under its number and return its length in terms. It must not be indexed yet."""
    length = counts.total()
    rows = [{"term": term, "doc": doc, "tf": tf, "length": length} for term, tf in sorted(counts.items())]
    session.insert(terms, rows, into=slice_name)
    return length


def drop(session: Session, slice_name: str, doc: int) -> None:
    """Take a page out of the index."""
    session.delete(terms, terms.c.doc == doc, into=slice_name)
