"""Folders that are mounted as reference: their rows in `_system`, and their pages in a slice of their own (FR1)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import RowMapping, select

from sliceway.core.pages import MOUNTED, Action, Author, PageDraft
from sliceway.core.slices import SYSTEM
from sliceway.store.batch import PageBatch
from sliceway.store.ledger import SliceTransaction, event_row, json_text, json_value
from sliceway.store.pages import KINDS, payload_of, same, text_of
from sliceway.store.policy import record_change
from sliceway.store.record import RowChange
from sliceway.store.session import Session
from sliceway.store.tables import mounts, pages, slices
from sliceway.wire.codec import from_json, to_json

IN_ONE = 200
"""Pages in one transaction, at most."""
FOLDER: Mapping[str, Any] = to_json(Author(None, None, None, MOUNTED, None))
"""Who signs what a folder says."""


@dataclass(frozen=True, slots=True)
class Mount:
    """A folder that is a slice. `report` is what the last look could not take, None before the first."""

    slice: str
    folder: str
    at: str
    removed_at: str | None
    report: tuple[str, ...] | None

    @property
    def removed(self) -> bool:
        """Whether the folder is that slice no more."""
        return self.removed_at is not None


def mounts_known(session: Session) -> tuple[Mount, ...]:
    """Return all mounts, those that were removed too, by slice."""
    found = session.execute(select(mounts).where(mounts.c.slice == SYSTEM).order_by(mounts.c.mount), of=SYSTEM)
    return tuple(_mount(row) for row in found.mappings())


def mount_or_none(session: Session, name: str) -> Mount | None:
    """Return the mount that a slice is or was."""
    one = select(mounts).where(mounts.c.slice == SYSTEM, mounts.c.mount == name)
    row = session.execute(one, of=SYSTEM).mappings().one_or_none()
    return _mount(row) if row is not None else None


def _mount(row: RowMapping) -> Mount:
    report = tuple(json_value(row["report"])) if row["report"] is not None else None
    return Mount(row["mount"], row["folder"], row["at"], row["removed_at"], report)


def put_mount(tx: SliceTransaction, name: str, folder: str, *, author: Mapping[str, Any]) -> None:
    """Write that a folder is a slice from now on."""
    values = {"folder": folder, "at": tx.now, "removed_at": None}
    _write(tx, "kb.added", name, values, author)


def remove_mount(tx: SliceTransaction, name: str, *, author: Mapping[str, Any]) -> None:
    """Write that no folder is that slice any more."""
    _write(tx, "kb.removed", name, {"removed_at": tx.now}, author)


def _write(tx: SliceTransaction, kind: str, name: str, values: Mapping[str, Any], author: Mapping[str, Any]) -> None:
    record_change(tx, kind, {"mount": name}, author, [RowChange(mounts, {"mount": name}, values)])


def put_report(session: Session, name: str, report: Sequence[str]) -> None:
    """Keep what a look could not take, beside the record; the session has landed on `_system`."""
    session.update(mounts, mounts.c.mount == name, into=SYSTEM, values={"report": json_text(list(report))})


def pages_counted(session: Session, names: Collection[str]) -> dict[str, int]:
    """Return how many live pages each of some slices has."""
    counted = select(slices.c.slice, slices.c.docs).where(slices.c.slice.in_(names))
    return {row.slice: row.docs for row in session.execute(counted, of=names)}


def follow(tx: SliceTransaction, drafts: Sequence[PageDraft]) -> int:
    """Bring pages of a slice in step with the files that they are; return how many changed."""
    batch = PageBatch.under(tx, [draft.slug for draft in drafts])
    changes: list[tuple[str, dict[str, Any]]] = []
    for draft in drafts:
        row, text = batch.row(draft.slug), text_of(draft)
        live = row is not None and row["deleted_at"] is None
        if row is not None and live and same(row, text) and _is_folders(row["author"]):
            continue
        action = Action.REPLACE if live else Action.STORE
        about = {"slug": draft.slug, "version": batch.next_version(draft.slug), "action": action.value}
        changes.append((KINDS[action], payload_of(about, text)))
    return _append(tx, batch, changes)


def forget(tx: SliceTransaction, slugs: Sequence[str]) -> int:
    """Delete pages whose files are gone, softly; return how many there were."""
    batch = PageBatch.under(tx, slugs)
    changes: list[tuple[str, dict[str, Any]]] = []
    for slug in slugs:
        row = batch.row(slug)
        if row is None or row["deleted_at"] is not None or not _is_folders(row["author"]):
            continue
        about = {"slug": slug, "version": batch.next_version(slug), "action": Action.DELETE.value}
        changes.append((KINDS[Action.DELETE], payload_of(about, None)))
    return _append(tx, batch, changes)


def _append(tx: SliceTransaction, batch: PageBatch, changes: Sequence[tuple[str, dict[str, Any]]]) -> int:
    told = []
    for kind, payload in changes:
        event = tx.link(kind, payload, FOLDER)
        batch.follow(event)
        told.append(event_row(event))
    batch.append(tx, told)
    return len(told)


def folder_slugs(session: Session, name: str) -> tuple[str, ...]:
    """Return the live pages of a slice that a folder signed, and nobody's import."""
    live = select(pages.c.slug, pages.c.author).where(pages.c.slice == name, pages.c.deleted_at.is_(None))
    found = session.execute(live.order_by(pages.c.slug), of=name)
    return tuple(row.slug for row in found if _is_folders(row.author))


def _is_folders(author: str) -> bool:
    return from_json(Author, json_value(author)).surface == MOUNTED
