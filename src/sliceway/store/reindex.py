"""Taking every live page into the index again, where a step of the schema asks for it: once, after the last step.

It goes past sessions, as the steps do. A step never does it itself: the code here moves on, and makes the index as this
program reads it, in tables as this program has them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, bindparam, column, delete, insert, select, table, update

from sliceway.core.analysis import page_terms, phrase_key
from sliceway.core.neighbours import Standing, befores, folder_of
from sliceway.core.pages import Author
from sliceway.store.ledger import json_value
from sliceway.wire.codec import from_json

_PAGE = ("slice", "slug", "doc", "title", "content", "summary", "tags", "after", "author", "updated_at", "deleted_at")
_PAGES = table("pages", *map(column, (*_PAGE, "terms", "title_key")))
_TERMS = table("terms", *map(column, ("slice", "term", "doc", "tf", "length")))
_NEIGHBOURS = table("neighbours", *map(column, ("slice", "doc", "folder", "after", "before")))
_SLICES = table("slices", *map(column, ("slice", "length")))
_AT_ONCE = 200


def reindex(connection: Connection) -> None:
    """Make the postings, lengths, folded titles and neighbours of every slice again, from its pages."""
    live = _PAGES.c.deleted_at.is_(None)
    for name in connection.execute(select(_PAGES.c.slice).distinct().order_by(_PAGES.c.slice)).scalars().all():
        for index in (_TERMS, _NEIGHBOURS):
            connection.execute(delete(index).where(index.c.slice == name))
        mine = select(*(_PAGES.c[each] for each in _PAGE)).where(_PAGES.c.slice == name, live)
        standing: list[Standing] = []
        length, last = 0, 0
        while True:
            some = connection.execute(mine.where(_PAGES.c.doc > last).order_by(_PAGES.c.doc).limit(_AT_ONCE))
            rows = [dict(row) for row in some.mappings()]
            if not rows:
                break
            length += sum(_index(connection, row) for row in rows)
            standing += [Standing(row["doc"], row["slug"], row["after"]) for row in rows]
            last = rows[-1]["doc"]
        connection.execute(update(_SLICES).where(_SLICES.c.slice == name).values(length=length))
        before = befores(standing)
        near = [
            {"slice": name, "doc": page.doc, "folder": folder_of(page.slug), "after": page.after,
             "before": before[page.doc]}
            for page in standing
        ]  # fmt: skip
        if near:
            connection.execute(insert(_NEIGHBOURS), near)


def _index(connection: Connection, row: Mapping[str, Any]) -> int:
    """Index one page, and return its length."""
    counts = page_terms(
        slug=row["slug"], title=row["title"], content=row["content"], summary=row["summary"],
        tags=tuple(json_value(row["tags"])), author=from_json(Author, json_value(row["author"])), at=row["updated_at"],
    )  # fmt: skip
    length = counts.total()
    connection.execute(
        insert(_TERMS),
        [
            {"slice": row["slice"], "term": term, "doc": row["doc"], "tf": tf, "length": length}
            for term, tf in sorted(counts.items())
        ],
    )
    changed = update(_PAGES).where(_PAGES.c.slice == bindparam("in_slice"), _PAGES.c.doc == bindparam("at_doc"))
    connection.execute(
        changed.values(terms=length, title_key=phrase_key(row["title"])),
        {"in_slice": row["slice"], "at_doc": row["doc"]},
    )
    return length
