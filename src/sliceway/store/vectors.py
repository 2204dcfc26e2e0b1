"""Vectors of pages: the queue of what is to embed, and rows kept in step with the pages they come from.

A vector is of one version of one page. Whatever changes the page takes its vectors in the same transaction, so that
none of an older version ever answers; what is missing is in the queue.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, func, or_, select

from sliceway.core.access import EVERY
from sliceway.ports.embedder import Vector
from sliceway.store.session import Session
from sliceway.store.tables import neighbours, pages, slices, vectors

_WAITS = (pages.c.embedded.is_(None), pages.c.deleted_at.is_(None))
"""What the index `pages_to_embed` holds."""
_AT_ONCE = 200
"""Pages that are put back in the queue in one transaction: others write in between."""

Place = tuple[str, int]
"""A page by slice and number: where one stands in the queue."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A version of a page that has no vectors yet. `before` is the number of the page that it followed."""

    slice: str
    doc: int
    slug: str
    title: str
    content: str
    author: str
    event_id: str
    before: int | None

    @property
    def place(self) -> Place:
        """Where it stands in the queue."""
        return self.slice, self.doc


@dataclass(frozen=True, slots=True)
class Standing:
    """How a slice's vectors stand: of which model they are, a word that changes whenever they do, its live pages,
    and whether one of them is in the queue."""

    embedder: str | None
    state: str | None
    docs: int
    waits: bool


def waiting(session: Session, *, after: Place | None, limit: int) -> list[Waiting]:
    """Return the next pages of the queue, in order of slice and number, from the index of just those."""
    columns = (pages.c.slice, pages.c.doc, pages.c.slug, pages.c.title, pages.c.content, pages.c.author)
    stands = (neighbours.c.slice == pages.c.slice, neighbours.c.doc == pages.c.doc)
    before = select(neighbours.c.before).where(*stands).scalar_subquery()
    statement = (
        select(*columns, pages.c.event_id, before).where(*_WAITS).order_by(pages.c.slice, pages.c.doc).limit(limit)
    )
    if after is not None:
        name, doc = after
        statement = statement.where(or_(pages.c.slice > name, (pages.c.slice == name) & (pages.c.doc > doc)))
        statement = statement.where(pages.c.slice >= name)
    return [Waiting(*row) for row in session.execute(statement, of=EVERY)]


def count_waiting(session: Session, model: str) -> int:
    """Return how many pages of the whole store have no vectors of this model."""
    other = (slices.c.embedder.is_not(None), slices.c.embedder != model)
    named = select(slices.c.slice).where(*other)
    counted = select(func.count(pages.c.doc)).where(*_WAITS, pages.c.slice.not_in(named))
    whole = select(func.coalesce(func.sum(slices.c.docs), 0)).where(*other)
    return int(session.execute(counted, of=EVERY).scalar_one()) + int(session.execute(whole, of=EVERY).scalar_one())


_STANDING = select(
    slices.c.slice, slices.c.embedder, slices.c.vectors, slices.c.docs,
    select(pages.c.doc).where(pages.c.slice == slices.c.slice, *_WAITS).exists(),
).where(slices.c.slice.in_(bindparam("slices", expanding=True)))  # fmt: skip


def standing(session: Session, names: Sequence[str]) -> dict[str, Standing]:
    """Return how the vectors of these slices stand, of those that exist; others are not looked at."""
    if not names:
        return {}
    return {row[0]: Standing(*row[1:]) for row in session.execute(_STANDING, {"slices": list(names)}, of=names)}


def of_other_models(session: Session, model: str) -> list[str]:
    """Return the slices whose vectors are of another model."""
    other = (slices.c.embedder.is_not(None), slices.c.embedder != model)
    return list(session.execute(select(slices.c.slice).where(*other).order_by(slices.c.slice), of=EVERY).scalars())


def put(
    session: Session, slice_name: str, model: str, found: Sequence[tuple[Waiting, Sequence[Vector]]], state: str
) -> int:
    """Keep the vectors of some pages of one slice, and return of how many: of those that are still at the version that
    was embedded, and still in the queue; of none where the slice has vectors of another model.

    The session lands on the slice. :param state: a word never used before.
    """
    session.land(slice_name)
    other = (slices.c.embedder.is_not(None), slices.c.embedder != model)
    if session.execute(select(slices.c.slice).where(slices.c.slice == slice_name, *other), of=slice_name).first():
        return 0
    docs = [page.doc for page, _ in found]
    still = select(pages.c.doc, pages.c.event_id).where(pages.c.slice == slice_name, pages.c.doc.in_(docs), *_WAITS)
    stands = {(row.doc, row.event_id) for row in session.execute(still, of=slice_name)}
    kept = [(page, made) for page, made in found if (page.doc, page.event_id) in stands]
    if not kept:
        return 0
    rows = [
        {
            "doc": page.doc,
            "event_id": page.event_id,
            "passage": at,
            "model": model,
            "before": page.before,
            "vector": vector,
        }
        for page, made in kept
        for at, vector in enumerate(made)
    ]
    session.insert(vectors, rows, into=slice_name)
    for count in {len(made) for _, made in kept}:
        these = [page.doc for page, made in kept if len(made) == count]
        session.update(pages, pages.c.doc.in_(these), into=slice_name, values={"embedded": count})
    session.update(slices, into=slice_name, values={"embedder": model, "vectors": state})
    return len(kept)


def drop(session: Session, slice_name: str, rows: Collection[Mapping[Any, Any]], state: str) -> None:
    """Take the vectors of pages that change or leave; nothing is done where none of them has any.

    :param rows: the pages as they were. :param state: a word never used before, such as the id of the event.
    """
    docs = [row["doc"] for row in rows if row["embedded"] is not None]
    if not docs:
        return
    session.delete(vectors, vectors.c.doc.in_(docs), into=slice_name)
    session.update(slices, into=slice_name, values={"vectors": state})


def drop_all(session: Session, slice_name: str) -> None:
    """Take all vectors of a slice whose pages are made anew."""
    session.delete(vectors, into=slice_name)
    session.update(slices, into=slice_name, values={"embedder": None, "vectors": None})


def requeue(session: Session, slice_name: str, model: str, state: str) -> bool:
    """Take some of a slice's vectors of other models and put their pages in the queue again; return whether there is
    more to do. The session lands on the slice.

    :param state: a word never used before.
    """
    session.land(slice_name)
    column = vectors.c
    old = select(column.doc).where(column.slice == slice_name, column.model != model).distinct().limit(_AT_ONCE)
    docs = list(session.execute(old, of=slice_name).scalars())
    if docs:
        session.delete(vectors, vectors.c.doc.in_(docs), into=slice_name)
        session.update(pages, pages.c.doc.in_(docs), into=slice_name, values={"embedded": None})
    more = len(docs) == _AT_ONCE
    values = {"vectors": state} | ({} if more else {"embedder": None})
    session.update(slices, into=slice_name, values=values)
    return more


def faults(session: Session, slice_name: str) -> Iterator[tuple[str | None, str]]:
    """Say which page's vectors are not those of the page as it stands: the event and what is wrong. That some are
    missing is no fault while their page is in the queue."""
    column = vectors.c
    found: dict[int, list[tuple[str, int, str, int]]] = {}
    listed = select(column.doc, column.event_id, column.passage, column.model, func.length(column.vector))
    for row in session.execute(listed.where(column.slice == slice_name), of=slice_name):
        found.setdefault(row[0], []).append((row[1], row[2], row[3], row[4]))
    own = select(slices.c.embedder, slices.c.vectors).where(slices.c.slice == slice_name)
    head = session.execute(own, of=slice_name).one_or_none()
    embedder, state = head if head is not None else (None, None)
    if found and (state is None or {one[2] for rows in found.values() for one in rows} != {embedder}):
        yield None, "its vectors are not of the model that it names"
    known = select(pages.c.doc, pages.c.event_id, pages.c.embedded, pages.c.deleted_at).where(
        pages.c.slice == slice_name, pages.c.embedded.is_not(None)
    )
    told = {row.doc: row for row in session.execute(known, of=slice_name)}
    for doc in sorted({*found, *told}):
        page, rows = told.get(doc), sorted(found.get(doc, []))
        if page is None:
            yield rows[0][0], "the vectors of a page that has none, or is no more"
            return
        whole = [(page.event_id, at) for at in range(page.embedded)]
        sizes = {one[3] for one in rows}
        if page.deleted_at is not None or [one[:2] for one in rows] != whole or len(sizes) > 1 or 0 in sizes:
            yield page.event_id, "the vectors of a page are not those of its version"
            return
