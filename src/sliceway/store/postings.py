"""The keyword index: rows of terms kept in step with the pages they come from."""

from __future__ import annotations

from collections import Counter

from sqlalchemy import Connection, delete, insert

from sliceway.store.tables import terms


def put(connection: Connection, slice_name: str, doc: int, counts: Counter[str]) -> int:
    """Index a page under its number and return its length in terms. It must not be indexed yet."""
    length = counts.total()
    connection.execute(
        insert(terms),
        [
            {"slice": slice_name, "term": term, "doc": doc, "tf": tf, "length": length}
            for term, tf in sorted(counts.items())
        ],
    )
    return length


def drop(connection: Connection, slice_name: str, doc: int) -> None:
    """Take a page out of the index."""
    connection.execute(delete(terms).where(terms.c.slice == slice_name, terms.c.doc == doc))
