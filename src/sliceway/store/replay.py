"""What the events of pages say: the rows that follow from them, for writing and for verifying alike (BR11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from sliceway.core.analysis import dated, page_terms, phrase_key
from sliceway.core.ledger import Event
from sliceway.core.pages import Author
from sliceway.store import ledger
from sliceway.wire.codec import from_json

WRITTEN = "page.written"
DELETED = "page.deleted"
RESTORED = "page.restored"
UNDONE = "page.undone"
PAGE_KINDS = frozenset({WRITTEN, DELETED, RESTORED, UNDONE})

NOTHING: Mapping[str, Any] = {
    "title": None,
    "content": None,
    "summary": None,
    "tags": "[]",
    "kind": None,
    "after": None,
}
"""The columns of a version that has no text: a deletion, or one that was erased."""
_SIGNED = ("agent", "author", "approver", "event_id")
"""The columns that say who wrote it and under whose yes."""


def text_columns(event: Event) -> Mapping[str, Any]:
    """Return the columns of a page's text as an event gives them."""
    page = (event.payload or {}).get("page")
    if page is None:
        return NOTHING
    return {
        "title": page["title"], "content": page["content"], "summary": page.get("summary"),
        "tags": ledger.json_text(page.get("tags", [])), "kind": page.get("kind"), "after": page.get("after"),
    }  # fmt: skip


def _signed(event: Event) -> dict[str, Any]:
    """Return the columns that say who wrote it and under whose yes."""
    approver = (event.payload or {}).get("approver")
    return {
        "agent": event.author.get("agent"), "author": ledger.json_text(event.author),
        "approver": ledger.json_text(approver) if approver is not None else None, "event_id": event.event_id,
    }  # fmt: skip


def version_row(event: Event) -> dict[str, Any]:
    """Return the row of `page_versions` that an event makes."""
    about = (event.payload or {})["about"]
    return {
        "slice": event.slice, "slug": about["slug"], "version": about["version"], "action": about["action"],
        **text_columns(event), **_signed(event), "at": event.at, "seq": event.seq, "undoes": about.get("undoes"),
    }  # fmt: skip


def page_row(
    event: Event, before: Mapping[str, Any] | None, length: int, version: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return the row of `pages` after an event.

    :param before: the row as it was, None for a page's first event.
    :param length: the page's terms, 0 where the event deletes it.
    :param version: the event's `version_row`, where it is at hand.
    """
    version = version if version is not None else version_row(event)
    who = event.author.get("on_behalf_of")
    row: dict[str, Any] = {
        "slice": event.slice, "slug": version["slug"], "doc": before["doc"] if before is not None else event.seq,
        "version": version["version"], **{name: version[name] for name in _SIGNED},
        "behalf": ledger.json_text([who.get("enterprise") or who["team"], who["user"]]) if who is not None else None,
        "terms": length, "created_at": before["created_at"] if before is not None else event.at,
        "updated_at": event.at, "deleted_at": None,
    }  # fmt: skip
    if "page" in (event.payload or {}):
        return {**row, **{name: version[name] for name in NOTHING}, "title_key": phrase_key(version["title"])}
    kept = (*NOTHING, "title_key")
    return {**row, "deleted_at": event.at, **{name: before[name] if before is not None else "" for name in kept}}


def indexed(event: Event, terms: Mapping[str, int] | None = None) -> Counter[str] | None:
    """Return the terms of the page after an event, None where it is deleted by it.

    :param terms: those of its text, where they are known.
    """
    page = (event.payload or {}).get("page")
    if page is None:
        return None
    if terms is not None:
        return dated(Counter(terms), event.at)
    return page_terms(
        slug=(event.payload or {})["about"]["slug"], title=page["title"], content=page["content"],
        summary=page.get("summary"), tags=tuple(page.get("tags", ())),
        author=from_json(Author, event.author), at=event.at,
    )  # fmt: skip
