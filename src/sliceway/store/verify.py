"""Holding the record against itself: every hash recomputed, every projection compared with the ledger (BR11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Table, select
from sqlalchemy.exc import DBAPIError

from sliceway.core.access import EVERY
from sliceway.core.asking import content_digest
from sliceway.core.ledger import GENESIS, Event
from sliceway.core.neighbours import Standing, befores, folder_of
from sliceway.core.pages import wikilinks
from sliceway.ports.outcomes import VerifyFault, VerifyReport
from sliceway.store.chain import BrokenChain, events_counted, slices_with_rows, walk
from sliceway.store.proposals import pages_of
from sliceway.store.record import Told, faults_of_rows, tell
from sliceway.store.replay import PAGE_KINDS, indexed, page_row, version_row
from sliceway.store.session import Session
from sliceway.store.tables import links, neighbours, page_versions, pages, proposals, slices, terms

Progress = Callable[[int, int], None]
Row = Mapping[str, Any]

_STEP = 500
"""Events between two reports of progress."""


@dataclass(slots=True)
class _Expected:
    """The rows of one slice as its events tell them."""

    pages: dict[str, dict[str, Any]] = field(default_factory=dict)
    versions: dict[tuple[str, int], dict[str, Any]] = field(default_factory=dict)
    counts: dict[int, Counter[str]] = field(default_factory=dict)
    told: Told = field(default_factory=dict)
    last_at: str = ""

    def follow(self, event: Event) -> None:
        """Take one event into account; one that was erased tells nothing but when it was."""
        self.last_at = event.at
        tell(self.told, event)
        if event.kind not in PAGE_KINDS or event.payload is None:
            return
        counts = indexed(event)
        version = version_row(event)
        row = page_row(event, self.pages.get(version["slug"]), counts.total() if counts is not None else 0)
        self.pages[version["slug"]] = row
        self.versions[version["slug"], version["version"]] = version
        if counts is None:
            self.counts.pop(row["doc"], None)
        else:
            self.counts[row["doc"]] = counts


def heads(session: Session) -> dict[str, str]:
    """Return the hash at the head of each slice's chain."""
    rows = session.execute(select(slices.c.slice, slices.c.head).order_by(slices.c.slice), of=EVERY).all()
    return {row.slice: row.head for row in rows}


def verify(
    session: Session, *, since: Mapping[str, str] | None = None, progress: Progress | None = None
) -> VerifyReport:
    """Recompute every hash and compare every row that follows from the ledger; name the first that does not hold.

    :param since: earlier heads by slice: each must still stand in its chain.
    :param progress: told how many events of how many were recomputed.
    """
    total = events_counted(session)
    faults: list[VerifyFault] = []
    done = 0
    for name in sorted(slices_with_rows(session) | set(since or {})):
        for seen in _chain(session, name, (since or {}).get(name), faults):
            done = done + 1 if seen else done
            if progress is not None and done % _STEP == 0:
                progress(done, total)
    if progress is not None:
        progress(done, total)
    return VerifyReport(not faults, done, tuple(faults))


def _chain(session: Session, name: str, since: str | None, faults: list[VerifyFault]) -> Iterator[bool]:
    """Walk one slice's chain, then hold its rows against it; give a sign for each event."""
    expected, prev, seq = _Expected(), GENESIS, 0
    passed = since is None or since == GENESIS
    try:
        for event in walk(session, name):
            expected.follow(event)
            prev, seq = event.hash, event.seq
            passed = passed or since == event.hash
            yield True
    except BrokenChain as broken:
        faults.append(VerifyFault(name, broken.seq, broken.event_id, broken.what))
        return
    except (KeyError, TypeError, ValueError, AttributeError):
        faults.append(VerifyFault(name, seq + 1, None, "it tells of something that this program does not know"))
        return
    if not passed:
        faults.append(VerifyFault(name, None, None, "the earlier head is no longer in its chain"))
    head = session.execute(select(slices).where(slices.c.slice == name), of=name).one_or_none()
    if head is None:
        if seq or passed:
            what = "the slice is missing" if seq else "its rows follow from no event: it has none"
            faults.append(VerifyFault(name, None, None, what))
        return
    if (head.seq, head.head) != (seq, prev):
        faults.append(VerifyFault(name, head.seq, None, "its head is not its last event"))
        return
    if seq and head.updated_at != expected.last_at:
        faults.append(VerifyFault(name, None, None, "its time is not that of its last event"))
    try:
        faults.extend(VerifyFault(name, None, None, what) for what in _faults_of_key(session, name, head.key))
        faults.extend(_projections(session, name, expected, (head.docs, head.length)))
    except DBAPIError:  # text that is none: the engine gives no row that holds it
        faults.append(VerifyFault(name, None, None, "a row that follows from its events cannot be read"))


def _faults_of_key(session: Session, name: str, key: bytes) -> Iterator[str]:
    """Say whether the slice's key is not the one that the digests of its proposals were made with (AP21)."""
    for row in session.execute(select(proposals).where(proposals.c.slice == name), of=name).mappings():
        try:
            made = content_digest(key, row["op"], row["destination"], pages_of(row))
        except (ValueError, TypeError, KeyError):
            return  # the row itself is told of with the others
        if made != row["digest"]:
            yield "the digest of a proposal is not that of its text under the key of the slice"
            return


def _projections(session: Session, name: str, expected: _Expected, counted: tuple[int, int]) -> Iterator[VerifyFault]:
    """Say what the first row of each table is that is not as the events tell it."""
    by_slug = {(slug,): row for slug, row in expected.pages.items()}
    yield from _compared(session, name, pages, ("slug",), by_slug)
    yield from _compared(session, name, page_versions, ("slug", "version"), expected.versions)
    yield from _compared_links(session, name, expected)
    yield from _compared_terms(session, name, expected)
    yield from _compared_neighbours(session, name, expected)
    length = sum(counts.total() for counts in expected.counts.values())
    if counted != (len(expected.counts), length):
        yield VerifyFault(name, None, None, "its counts of pages and terms are not those of its events")
    yield from (VerifyFault(name, None, None, what) for what in faults_of_rows(session, name, expected.told))


def _compared(
    session: Session, name: str, table: Table, key: tuple[str, ...], expected: Mapping[Any, Row]
) -> Iterator[VerifyFault]:
    left = dict(expected)
    for row in session.execute(select(table).where(table.c.slice == name), of=name).mappings():
        told = left.pop(tuple(row[column] for column in key), None)
        if told is None:
            yield VerifyFault(name, None, row["event_id"], f"a row of {table.name} that no event tells of")
            return
        wrong = [column for column, value in told.items() if row[column] != value]
        if wrong:
            what = f"a row of {table.name} differs from its event in {', '.join(sorted(wrong))}"
            yield VerifyFault(name, told.get("seq"), told["event_id"], what)
            return
    for told in left.values():
        yield VerifyFault(name, told.get("seq"), told["event_id"], f"a row of {table.name} is missing")
        return


def _compared_links(session: Session, name: str, expected: _Expected) -> Iterator[VerifyFault]:
    told = {
        (target, slug)
        for slug, row in expected.pages.items()
        if row["deleted_at"] is None
        for target in wikilinks(row["content"])
    }
    kept = session.execute(select(links).where(links.c.slice == name), of=name)
    found = {(row.target, row.slug) for row in kept}
    if told != found:
        slug = min(told ^ found)[1]
        event_id = expected.pages[slug]["event_id"] if slug in expected.pages else None
        yield VerifyFault(name, None, event_id, "the links of a page are not those of its text")


def _compared_terms(session: Session, name: str, expected: _Expected) -> Iterator[VerifyFault]:
    by_doc: dict[int, dict[str, tuple[int, int]]] = {}
    for row in session.execute(select(terms).where(terms.c.slice == name), of=name):
        by_doc.setdefault(row.doc, {})[row.term] = (row.tf, row.length)
    told = {doc: {term: (tf, counts.total()) for term, tf in counts.items()} for doc, counts in expected.counts.items()}
    for doc in sorted({*by_doc, *told}):
        if by_doc.get(doc) != told.get(doc):
            event_id = next((row["event_id"] for row in expected.pages.values() if row["doc"] == doc), None)
            yield VerifyFault(name, None, event_id, "the index of a page is not that of its text")
            return


def _compared_neighbours(session: Session, name: str, expected: _Expected) -> Iterator[VerifyFault]:
    live = {row["doc"]: row for row in expected.pages.values() if row["deleted_at"] is None}
    before = befores(Standing(doc, row["slug"], row["after"]) for doc, row in live.items())
    told = {doc: (folder_of(row["slug"]), row["after"], before[doc]) for doc, row in live.items()}
    rows = session.execute(select(neighbours).where(neighbours.c.slice == name), of=name)
    found = {row.doc: (row.folder, row.after, row.before) for row in rows}
    wrong = {doc for doc in {*told, *found} if told.get(doc) != found.get(doc)}
    if wrong:
        event_id = live[min(wrong)]["event_id"] if min(wrong) in live else None
        yield VerifyFault(name, None, event_id, "the neighbours of a page are not those of its slug and its time")
