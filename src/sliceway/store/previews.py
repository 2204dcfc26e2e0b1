"""What a request would change on the pages as they stand: the versions it builds on, and the lines that differ."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, RowMapping, select

from sliceway.core.asking import Wanted
from sliceway.core.diffs import line_diff
from sliceway.core.pages import PageDraft
from sliceway.core.proposals import PageDiff, ProposedPage
from sliceway.errors import FieldError, InvalidRequest, NotFound, StaleEvent, VersionConflict
from sliceway.store.ledger import from_json
from sliceway.store.tables import page_versions, pages


def preview(
    connection: Connection, slice_name: str, op: str, wanted: Sequence[Wanted]
) -> tuple[tuple[ProposedPage, ...], tuple[PageDiff, ...]]:
    """Return the pages as proposed, with the versions they build on, and what would change (AP4, AP24).

    :raises NotFound: there is no such page, version or event to act on.
    :raises VersionConflict: an `if_version` is not the current one.
    :raises StaleEvent: the page changed since the event to be undone.
    :raises InvalidRequest: a restore over a live page names no version.
    """
    proposed, diffs = [], []
    for page in wanted:
        row = _page(connection, slice_name, page.slug)
        live = row if row is not None and row["deleted_at"] is None else None
        base = live["version"] if live is not None else None
        if page.if_version is not None and page.if_version != (base or 0):
            raise VersionConflict(
                f"The page {page.slug} is at version {base or 0}, not {page.if_version}; read it and try again.",
                slug=page.slug, version=base or 0,
            )  # fmt: skip
        made = _becomes(connection, slice_name, op, page, row)
        before = live["content"] if live is not None else None
        proposed.append(ProposedPage(page.slug, base, made, page.version or _restored(op, made), page.event))
        diffs.append(PageDiff(page.slug, before, line_diff(before or "", made.content if made is not None else "")))
    return tuple(proposed), tuple(diffs)


def bases(connection: Connection, slice_name: str, slugs: Sequence[str]) -> dict[str, int | None]:
    """Return the live version of each page, None where there is no page."""
    found = {slug: _page(connection, slice_name, slug) for slug in slugs}
    return {
        slug: row["version"] if row is not None and row["deleted_at"] is None else None for slug, row in found.items()
    }


def _page(connection: Connection, slice_name: str, slug: str) -> RowMapping | None:
    where = (pages.c.slice == slice_name, pages.c.slug == slug)
    return connection.execute(select(pages).where(*where)).mappings().one_or_none()


def _restored(op: str, made: PageDraft | None) -> int | None:
    """Return the version that a restore without one brings back, so that the bytes approved are the bytes written."""
    return made.if_version if op == "restore" and made is not None else None


def _becomes(
    connection: Connection, slice_name: str, op: str, page: Wanted, row: RowMapping | None
) -> PageDraft | None:
    """Return what the page would be, None where it would be gone."""
    if op == "write":
        return page.draft
    if row is None:
        raise NotFound()
    if op == "delete":
        if row["deleted_at"] is not None:
            raise NotFound()
        return None
    if op == "restore":
        return _restorable(connection, slice_name, page, row)
    if row["event_id"] != page.event:
        raise StaleEvent(f"The page {page.slug} changed since that event; there is nothing to take back that way.")
    return _before(connection, slice_name, page.slug, row["version"])


def _restorable(connection: Connection, slice_name: str, page: Wanted, row: RowMapping) -> PageDraft:
    """Return the text of the version to bring back."""
    if page.version is None and row["deleted_at"] is None:
        raise InvalidRequest(
            errors=[FieldError("version", "invalid_request", f"{page.slug} is there; say which version to restore")]
        )
    version = page.version if page.version is not None else row["version"] - 1
    text = _version(connection, slice_name, page.slug, version)
    if text is None:
        raise NotFound()
    return text


def _before(connection: Connection, slice_name: str, slug: str, version: int) -> PageDraft | None:
    return _version(connection, slice_name, slug, version - 1)


def _version(connection: Connection, slice_name: str, slug: str, version: int) -> PageDraft | None:
    """Return the text of a version; None where it has none: never written, a deletion, or erased."""
    where = (
        page_versions.c.slice == slice_name,
        page_versions.c.slug == slug,
        page_versions.c.version == version,
    )
    row = connection.execute(select(page_versions).where(*where)).mappings().one_or_none()
    if row is None or row["content"] is None:
        return None
    return PageDraft(
        slug=slug, content=row["content"], title=row["title"], summary=row["summary"],
        tags=tuple(from_json(row["tags"])), kind=row["kind"], after=row["after"], if_version=version,
    )  # fmt: skip
