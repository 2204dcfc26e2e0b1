"""Which page stands before which: kept in step with the live pages of a slice, and read for those that may answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Select,
    Text,
    TextualSelect,
    bindparam,
    case,
    cast,
    column,
    func,
    or_,
    select,
    text,
)

from sliceway.core.access import OutsideAccess
from sliceway.core.neighbours import Order, folder_of, order
from sliceway.store.lists import filled, numbers, size_of
from sliceway.store.orders import Head
from sliceway.store.session import Session
from sliceway.store.tables import neighbours, pages


@lru_cache(maxsize=2)
def _orders_statement(dialect: str) -> Select[Any]:
    """Return the statement that tells what stands before which page of each slice, as two lists of numbers in one
    order: a row for each would cost several times as much to hand over."""
    here = neighbours.c

    def listed(column: ColumnElement[int]) -> ColumnElement[str]:
        return func.group_concat(column) if dialect == "sqlite" else func.string_agg(cast(column, Text), ",")

    return (
        select(here.slice, listed(here.doc), listed(here.before))
        .where(here.slice.in_(bindparam("slices", expanding=True)), here.before.is_not(None))
        .group_by(here.slice)
    )


def orders(session: Session, heads: Mapping[str, Head]) -> dict[str, Order]:
    """Return what follows what in slices: as it was kept, or read anew where the slice's chain has grown since.

    :param heads: how the chains of the slices stand, as this very session read it.
    :raises OutsideAccess: one of them may not be read by the session.
    """
    if not session.access.covers(heads):
        raise OutsideAccess("What follows what in a slice outside the access of the session.")
    found = session.orders.known(heads)
    missing = {name: head for name, head in heads.items() if name not in found}
    if missing:
        rows = session.execute(_orders_statement(session.dialect), {"slices": list(missing)}, of=missing)
        read = {name: (numbers(docs), numbers(befores)) for name, docs, befores in rows}
        made = {}
        for name, head in missing.items():
            docs, befores = read.get(name, ([], []))
            made[name] = order(docs, befores, head.seq)
        if session.keeps(neighbours):
            session.orders.keep(missing, made)
        found |= made
    return found


_PLACE = text("""
SELECT CASE WHEN CAST(:after AS TEXT) IS NOT NULL THEN (
    SELECT doc FROM pages WHERE slice = :slice AND slug = :after AND deleted_at IS NULL AND doc <> :doc
) ELSE (
    SELECT MAX(doc) FROM neighbours WHERE slice = :slice AND folder = :folder AND doc < :doc
) END, CASE WHEN EXISTS (SELECT 1 FROM neighbours WHERE slice = :slice AND after = :slug)
    OR EXISTS (SELECT 1 FROM neighbours WHERE slice = :slice AND folder = :folder AND doc > :doc) THEN 1 ELSE 0 END
""").columns(column("before"), column("followed"))


def _one_came(session: Session, slice_name: str, page: Mapping[str, Any]) -> bool:
    """Add the row of one page that came, and say whether it may stand before another now."""
    made = row(page)
    values = {"slice": slice_name, "slug": page["slug"], **{name: made[name] for name in ("doc", "folder", "after")}}
    before, followed = session.execute(_PLACE, values, of=slice_name).one()
    session.insert(neighbours, {**made, "before": before}, into=slice_name)
    return bool(followed)


_LAST = """
SELECT said.column1, (SELECT MAX(doc) FROM neighbours WHERE slice = :slice AND folder = said.column1)
FROM (VALUES {folders}) AS said"""


@lru_cache(maxsize=64)
def _last_statement(count: int) -> TextualSelect:
    """Return the statement that finds the page that was written last in each of so many folders: an index look-up
    each."""
    said = ", ".join(f"(CAST(:folder_{at} AS TEXT))" for at in range(count))
    return text(_LAST.format(folders=said)).columns(column("folder"), column("doc"))


def _came_last(session: Session, slice_name: str, came: Sequence[Mapping[str, Any]]) -> bool:
    """Add the rows of pages that came, where each is the last in its folder and no other said that it follows one of
    them; say whether that was so. Then no row but their own changes."""
    here = neighbours.c
    slugs = [page["slug"] for page in came]
    awaited = select(here.doc).where(here.slice == slice_name, here.after.in_(slugs)).limit(1)
    if session.execute(awaited, of=slice_name).first() is not None:
        return False
    made = sorted((row(page) for page in came), key=lambda one: one["doc"])
    last: dict[str, int] = {}
    if folders := sorted({one["folder"] for one in made if one["folder"] is not None}):
        values = {"slice": slice_name, **filled(folders, "folder")}
        found = session.execute(_last_statement(size_of(len(folders))), values, of=slice_name)
        last = {one.folder: one.doc for one in found if one.doc is not None}
    named: dict[str, int] = {}
    if afters := sorted({one["after"] for one in made if one["after"] is not None}):
        live = (pages.c.slice == slice_name, pages.c.slug.in_(afters), pages.c.deleted_at.is_(None))
        named = {
            one.slug: one.doc for one in session.execute(select(pages.c.slug, pages.c.doc).where(*live), of=slice_name)
        }
    for one in made:
        doc, folder, after = one["doc"], one["folder"], one["after"]
        if last.get(folder, 0) > doc:
            return False
        said = named.get(after) if after is not None else last.get(folder)
        one["before"] = said if said != doc else None
        if folder is not None:
            last[folder] = doc
    session.insert(neighbours, made, into=slice_name)
    return True


def row(page: Mapping[str, Any]) -> dict[str, Any]:
    """Return the row of a live page, before it is known what stands before it."""
    return {"doc": page["doc"], "folder": folder_of(page["slug"]), "after": page["after"], "before": None}


def move(
    session: Session, slice_name: str, left: Sequence[Mapping[str, Any]], came: Sequence[Mapping[str, Any]]
) -> None:
    """Bring the neighbours in step with pages that left the slice or came to it; the rows of `pages` stand already.

    A page that stays and says the same of what it follows neither leaves nor comes. What it costs grows with the pages
    that change place, not with the slice.

    :param left: rows of `pages` as they were, live. :param came: rows as they are, live.
    """
    stays = {(page["doc"], page["after"]) for page in left} & {(page["doc"], page["after"]) for page in came}
    left = [page for page in left if (page["doc"], page["after"]) not in stays]
    came = [page for page in came if (page["doc"], page["after"]) not in stays]
    if len(came) == 1 and not left and not _one_came(session, slice_name, came[0]):
        return
    if len(came) > 1 and not left and _came_last(session, slice_name, came):
        return
    here = neighbours.c
    changed = [here.before.in_([page["doc"] for page in left])] if left else []
    if left:
        session.delete(neighbours, here.doc.in_([page["doc"] for page in left]), into=slice_name)
    if came:
        if len(came) > 1 or left:
            session.insert(neighbours, [row(page) for page in came], into=slice_name)
        docs = [page["doc"] for page in came]
        changed += [here.doc.in_(docs), here.after.in_([page["slug"] for page in came])]
        changed.append(here.doc.in_(_next_in_folder(slice_name, docs)))
    if changed:
        session.update(neighbours, or_(*changed), into=slice_name, values={"before": _before(slice_name)})


def misplaced(session: Session, slice_name: str) -> int | None:
    """Return a page before which another stands than it should, None where all are right.

    What each says of its folder and of what it follows is taken as it is.
    """
    here = neighbours.c
    wrong = select(here.doc).where(here.slice == slice_name, here.before.is_distinct_from(_before(slice_name)))
    found: int | None = session.execute(wrong.order_by(here.doc).limit(1), of=slice_name).scalar_one_or_none()
    return found


def _next_in_folder(slice_name: str, docs: Sequence[int]) -> Any:
    """Return the pages that were written next in the folders of these."""
    one, other = neighbours.alias("one"), neighbours.alias("other")
    following = (
        select(func.min(other.c.doc))
        .where(other.c.slice == slice_name, other.c.folder == one.c.folder, other.c.doc > one.c.doc)
        .correlate(one)
        .scalar_subquery()
    )
    return select(following).where(one.c.slice == slice_name, one.c.doc.in_(docs), one.c.folder.is_not(None))


def _before(slice_name: str) -> Any:
    """Return what stands before a page, as `befores` tells it."""
    here, other = neighbours.c, neighbours.alias("other")
    said = (
        select(pages.c.doc)
        .where(
            pages.c.slice == slice_name, pages.c.slug == here.after, pages.c.deleted_at.is_(None),
            pages.c.doc != here.doc,
        )
        .scalar_subquery()
    )  # fmt: skip
    written = (
        select(func.max(other.c.doc))
        .where(other.c.slice == slice_name, other.c.folder == here.folder, other.c.doc < here.doc)
        .scalar_subquery()
    )
    return case((here.after.is_not(None), said), else_=written)
