"""The keyword index: rows of terms kept in step with the pages they come from."""

from __future__ import annotations

from collections import Counter
from typing import Any

from sliceway.store.session import Session
from sliceway.store.tables import terms


def rows(doc: int, counts: Counter[str]) -> list[dict[str, Any]]:
    """Return the rows that index a page under its number."""
    length = counts.total()
    return [{"term": term, "doc": doc, "tf": tf, "length": length} for term, tf in sorted(counts.items())]


def put(session: Session, slice_name: str, doc: int, counts: Counter[str]) -> int:
    """Index a page under its number and return its length in terms. It must not be indexed yet."""
    session.insert(terms, rows(doc, counts), into=slice_name)
    return counts.total()


def drop(session: Session, slice_name: str, doc: int) -> None:
    """Take a page out of the index."""
    session.delete(terms, terms.c.doc == doc, into=slice_name)
