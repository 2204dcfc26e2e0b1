"""One mind taken into another, event by event, and back out of it (ID12, BR3)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select

from sliceway.core.ledger import Event, keyed_digest
from sliceway.core.pages import MAX_SLUG, Action, ApprovedBy, Author, Imported, PageDraft
from sliceway.core.proposals import ProposedPage
from sliceway.core.sight import MINDS
from sliceway.store.batch import PageBatch
from sliceway.store.ledger import SliceTransaction, event_of, event_row, event_rows, json_value
from sliceway.store.pages import KINDS, Signature, apply, payload_of, text_of
from sliceway.store.replay import PAGE_KINDS
from sliceway.store.session import Session
from sliceway.store.tables import events, pages
from sliceway.wire.codec import from_json

IN_ONE = 200
"""Events in one transaction, at most."""
SURFACE = "merge"
"""What the author of a merged version says of where it came by."""
_TRIES = 1000
Row = Mapping[str, Any]
Sign = Callable[[Imported | None], Mapping[str, Any]]
"""Signs an event as whoever merges, with what it was before."""


def places(session: Session, source: str, into: str, slugs: Iterable[str]) -> dict[str, str]:
    """Return under which slug each page of a mind stands, or would stand, in another.

    A slug that is free there, or whose page came from this very mind, stays; a page of the other's own keeps its slug,
    and the one that comes is put under the name of the mind it comes from, `<mind>/<slug>`.
    """
    stem = source.removeprefix(MINDS)
    found: dict[str, str] = {}
    left = list(dict.fromkeys(slugs))
    for attempt in range(_TRIES):
        if not left:
            return found
        wanted = {slug: _named(stem, slug, attempt) for slug in left}
        taken = _taken(session, source, into, wanted.values())
        found |= {slug: name for slug, name in wanted.items() if name not in taken}
        left = [slug for slug in left if slug not in found]
    raise AssertionError("a mind has that many pages of one name")


def _named(stem: str, slug: str, attempt: int) -> str:
    if attempt == 0:
        return slug
    name = f"{stem}/{slug}" if attempt == 1 else f"{stem}-{attempt}/{slug}"
    if len(name) <= MAX_SLUG:
        return name
    mark = hashlib.sha256(slug.encode()).hexdigest()[:12]  # of a slug, which is no content
    return f"{name[: MAX_SLUG - 13].rstrip('./')}-{mark}"


def _taken(session: Session, source: str, into: str, names: Iterable[str]) -> set[str]:
    """Return those of the slugs that are pages of the other mind's own: whose first event did not come from here."""
    here = select(pages.c.slug, events.c.payload).where(
        pages.c.slice == into, pages.c.slug.in_(sorted(set(names))), events.c.slice == into, events.c.seq == pages.c.doc
    )  # fmt: skip
    return {row.slug for row in session.execute(here, of=into) if _came_from(row.payload) != source}


def _came_from(payload: str | None) -> str | None:
    about = json_value(payload).get("about", {}) if payload is not None else {}
    origin: str | None = about.get("merged_from")
    return origin


def moved_slugs(session: Session, source: str, into: str) -> dict[str, str]:
    """Return the live pages of a mind that would get another slug, and which."""
    live = select(pages.c.slug).where(pages.c.slice == source, pages.c.deleted_at.is_(None)).order_by(pages.c.slug)
    slugs = list(session.execute(live, of=source).scalars())
    found: dict[str, str] = {}
    for at in range(0, len(slugs), IN_ONE):
        placed = places(session, source, into, slugs[at : at + IN_ONE])
        found |= {slug: name for slug, name in placed.items() if slug != name}
    return found


@dataclass(frozen=True, slots=True)
class Step:
    """What one transaction did: up to which event, or page, it came, None at the end; and how many events it made."""

    at: Any
    changed: int
    kept: int = 0


def take_events(tx: SliceTransaction, source: str, act: str, after: int | None, sign: Sign) -> Step:
    """Take the next events of a mind's pages into the mind of the transaction, each once, whatever was taken before.

    Each becomes an event of whoever merges, with `merged_from` and with what it was (BR3); a history stays a history.
    """
    rows = next(event_rows(tx.session, source, after=after, chunk=IN_ONE), None)
    if rows is None:
        return Step(None, 0)
    told = [event_of(row) for row in rows]
    told = [event for event in told if event.kind in PAGE_KINDS and event.payload is not None]
    ids = {event.event_id: f"mg{keyed_digest(tx.key, {'act': act, 'event': event.event_id})[:40]}" for event in told}
    there = _events_there(tx, ids.values())
    told = [event for event in told if ids[event.event_id] not in there]
    where = places(tx.session, source, tx.slice, _slugs(told))
    batch = PageBatch.under(tx, where.values())
    made = []
    for event in told:
        change = _change(batch, event, source, act, where)
        if change is None:
            continue
        merged = tx.link(*change, sign(_imported(event)), event_id=ids[event.event_id])
        batch.follow(merged)
        made.append(event_row(merged))
    batch.append(tx, made)
    return Step(rows[-1]["seq"] if len(rows) == IN_ONE else None, len(made))


def _slugs(told: Iterable[Event]) -> Iterator[str]:
    for event in told:
        payload = event.payload or {}
        yield payload["about"]["slug"]
        if (after := payload.get("page", {}).get("after")) is not None:
            yield after


def _events_there(tx: SliceTransaction, ids: Iterable[str]) -> set[str]:
    there = select(events.c.event_id).where(events.c.slice == tx.slice, events.c.event_id.in_(list(ids)))
    return set(tx.session.execute(there, of=tx.slice).scalars())


def _change(
    batch: PageBatch, event: Event, source: str, act: str, where: Mapping[str, str]
) -> tuple[str, dict[str, Any]] | None:
    """Return the kind and the payload of what an event becomes; None where a deletion meets no live page."""
    payload = event.payload or {}
    slug = where[payload["about"]["slug"]]
    row = batch.row(slug)
    live = row is not None and row["deleted_at"] is None
    page = payload.get("page")
    text = None
    if page is not None:
        after = page.get("after")
        draft = PageDraft(
            slug, page["content"], page["title"], page.get("summary"), tuple(page.get("tags", ())), page.get("kind"),
            where.get(after, after),
        )  # fmt: skip
        text = text_of(draft)
    elif not live:
        return None
    action = Action.DELETE if text is None else Action.REPLACE if live else Action.STORE
    about = {
        "slug": slug,
        "version": batch.next_version(slug),
        "action": action.value,
        "merged_from": source,
        "merge": act,
    }
    return KINDS[action], payload_of(about, text)


def _imported(event: Event) -> Imported:
    """Return what an event was; of one that came from elsewhere already, where it came from first."""
    author = from_json(Author, event.author)
    approver = (event.payload or {}).get("approver")
    approved = from_json(ApprovedBy, approver) if approver is not None else None
    return author.imported_from or Imported(event.slice, event.event_id, event.at, author, approved)


def put_back(tx: SliceTransaction, act: str, after: str | None, by: Author) -> Step:
    """Delete the next pages of the transaction's mind that stand as that merge left them; the others are counted as
    kept."""
    where = [pages.c.slice == tx.slice, pages.c.deleted_at.is_(None)]
    where += [pages.c.slug > after] if after is not None else []
    listed = (
        select(pages.c.slug, pages.c.version, pages.c.event_id, pages.c.doc)
        .where(*where)
        .order_by(pages.c.slug)
        .limit(IN_ONE)
    )
    rows = tx.session.execute(listed, of=tx.slice).all()
    first = _merges(tx, events.c.seq, [row.doc for row in rows])
    last = _merges(tx, events.c.event_id, [row.event_id for row in rows])
    changed = kept = 0
    for row in rows:
        if last.get(row.event_id) == act:
            page = ProposedPage(row.slug, row.version)
            apply(tx, "delete", page, Signature(author=by, reason="a merge was taken back"))
            changed += 1
        elif first.get(row.doc) == act:
            kept += 1
    return Step(rows[-1].slug if len(rows) == IN_ONE else None, changed, kept)


def _merges(tx: SliceTransaction, column: Any, values: list[Any]) -> dict[Any, str | None]:
    """Return by which merge each of some events came."""
    named = select(column.label("name"), events.c.payload).where(events.c.slice == tx.slice, column.in_(values))
    rows = tx.session.execute(named, of=tx.slice).all()
    told = {row.name: json_value(row.payload).get("about", {}) for row in rows if row.payload is not None}
    return {name: about.get("merge") for name, about in told.items()}
