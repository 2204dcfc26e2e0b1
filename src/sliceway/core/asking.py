"""What is asked for, before the store makes a proposal of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sliceway.core.ledger import keyed_digest
from sliceway.core.pages import Author
from sliceway.core.principals import Origin
from sliceway.core.proposals import ProposedPage
from sliceway.core.turns import Person


@dataclass(frozen=True, slots=True)
class Asking:
    """A write that somebody must say yes to.

    `requester` is whom the limits count for. `author` signs the pages if they are written. `raised`: the rules alone
    did not ask, somebody stricter did, so no grant comes of it (AP16). A page's `base_version` is what the caller
    expects, None where they expect nothing.
    """

    op: str
    slice: str
    pages: tuple[ProposedPage, ...]
    agent: str
    author: Author
    origin: Origin
    requested_by: Person | None = None
    requester: str | None = None
    raised: bool = False
    reason: str | None = None


def content_digest(key: bytes, op: str, slice_name: str, pages: Sequence[ProposedPage]) -> str:
    """Return what a proposal's content is recognised by, and what an approval is of (AP2, AP18, AP21).

    :param key: the key of the slice whose row the proposal is.
    """
    return keyed_digest(key, {"op": op, "slice": slice_name, "pages": [_content(page) for page in pages]})


def _content(page: ProposedPage) -> dict[str, Any]:
    """Return what is asked of one page; the versions it builds on are not part of it."""
    said: dict[str, Any] = {"slug": page.slug, "version": page.version, "event": page.event}
    if (draft := page.draft) is not None:
        said["draft"] = {
            "content": draft.content, "title": draft.title, "summary": draft.summary, "tags": list(draft.tags),
            "kind": draft.kind, "after": draft.after,
        }  # fmt: skip
    return said
