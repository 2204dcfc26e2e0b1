"""What a request would change on the pages as they stand: the versions it builds on, and the lines that differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sliceway.core.diffs import line_diff
from sliceway.core.pages import Action, PageDraft
from sliceway.core.proposals import PageDiff, ProposedPage
from sliceway.errors import InvalidRequest, NotFound, StaleEvent
from sliceway.store import pages
from sliceway.store.ledger import json_value
from sliceway.store.session import Session

Preview = tuple[tuple[ProposedPage, ...], tuple[PageDiff, ...]]


def preview(session: Session, slice_name: str, op: str, wanted: Sequence[ProposedPage]) -> Preview:
    """Return the pages as proposed, with the versions they build on and their exact text, and what would change.

    A restore is pinned to the version it would bring back now, so that the text on the card is the text written
    (AP21).

    :param wanted: a `base_version` or a draft's `if_version` is what the caller expects, None where nothing is.
    :raises NotFound: as `store.pages.plan`, like everything else that it raises.
    """
    seen = [_one(session, slice_name, op, page) for page in wanted]
    return tuple(page for page, _ in seen), tuple(diff for _, diff in seen)


def preview_or_none(session: Session, slice_name: str, op: str, wanted: Sequence[ProposedPage]) -> Preview | None:
    """Return what a request would change now, None where nothing is left to ask: what it is about is gone, or it
    would change nothing."""
    try:
        planned = [pages.plan(session, slice_name, op, page) for page in wanted]
        seen = preview(session, slice_name, op, wanted)
    except (NotFound, StaleEvent, InvalidRequest):
        return None
    return None if all(one.action is Action.NOCHANGE for one in planned) else seen


def _one(session: Session, slice_name: str, op: str, page: ProposedPage) -> tuple[ProposedPage, PageDiff]:
    planned = pages.plan(session, slice_name, op, page, if_version=page.base_version)
    row = planned.row
    live = row if row is not None and row["deleted_at"] is None else None
    after = _text_after(page, planned)
    version = planned.text["version"] if op == "restore" and planned.text is not None else page.version
    base = live["version"] if live is not None else None
    before = live["content"] if live is not None else None
    lines = line_diff(before or "", after.content if after is not None else "")
    return replace(page, base_version=base, draft=after, version=version), PageDiff(page.slug, before, lines)


def _text_after(page: ProposedPage, planned: pages.Plan) -> PageDraft | None:
    """Return the page as it would read, None where it would be gone."""
    if page.event is None and page.version is None and page.draft is not None:
        return replace(page.draft, if_version=None)
    text = planned.row if planned.action is Action.NOCHANGE else planned.text
    if text is None:
        return None
    return PageDraft(
        slug=page.slug, content=text["content"], title=text["title"], summary=text["summary"],
        tags=tuple(json_value(text["tags"])), kind=text["kind"], after=text["after"],
    )  # fmt: skip
