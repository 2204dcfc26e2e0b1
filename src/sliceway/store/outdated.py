"""What was kept for its time: deleted pages, texts of what came to nothing, and a leaver's corners (BR10, OO8)."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, or_, select, text

from sliceway.core.access import EVERY
from sliceway.core.proposals import State
from sliceway.core.sight import CORNERS
from sliceway.core.slices import user_slice
from sliceway.store.erasing import Chosen
from sliceway.store.ledger import json_text, json_value
from sliceway.store.session import Session
from sliceway.store.tables import events, pages, proposals

_MOST = 1000
"""Pages, and proposals, of one round."""
_ENDED = tuple(state.value for state in (State.DENIED, State.EXPIRED, State.WITHDRAWN, State.SUPERSEDED))
_DELETED = text("pages.deleted_at IS NOT NULL")
_HAS_TEXT = text("proposals.pages <> '[]'")


def outdated(session: Session, before: str, *, only: str | None = None) -> dict[str, Chosen]:
    """Return what is to be erased in each slice: pages that were deleted by then, proposals and drafts that had come to
    nothing, and drafts whose sent twin stands for them.

    What was approved keeps its text as long as the page stands that came of it.
    """
    of = only if only is not None else EVERY
    gone: list[ColumnElement[bool]] = [pages.c.slice == only] if only is not None else []
    ended: list[ColumnElement[bool]] = [proposals.c.slice == only] if only is not None else []
    deleted = select(pages.c.slice, pages.c.slug).where(_DELETED, pages.c.deleted_at <= before, *gone)
    twin = proposals.alias("twin")
    there = select(twin.c.id).where(twin.c.slice == proposals.c.destination, twin.c.id == proposals.c.id).exists()
    sent = and_(proposals.c.slice != proposals.c.destination, proposals.c.state == State.PENDING.value, there)
    over = or_(proposals.c.state.in_(_ENDED), sent)
    asked = select(proposals.c.slice, proposals.c.id).where(_HAS_TEXT, over, proposals.c.changed_at <= before, *ended)
    slugs: dict[str, set[str]] = {}
    ids: dict[str, set[str]] = {}
    for row in session.execute(deleted.limit(_MOST), of=of):
        slugs.setdefault(row.slice, set()).add(row.slug)
    for row in session.execute(asked.limit(_MOST), of=EVERY):
        ids.setdefault(row.slice, set()).add(row.id)
    return {
        name: Chosen(frozenset(slugs.get(name, ())), frozenset(ids.get(name, set()) | _about(session, name, slugs)))
        for name in sorted({*slugs, *ids})
    }


def _about(session: Session, name: str, slugs: dict[str, set[str]]) -> set[str]:
    """Return the proposals of a slice that are about one of its deleted pages."""
    if name not in slugs:
        return set()
    asked = select(proposals.c.id, proposals.c.pages).where(proposals.c.slice == name, _HAS_TEXT)
    rows = session.execute(asked, of=name)
    return {row.id for row in rows if any(page["slug"] in slugs[name] for page in json_value(row.pages))}


def corners_of(session: Session, team: str, user: str) -> tuple[tuple[str, str], ...]:
    """Return whom the corners of a person are kept for, as (enterprise or team, user), that of the team last: that they
    belong to an enterprise is seen from what was written there (ID11)."""
    found: set[tuple[str, str]] = set()
    said = and_(
        events.c.author.contains(f'"team":{json_text(team)}', autoescape=True),
        events.c.author.contains(f'"user":{json_text(user)}', autoescape=True),
    )
    where = (events.c.slice.startswith(CORNERS, autoescape=True), events.c.slice != user_slice(team, user), said)
    for author in session.execute(select(events.c.author).where(*where).distinct(), of=EVERY).scalars():
        who = json_value(author).get("on_behalf_of") or {}
        if (who.get("team"), who.get("user")) == (team, user) and who.get("enterprise") is not None:
            found.add((who["enterprise"], user))
    return (*sorted(found - {(team, user)}), (team, user))
