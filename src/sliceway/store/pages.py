"""Pages and their versions: what each op does to one, as one event and the rows that follow from it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, select

from sliceway.core.grants import GrantNote
from sliceway.core.ledger import Event
from sliceway.core.pages import Action, ApprovedBy, Author, PageDraft, Receipt, Replaced, title_of, wikilinks
from sliceway.core.proposals import ProposedPage
from sliceway.core.turns import Person
from sliceway.errors import FieldError, InvalidRequest, NotFound, NotPermitted, StaleEvent, VersionConflict
from sliceway.store import ledger, neighbours, postings, replay, vectors
from sliceway.store.ledger import SliceTransaction
from sliceway.store.marks import last_version
from sliceway.store.session import Session
from sliceway.store.tables import links, page_versions, pages
from sliceway.wire.codec import from_json, to_json

KINDS = {
    Action.STORE: replay.WRITTEN, Action.REPLACE: replay.WRITTEN, Action.DELETE: replay.DELETED,
    Action.RESTORE: replay.RESTORED, Action.UNDO: replay.UNDONE,
}  # fmt: skip
"""The event of each action."""
Row = Mapping[str, Any]

_TEXT = ("title", "content", "summary", "tags", "kind", "after")


@dataclass(frozen=True, slots=True)
class Signature:
    """Under which a change is made: who acts, with whose yes, by which proposal, why.

    `only_caused_by`: it may take back no more than this person caused (GT7).
    """

    author: Author
    approver: ApprovedBy | None = None
    grant: GrantNote | None = None
    proposal: str | None = None
    reason: str | None = None
    only_caused_by: Person | None = None


def row_of(session: Session, slice_name: str, slug: str) -> Row | None:
    """Return a page's row, deleted or not."""
    return _one(session, select(pages).where(pages.c.slice == slice_name, pages.c.slug == slug), of=slice_name)


def _one(session: Session, statement: Select[Any], *, of: str) -> Row | None:
    found = session.execute(statement, of=of).mappings().one_or_none()
    return {str(name): value for name, value in found.items()} if found is not None else None


def live_version(session: Session, slice_name: str, slug: str) -> int | None:
    """Return the version of the live page, None where there is none: what a proposal keeps as `base_version`."""
    row = row_of(session, slice_name, slug)
    return row["version"] if row is not None and row["deleted_at"] is None else None


@dataclass(frozen=True, slots=True)
class Plan:
    """What an op would come to: the row it meets, what it does to it, and the text there would be then."""

    action: Action
    row: Row | None
    text: Row | None = None
    undoes: str | None = None


def plan(
    session: Session,
    slice_name: str,
    op: str,
    page: ProposedPage,
    *,
    if_version: int | None = None,
    only_caused_by: Person | None = None,
) -> Plan:
    """Return what one op would do to one page now; writes nothing.

    :param op: `write`, `delete`, `restore` or `undo`.
    :param if_version: the version the caller saw; a write's draft may carry its own. 0 means no live page.
    :param only_caused_by: nothing may be taken back but what this person caused (GT7).
    :raises VersionConflict: the page has another version; carries `current`.
    :raises NotFound: there is no page, or no version, to do it to.
    :raises StaleEvent: `undo`, and the page changed since that event; carries `current`.
    :raises InvalidRequest: `restore` over a live page without a version.
    :raises NotPermitted: the change was caused by somebody else.
    """
    row = row_of(session, slice_name, page.slug)
    live = row is not None and row["deleted_at"] is None
    if op == "write" and page.draft is not None:
        expect(row, page.draft.if_version if if_version is None else if_version)
        text = text_of(page.draft)
        if row is not None and live and same(row, text):
            return Plan(Action.NOCHANGE, row)
        return Plan(Action.REPLACE if live else Action.STORE, row, text)
    if row is None or (op == "delete" and not live):
        raise NotFound(f"There is no page '{page.slug}' here.")
    expect(row, if_version)
    if op == "delete":
        _caused(only_caused_by, row["author"])
        return Plan(Action.DELETE, row)
    if op == "restore":
        if live and page.version is None:
            raise InvalidRequest(
                errors=[FieldError("version", "missing", "the page is live; say which earlier version to restore")]
            )
        found = _restorable(session, row, page.version)
        _caused(only_caused_by, row["author"], found["author"])
        return Plan(Action.NOCHANGE, row) if live and same(row, found) else Plan(Action.RESTORE, row, found)
    if op == "undo":
        if row["event_id"] != page.event:
            raise StaleEvent("The page changed since that event; look at it again.", current=row["event_id"])
        _caused(only_caused_by, row["author"])
        return Plan(Action.UNDO, row, _before(session, row), undoes=row["event_id"])
    raise InvalidRequest(f"'{op}' is nothing that can be done to a page.")


def apply(
    transaction: SliceTransaction, op: str, page: ProposedPage, by: Signature, *, if_version: int | None = None
) -> Receipt:
    """Do one op to one page and return what really happened; `plan` says what may be raised."""
    planned = plan(
        transaction.session, transaction.slice, op, page, if_version=if_version, only_caused_by=by.only_caused_by
    )
    if planned.action is Action.NOCHANGE and planned.row is not None:
        return standing(planned.row)
    return _append(transaction, page.slug, planned, by)


def expect(row: Row | None, if_version: int | None) -> None:
    """Refuse a change of another version than the caller saw (BR7)."""
    if if_version is None:
        return
    live = row is not None and row["deleted_at"] is None
    current: int = row["version"] if row is not None else 0
    if if_version == current or (if_version == 0 and not live):
        return
    raise VersionConflict(f"The page is at version {current}, not {if_version}; read it again.", current=current)


def _caused(person: Person | None, *authors: str) -> None:
    """Refuse to take back what the person did not cause (GT7); one of `authors` must have acted for them."""
    if person is None:
        return
    for text in authors:
        who = from_json(Author, ledger.json_value(text)).on_behalf_of
        if who is not None and who.key == person.key:
            return
    raise NotPermitted("Somebody else had this saved; only what you had me save can be taken back for you.")


def _before(session: Session, row: Row) -> Row | None:
    """Return the version before the current one, None where the page did not exist then."""
    found = _version(session, row, row["version"] - 1)
    return found if found is not None and found["content"] is not None else None


def _restorable(session: Session, row: Row, version: int | None) -> Row:
    """Return the version to restore: the one named, or what was deleted."""
    number = version if version is not None else row["version"] - 1
    found = _version(session, row, number)
    while version is None and found is not None and found["content"] is None:
        number -= 1
        found = _version(session, row, number)
    if found is None or found["content"] is None:
        raise NotFound(f"There is no version {number} of '{row['slug']}' to restore.")
    return found


def _version(session: Session, row: Row, number: int) -> Row | None:
    versions = page_versions.c
    return _one(
        session,
        select(page_versions).where(
            versions.slice == row["slice"], versions.slug == row["slug"], versions.version == number
        ),
        of=row["slice"],
    )


def text_of(draft: PageDraft) -> Row:
    """Return the text of a draft as the columns hold it."""
    return {
        "title": draft.title or title_of(draft.slug, draft.content), "content": draft.content,
        "summary": draft.summary, "tags": ledger.json_text(list(draft.tags)), "kind": draft.kind, "after": draft.after,
    }  # fmt: skip


def same(row: Row, text: Row) -> bool:
    """Say whether a row has that very text."""
    return all(row[name] == text[name] for name in _TEXT)


def standing(row: Row) -> Receipt:
    """Return the receipt of an op that changes nothing: that of the version that stands."""
    approver = from_json(ApprovedBy, ledger.json_value(row["approver"])) if row["approver"] is not None else None
    return Receipt(
        slice=row["slice"], slug=row["slug"], version=row["version"], action=Action.NOCHANGE,
        author=from_json(Author, ledger.json_value(row["author"])), event_id=row["event_id"], at=row["updated_at"],
        approver=approver,
    )  # fmt: skip


def _append(transaction: SliceTransaction, slug: str, planned: Plan, by: Signature) -> Receipt:
    """Append the event of a change, and bring the rows in step with it."""
    row, text = planned.row, planned.text
    version: int = (row["version"] if row is not None else last_version(transaction, slug)) + 1
    about = {
        "slug": slug, "version": version, "action": planned.action.value, "undoes": planned.undoes,
        "proposal": by.proposal, "grant": by.grant.id if by.grant is not None else None,
    }  # fmt: skip
    payload = payload_of(about, text)
    if by.approver is not None:
        payload["approver"] = to_json(by.approver)
    if by.reason is not None:
        payload["reason"] = by.reason
    event = transaction.append(KINDS[planned.action], payload, to_json(by.author))
    project(transaction, event, row)
    replaced = None
    if row is not None and row["deleted_at"] is None:
        replaced = Replaced(row["version"], from_json(Author, ledger.json_value(row["author"])), row["updated_at"])
    return Receipt(
        slice=transaction.slice, slug=slug, version=version, action=planned.action, author=by.author,
        event_id=event.event_id, at=event.at, replaced=replaced, approver=by.approver, grant=by.grant,
    )  # fmt: skip


def payload_of(about: Mapping[str, Any], text: Row | None) -> dict[str, Any]:
    """Return the payload of an event of a page: what it is about, and the text there is after it, if any."""
    payload: dict[str, Any] = {"about": {name: value for name, value in about.items() if value is not None}}
    if text is not None:
        page = {name: text[name] for name in _TEXT if text[name] is not None}
        payload["page"] = {**page, "tags": ledger.json_value(text["tags"])}
    return payload


def project(transaction: SliceTransaction, event: Event, row: Mapping[str, Any] | None) -> None:
    """Bring page, versions, links, terms and counts in step with an event.

    :param row: the page's row before it, None where there was none.
    """
    session, name = transaction.session, transaction.slice
    counts = replay.indexed(event)
    if row is not None and row["deleted_at"] is None:
        vectors.drop(session, name, [row], event.event_id)
        postings.drop(session, name, row["doc"])
        session.delete(links, links.c.slug == row["slug"], into=name)
        transaction.docs -= 1
        transaction.length -= row["terms"]
    made = replay.page_row(event, row, counts.total() if counts is not None else 0)
    if row is None:
        session.insert(pages, made, into=name)
    else:
        session.update(pages, pages.c.slug == row["slug"], into=name, values={**made, "embedded": None})
    session.insert(page_versions, replay.version_row(event), into=name)
    left = [row] if row is not None and row["deleted_at"] is None else []
    neighbours.move(session, name, left, [made] if counts is not None else [])
    if counts is None:
        return
    transaction.docs += 1
    transaction.length += postings.put(session, name, made["doc"], counts)
    targets = wikilinks(made["content"])
    if targets:
        session.insert(links, [{"target": target, "slug": made["slug"]} for target in targets], into=name)
