"""Reading pages: one, a list, a history, and the links inside what is read (BR9)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Select, and_, or_, select

from sliceway.core.analysis import phrase_key
from sliceway.core.pages import (
    Action,
    ApprovedBy,
    Author,
    Link,
    Page,
    PageEntry,
    VersionEntry,
    wikilinks,
)
from sliceway.store import ledger
from sliceway.store.filters import Filters, tags_hold
from sliceway.store.session import Session
from sliceway.store.tables import links, page_versions, pages
from sliceway.wire.codec import from_json

Row = Mapping[str, Any]

_ENTRY = (
    pages.c.slice, pages.c.slug, pages.c.title, pages.c.summary, pages.c.tags, pages.c.kind, pages.c.version,
    pages.c.author, pages.c.approver, pages.c.updated_at,
)  # fmt: skip


def author_in(row: Row) -> Author:
    """Return the author that a row keeps."""
    return _author(row["author"])


def approver_in(row: Row) -> ApprovedBy | None:
    """Return under whose yes a row was written, None where nobody had to be asked."""
    return None if row["approver"] is None else _approver(row["approver"])


@lru_cache(maxsize=4096)
def _author(text: str) -> Author:
    return from_json(Author, ledger.json_value(text))


@lru_cache(maxsize=4096)
def _approver(text: str) -> ApprovedBy:
    return from_json(ApprovedBy, ledger.json_value(text))


def tags_in(row: Row) -> tuple[str, ...]:
    """Return the tags that a row keeps."""
    kept = row["tags"]
    return tuple(ledger.json_value(kept)) if kept != "[]" else ()


def _rows(session: Session, statement: Select[Any], *, of: str | Collection[str]) -> list[Row]:
    found = session.execute(statement, of=of).mappings()
    return [{str(name): value for name, value in row.items()} for row in found]


def live_page(session: Session, slice_name: str, slug: str) -> Page | None:
    """Return the live page, without links, None where there is none."""
    found = _rows(
        session,
        select(pages).where(pages.c.slice == slice_name, pages.c.slug == slug, pages.c.deleted_at.is_(None)),
        of=slice_name,
    )
    return _page(found[0], created_at=found[0]["created_at"], updated_at=found[0]["updated_at"]) if found else None


def version_of_page(
    session: Session, slice_name: str, slug: str, *, version: int | None = None, at: str | None = None
) -> Page | None:
    """Return one version of a page, or the one that was current at a moment; None where it has no text then."""
    versions = page_versions.c
    statement = select(page_versions).where(versions.slice == slice_name, versions.slug == slug)
    if version is not None:
        statement = statement.where(versions.version == version)
    if at is not None:
        statement = statement.where(versions.at <= at)
    found = _rows(session, statement.order_by(versions.version.desc()).limit(1), of=slice_name)
    if not found or found[0]["content"] is None:
        return None
    first = select(versions.at).where(versions.slice == slice_name, versions.slug == slug).order_by(versions.version)
    created = session.execute(first.limit(1), of=slice_name).scalar_one()
    return _page(found[0], created_at=created, updated_at=found[0]["at"])


def _page(row: Row, *, created_at: str, updated_at: str) -> Page:
    return Page(
        slice=row["slice"], slug=row["slug"], title=row["title"], content=row["content"], summary=row["summary"],
        tags=tags_in(row), kind=row["kind"], version=row["version"], author=author_in(row),
        approver=approver_in(row), created_at=created_at, updated_at=updated_at, event_id=row["event_id"],
        after=row["after"],
    )  # fmt: skip


def links_from(session: Session, page: Page, readable: Sequence[str]) -> tuple[Link, ...]:
    """Return where a page points, each target once for every readable slice that has a page of that slug."""
    targets = wikilinks(page.content)
    if not targets:
        return ()
    found = session.execute(
        select(pages.c.slug, pages.c.slice, pages.c.title)
        .where(pages.c.slice.in_(readable), pages.c.slug.in_(targets), pages.c.deleted_at.is_(None))
        .order_by(pages.c.slice),
        of=readable,
    ).all()
    ends: list[Link] = []
    for target in targets:
        here = [Link(row.slug, row.slice, row.title) for row in found if row.slug == target]
        ends.extend(here or [Link(target)])
    return tuple(ends)


def links_to(session: Session, slug: str, readable: Sequence[str]) -> tuple[Link, ...]:
    """Return the live readable pages that point at a slug, by slice and slug; from elsewhere there are none (BR9)."""
    found = session.execute(
        select(links.c.slug, links.c.slice, pages.c.title)
        .join(pages, and_(pages.c.slice == links.c.slice, pages.c.slug == links.c.slug))
        .where(links.c.slice.in_(readable), links.c.target == slug)
        .order_by(links.c.slice, links.c.slug),
        of=readable,
    ).all()
    return tuple(Link(row.slug, row.slice, row.title) for row in found)


def entries(
    session: Session,
    readable: Sequence[str],
    *,
    filters: Filters,
    after: Sequence[str] | None,
    limit: int,
) -> list[PageEntry]:
    """Return up to `limit` live pages of the readable slices by slice and slug, those after a place."""
    statement = select(*_ENTRY).where(pages.c.slice.in_(readable), pages.c.deleted_at.is_(None))
    if filters.agent is not None:
        statement = statement.where(pages.c.agent == filters.agent)
    if filters.kind is not None:
        statement = statement.where(pages.c.kind == filters.kind)
    for tag in filters.tags:
        statement = statement.where(tags_hold(tag))
    if after is not None:
        statement = statement.where(
            or_(pages.c.slice > after[0], and_(pages.c.slice == after[0], pages.c.slug > after[1]))
        )
    found = _rows(session, statement.order_by(pages.c.slice, pages.c.slug).limit(limit), of=readable)
    return [
        PageEntry(
            slice=row["slice"], slug=row["slug"], title=row["title"], summary=row["summary"], tags=tags_in(row),
            kind=row["kind"], version=row["version"], author=author_in(row), approver=approver_in(row),
            updated_at=row["updated_at"],
        )
        for row in found
    ]  # fmt: skip


def history(
    session: Session, slice_name: str, slug: str, *, before: int | None, limit: int
) -> list[VersionEntry]:  # fmt: skip
    """Return up to `limit` versions of a page, newest first, those before a version."""
    versions = page_versions.c
    statement = select(page_versions).where(versions.slice == slice_name, versions.slug == slug)
    if before is not None:
        statement = statement.where(versions.version < before)
    return [
        VersionEntry(
            version=row["version"], action=Action(row["action"]), title=row["title"], author=author_in(row),
            approver=approver_in(row), at=row["at"], event_id=row["event_id"],
        )
        for row in _rows(session, statement.order_by(versions.version.desc()).limit(limit), of=slice_name)
    ]  # fmt: skip


def versions_at(session: Session, readable: Sequence[str], moment: str) -> list[Mapping[str, Any]]:
    """Return the versions that were current at a moment in the readable slices, without deletions, by slice and slug.

    Each has the columns of `page_versions` and what `rows_of` names besides.
    """
    if not readable:
        return []
    found = session.execute(
        select(page_versions)
        .where(page_versions.c.slice.in_(readable), page_versions.c.at <= moment)
        .order_by(page_versions.c.slice, page_versions.c.slug, page_versions.c.version),
        of=readable,
    ).mappings()
    first: dict[tuple[str, str], int] = {}
    current: dict[tuple[str, str], Mapping[Any, Any]] = {}
    for row in found:
        key = row["slice"], row["slug"]
        first.setdefault(key, row["seq"])
        current[key] = row
    return [
        {**{str(name): value for name, value in row.items()}, "updated_at": row["at"],
         "title_key": phrase_key(row["title"]), "doc": first[key]}
        for key, row in current.items()
        if row["content"] is not None
    ]  # fmt: skip
