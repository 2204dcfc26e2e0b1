"""What a request would change on the pages as they stand: the versions it builds on, and the lines that differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import Connection

from sliceway.core.diffs import line_diff
from sliceway.core.pages import PageDraft
from sliceway.core.proposals import PageDiff, ProposedPage
from sliceway.errors import FieldError, InvalidRequest, NotFound, StaleEvent, VersionConflict
from sliceway.store import pages

Preview = tuple[tuple[ProposedPage, ...], tuple[PageDiff, ...]]


def preview(connection: Connection, slice_name: str, op: str, wanted: Sequence[ProposedPage]) -> Preview:
    """Return the pages as proposed, with the versions they build on and their exact text, and what would change.

    :param wanted: a `base_version` or a draft's `if_version` is what the caller expects, None where nothing is.
    :raises NotFound: there is no such page or version to act on.
    :raises VersionConflict: another version stands than the one expected; carries `current`.
    :raises StaleEvent: the page changed since the event to be undone; carries `current`.
    :raises InvalidRequest: a restore over a live page names no version.
    """
    seen = [_one(connection, slice_name, op, page) for page in wanted]
    return tuple(page for page, _ in seen), tuple(diff for _, diff in seen)


def _one(connection: Connection, slice_name: str, op: str, page: ProposedPage) -> tuple[ProposedPage, PageDiff]:
    row = pages.row_of(connection, slice_name, page.slug)
    live = row if row is not None and row["deleted_at"] is None else None
    base = live["version"] if live is not None else None
    expected = page.base_version
    if expected is None and page.draft is not None and op == "write":
        expected = page.draft.if_version
    if expected is not None and expected != (base or 0):
        raise VersionConflict(
            f"The page '{page.slug}' is at version {base or 0}, not {expected}; read it again.", current=base or 0
        )
    if op != "write" and (row is None or (op == "delete" and live is None)):
        raise NotFound(f"There is no page '{page.slug}' here.")
    if op == "undo" and row is not None and row["event_id"] != page.event:
        raise StaleEvent("The page changed since that event; look at it again.", current=row["event_id"])
    if op == "restore" and row is not None and page.version is None:
        if live is not None:
            raise InvalidRequest(
                errors=[FieldError("version", "missing", "the page is live; say which earlier version to restore")]
            )
        page = replace(page, version=row["version"] - 1)
    after = _after(connection, slice_name, op, page)
    before = live["content"] if live is not None else None
    text = after.content if after is not None else ""
    pinned = replace(page, base_version=base, draft=after)
    return pinned, PageDiff(page.slug, before, line_diff(before or "", text))


def _after(connection: Connection, slice_name: str, op: str, page: ProposedPage) -> PageDraft | None:
    """Return the page as it would read: the very text that a yes is given to (AP21)."""
    made = pages.draft_after(connection, slice_name, op, page if op == "write" else replace(page, draft=None))
    return replace(made, if_version=None) if made is not None else None
