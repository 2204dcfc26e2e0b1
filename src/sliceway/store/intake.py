"""Taking pages in from elsewhere: as new events of the importer's, each line once (BR3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import select

from sliceway.core.ledger import keyed_digest
from sliceway.core.pages import Action, PageDraft
from sliceway.errors import SlicewayError
from sliceway.store.batch import PageBatch
from sliceway.store.ledger import SliceTransaction, event_row
from sliceway.store.pages import KINDS, expect, payload_of, same, text_of
from sliceway.store.requests import Request, keep_answer, known_requests
from sliceway.store.tables import events


@dataclass(frozen=True, slots=True)
class Incoming:
    """One line that changes a page. `draft` is its text, None where it is deleted; `author` signs it.

    `identity` is what makes the line the same line when it comes again; `told_as` is the event that it was elsewhere;
    `terms` are the text's for this author, where they are known already.
    """

    line: int
    slug: str
    draft: PageDraft | None
    author: Mapping[str, Any]
    identity: Mapping[str, Any]
    told_as: str | None = None
    terms: Mapping[str, int] | None = None


@dataclass(slots=True)
class Taken:
    """What became of some lines: how many were taken in, how many were there already, and which were refused."""

    imported: int = 0
    skipped: int = 0
    refused: list[tuple[int, SlicewayError]] = field(default_factory=list)


def take_in(tx: SliceTransaction, lines: Sequence[Incoming], *, principal: str) -> Taken:
    """Take lines into the slice of a transaction, in their order.

    An event's line always becomes an event, so that history stays history; a page as it already stands changes
    nothing, and that is kept, so that the same line later on does not bring it back.

    :param principal: by whom what changes nothing is kept.
    """
    batch = PageBatch.under(tx, [line.slug for line in lines])
    ids = [f"im{keyed_digest(tx.key, line.identity)[:40]}" for line in lines]
    there = _events_there(tx, [*ids, *filter(None, (line.told_as for line in lines))])
    there |= known_requests(tx, principal, ids)
    taken, told = Taken(), []
    for line, event_id in zip(lines, ids, strict=True):
        if event_id in there or line.told_as in there:
            taken.skipped += 1
            continue
        there.add(event_id)
        try:
            change = _change(batch, line)
        except SlicewayError as error:
            taken.refused.append((line.line, error))
            continue
        if change is None:
            if line.told_as is None:
                keep_answer(tx, Request(event_id, principal, None, None, {}), [])
            taken.skipped += 1
            continue
        event = tx.link(*change, line.author, event_id=event_id)
        batch.follow(event, line.terms)
        told.append(event_row(event))
        taken.imported += 1
    batch.append(tx, told)
    return taken


def _events_there(tx: SliceTransaction, ids: Sequence[str]) -> set[str]:
    statement = select(events.c.event_id).where(events.c.slice == tx.slice, events.c.event_id.in_(ids))
    return set(tx.session.execute(statement, of=tx.slice).scalars())


def _change(batch: PageBatch, line: Incoming) -> tuple[str, dict[str, Any]] | None:
    """Return the kind and the payload of the event that a line becomes, None where it changes nothing.

    :raises VersionConflict: the line names another version than the page has.
    """
    row = batch.row(line.slug)
    live = row is not None and row["deleted_at"] is None
    text = text_of(line.draft) if line.draft is not None else None
    if line.draft is not None:
        expect(row, line.draft.if_version)
    if text is None:
        if not live:
            return None
        action = Action.DELETE
    else:
        if row is not None and live and line.told_as is None and same(row, text):
            return None
        action = Action.REPLACE if live else Action.STORE
    about = {"slug": line.slug, "version": batch.next_version(line.slug), "action": action.value}
    return KINDS[action], payload_of(about, text)
