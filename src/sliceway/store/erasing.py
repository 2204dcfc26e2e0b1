"""Erasing content in one slice: every row that holds it, and the payloads it came in (BR10).

What is walked is what the metadata flags: rows that follow from pages go, rows that events tell of stay without their
content, payload and salt of the events are emptied together. The chain stays whole, and what is left follows from it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, Table, select

from sliceway.core.asking import content_digest
from sliceway.core.proposals import ProposalEvent, State
from sliceway.ports.outcomes import ErasedIn
from sliceway.store import neighbours, vectors
from sliceway.store.ledger import SliceTransaction, json_text, json_value
from sliceway.store.marks import mark_of
from sliceway.store.proposals import WAITING, is_sent, row_or_none
from sliceway.store.record import RECORDED, RowChange, record
from sliceway.store.replay import PAGE_KINDS
from sliceway.store.session import Session
from sliceway.store.tables import erased, events, idempotency, metadata, page_versions, pages, proposals
from sliceway.wire.codec import to_json

OF_PAGES: Mapping[str, Table] = {
    table.name: table for table in metadata.sorted_tables if {"slug", "doc"} & set(table.columns.keys())
}
"""The tables whose rows follow from pages: what goes with a page, found by its slug or its number in the index."""
WITH_CONTENT = frozenset(
    table.name for table in metadata.sorted_tables if any(column.info.get("content") for column in table.columns)
)
"""The tables that hold content."""
HANDLED = frozenset({*OF_PAGES, *(table.name for table in RECORDED), events.name, idempotency.name})
"""The tables that an erasure reaches; a table that holds content and is not here fails a test."""

ERASED = "content.erased"
"""The event of an erasure in a slice. What it holds is what is left, and it is never emptied itself."""

_IN_ONE = 400
"""Keys in one statement."""
_NO_ANSWER = {column.name: column.info["empty"] for column in idempotency.columns if column.info.get("content")}


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is erased in one slice: pages by slug, proposals by id. `everything`: all that holds content there."""

    slugs: frozenset[str] = frozenset()
    proposals: frozenset[str] = frozenset()
    everything: bool = False

    @property
    def nothing(self) -> bool:
        """Whether there is nothing to do."""
        return not (self.slugs or self.proposals or self.everything)


@dataclass(frozen=True, slots=True)
class _Found:
    """The rows that a choice comes to."""

    pages: Sequence[RowMapping]
    versions: Sequence[RowMapping]
    proposals: Sequence[RowMapping]
    answers: Sequence[tuple[str, str]]

    def counted(self, name: str) -> ErasedIn:
        """Return how many there are."""
        return ErasedIn(name, len(self.pages), len(self.versions), len(self.proposals), len(self.answers))


def count_in(session: Session, name: str, chosen: Chosen) -> ErasedIn:
    """Return what erasing would come to in a slice; changes nothing."""
    return _found(session, name, chosen).counted(name)


def erase_in(tx: SliceTransaction, chosen: Chosen, *, about: Mapping[str, Any], author: Mapping[str, Any]) -> ErasedIn:
    """Erase what is chosen from the transaction's slice, in one event that tells of it by numbers alone.

    Of single pages the last version is remembered; of a slice as a whole nothing is. Erasing again does nothing.
    """
    session, name = tx.session, tx.slice
    found = _found(session, name, chosen)
    told = found.counted(name)
    seqs = sorted(_events_of(session, name, chosen, found))
    if not (seqs or found.pages or found.proposals or found.answers):
        return told
    for part in _parts(seqs):
        session.update(events, events.c.seq.in_(part), into=name, values={"payload": None, "salt": None})
    for table in OF_PAGES.values():
        _drop(session, name, table, found.pages, everything=chosen.everything)
    live = [row for row in found.pages if row["deleted_at"] is None]
    tx.docs -= len(live)
    tx.length -= sum(row["terms"] for row in live)
    if live and not chosen.everything:
        neighbours.move(session, name, [{str(column): value for column, value in row.items()} for row in live], ())
    for principal, request_id in found.answers:
        one = (idempotency.c.principal == principal, idempotency.c.request_id == request_id)
        session.update(idempotency, *one, into=name, values=_NO_ANSWER)
    rows = [RowChange(proposals, {"id": row["id"]}, _emptied(tx, row)) for row in found.proposals]
    if not chosen.everything:
        rows += [
            RowChange(erased, {"mark": mark_of(tx.key, row["slug"])}, {"version": row["version"]})
            for row in found.pages
        ]
    numbers = {
        "pages": told.pages, "versions": told.versions, "proposals": told.proposals, "events": len(seqs),
    }  # fmt: skip
    event = record(tx, ERASED, about={**about, **numbers}, author=author, rows=rows)
    if chosen.everything:
        vectors.drop_all(session, name)
    else:  # whoever remembers vectors of this slice has to look again
        vectors.drop(session, name, found.pages, event.event_id)
    return told


def _found(session: Session, name: str, chosen: Chosen) -> _Found:
    columns = (
        pages.c.slug, pages.c.doc, pages.c.version, pages.c.terms, pages.c.deleted_at, pages.c.after, pages.c.embedded,
    )  # fmt: skip
    return _Found(
        pages=list(_rows(session, name, columns, pages.c.slug, None if chosen.everything else chosen.slugs)),
        versions=list(
            _rows(
                session, name, (page_versions.c.slug, page_versions.c.seq), page_versions.c.slug,
                None if chosen.everything else chosen.slugs,
            )
        ),
        proposals=[
            row
            for row in _rows(
                session, name, tuple(proposals.columns), proposals.c.id, None if chosen.everything else chosen.proposals
            )
            if row["pages"] != proposals.c.pages.info["empty"]
        ],
        answers=list(_answers(session, name, chosen)),
    )  # fmt: skip


def _rows(
    session: Session, name: str, columns: Sequence[Any], by: Any, wanted: frozenset[str] | None
) -> Iterator[RowMapping]:  # fmt: skip
    """Give the rows of a slice whose column `by` is among those wanted, None for all."""
    table = by.table
    for part in _parts(sorted(wanted)) if wanted is not None else (None,):
        where: list[ColumnElement[bool]] = [table.c.slice == name, *([by.in_(part)] if part is not None else [])]
        yield from session.execute(select(*columns).where(*where), of=name).mappings()


def _answers(session: Session, name: str, chosen: Chosen) -> Iterator[tuple[str, str]]:
    """Give the keys of the answers kept for retries that tell of what is chosen."""
    if chosen.nothing:
        return
    columns = (idempotency.c.principal, idempotency.c.request_id, idempotency.c.answer)
    for row in session.execute(select(*columns).where(idempotency.c.slice == name), of=name):
        answer = json_value(row.answer)
        if answer is not None and (chosen.everything or _tells_of(answer, chosen)):
            yield row.principal, row.request_id


def _tells_of(answer: Any, chosen: Chosen) -> bool:
    if isinstance(answer, list):
        return any(receipt.get("slug") in chosen.slugs for receipt in answer if isinstance(receipt, Mapping))
    return isinstance(answer, Mapping) and answer.get("proposal") in chosen.proposals


def _events_of(session: Session, name: str, chosen: Chosen, found: _Found) -> set[int]:
    """Return the events whose payload holds what is chosen."""
    seqs = {row["seq"] for row in found.versions}
    if not (chosen.everything or chosen.proposals):
        return seqs
    where = [events.c.slice == name, events.c.payload.is_not(None), events.c.kind != ERASED]
    if not chosen.everything:
        where.append(events.c.kind.startswith("proposal."))
    columns = (events.c.seq, events.c.kind, events.c.payload)
    after = 0
    while True:
        part = session.execute(
            select(*columns).where(*where, events.c.seq > after).order_by(events.c.seq).limit(_IN_ONE), of=name
        ).all()
        for row in part:
            payload = json_value(row.payload)
            if _holds(row.kind, payload) if chosen.everything else _proposed(payload) & chosen.proposals:
                seqs.add(row.seq)
        if len(part) < _IN_ONE:
            return seqs
        after = part[-1].seq


def _holds(kind: str, payload: Mapping[str, Any]) -> bool:
    """Say whether an event's payload may hold content: it tells of a page, of a row with content, or of something else
    than ids and rows."""
    in_rows = any(
        metadata.tables[row["table"]].c[column].info.get("content")
        for row in payload.get("rows", ())
        for column, value in row["set"].items()
        if value != metadata.tables[row["table"]].c[column].info.get("empty")
    )
    return kind in PAGE_KINDS or in_rows or bool(payload.keys() - {"about", "rows"})


def _proposed(payload: Mapping[str, Any]) -> frozenset[str]:
    return frozenset(row["key"]["id"] for row in payload.get("rows", ()) if row["table"] == proposals.name)


def _drop(session: Session, name: str, table: Table, gone: Sequence[RowMapping], *, everything: bool) -> None:
    """Drop the rows of a table that follow from some pages, or from any."""
    if everything:
        session.delete(table, into=name)
        return
    column = "slug" if "slug" in table.c else "doc"
    for part in _parts([row[column] for row in gone]):
        session.delete(table, table.c[column].in_(part), into=name)


def _emptied(tx: SliceTransaction, row: RowMapping) -> dict[str, Any]:
    """Return a proposal without its text and reasons: what still waited is over; the steps of its life stay.

    A draft that was sent stands as it is where its twin stands: what became of it is told there (AP23).
    """
    values = {
        column.name: column.info["empty"] if column.info.get("content") else row[column.name]
        for column in proposals.columns
        if column.name not in {"slice", "id", "changed", "changed_at"}
    }
    steps = [{name: said for name, said in step.items() if name != "reason"} for step in json_value(row["history"])]
    told_there = is_sent(row) and row_or_none(tx.session, row["destination"], row["id"]) is not None
    if not told_there:
        state = State.WITHDRAWN if row["state"] in WAITING else State(row["state"])
        values |= {"state": state.value, "revision": row["revision"] + 1}
        steps.append(to_json(ProposalEvent(tx.now, "erased", state, row["revision"] + 1)))
    digest = content_digest(tx.key, row["op"], row["destination"], ())
    return {**values, "history": json_text(steps), "digest": digest}


def _parts(keys: Sequence[Any]) -> Iterator[Sequence[Any]]:
    for at in range(0, len(keys), _IN_ONE):
        yield keys[at : at + _IN_ONE]
