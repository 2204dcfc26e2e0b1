"""The pages of one slice held against its events, a few at a time, so that no slice is too large to verify (BR11).

While the chain is walked, each event's version is looked up. Then each page is held against its versions, with its
links and its index; and every table is counted, so that no row is left over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, Table, case, exists, func, select, tuple_

from sliceway.core.ledger import Event
from sliceway.core.neighbours import folder_of
from sliceway.core.pages import wikilinks
from sliceway.ports.outcomes import VerifyFault
from sliceway.store.ledger import json_value
from sliceway.store.neighbours import misplaced
from sliceway.store.replay import NOTHING, PAGE_KINDS, indexed, page_row, version_row
from sliceway.store.session import Session
from sliceway.store.tables import links, neighbours, page_versions, pages, terms

Row = RowMapping | dict[str, Any]

_AT_ONCE = 200
"""Events, or pages, that are held against their rows at once: a page is at most 256 KiB."""

_NEIGHBOURS = "the neighbours of a page are not those of its slug and its time"


class HeldPages:
    """What the events of one slice say of its pages, held against the rows."""

    def __init__(self, session: Session, slice_name: str) -> None:
        """Begin before the first event."""
        self.session, self._slice = session, slice_name
        self._waiting: list[Row] = []
        self._versions = 0
        self._fault: VerifyFault | None = None
        self.docs = self.length = 0

    def follow(self, event: Event) -> None:
        """Take one event into account; one that was erased tells nothing."""
        if event.kind not in PAGE_KINDS or event.payload is None:
            return
        self._waiting.append(version_row(event))
        self._versions += 1
        if len(self._waiting) >= _AT_ONCE:
            self._look()

    def faults(self) -> Iterator[VerifyFault]:
        """Say what the first row of each table is that is not as the events tell it. After the last event."""
        self._look()
        if self._fault is not None:
            yield self._fault
            return  # pages are held against their versions
        if self._counted(page_versions) != self._versions:
            yield self._fault_of("a row of page_versions that no event tells of")
            return
        yield from self._faults_of_pages()

    def _look(self) -> None:
        told, self._waiting = self._waiting, []
        if self._fault is not None or not told:
            return
        key = tuple_(page_versions.c.slug, page_versions.c.version)
        found = {
            (row["slug"], row["version"]): row
            for row in self._rows(page_versions, key.in_([(one["slug"], one["version"]) for one in told]))
        }
        for one in told:
            self._fault = self._compared(page_versions, one, found.get((one["slug"], one["version"])))
            if self._fault is not None:
                return

    def _compared(self, table: Table, told: Row, row: Row | None) -> VerifyFault | None:
        if row is None:
            return self._fault_of(f"a row of {table.name} is missing", told)
        wrong = sorted(name for name, value in told.items() if row[name] != value)
        if wrong:
            return self._fault_of(f"a row of {table.name} differs from its event in {', '.join(wrong)}", told)
        return None

    def _faults_of_pages(self) -> Iterator[VerifyFault]:
        seen, links_told, terms_told, live_told = 0, 0, 0, 0
        for rows in self._pages():
            expected = self._expected([row["slug"] for row in rows])
            seen += len(rows)
            live: list[tuple[Row, Event]] = []
            for row in rows:
                told = expected.get(row["slug"])
                if told is None:
                    yield self._fault_of("a row of pages that no event tells of", row)
                    return
                fault = self._compared(pages, told[0], row)
                if fault is not None:
                    yield fault
                    return
                if told[0]["deleted_at"] is None:
                    live.append(told)
            counted = self._compared_links(live), self._compared_terms(live), self._compared_neighbours(live)
            for one in counted:
                if isinstance(one, VerifyFault):
                    yield one
                    return
            told_of = [one for one in counted if isinstance(one, int)]
            links_told, terms_told, live_told = links_told + told_of[0], terms_told + told_of[1], live_told + told_of[2]
        if self._counted(page_versions, distinct=True) != seen:
            yield self._fault_of("a row of pages is missing", self._without_a_page())
        elif self._counted(links) != links_told:
            yield self._fault_of("a link of no page that is there")
        elif self._counted(terms) != terms_told:
            yield self._fault_of("the index holds a page that is not there")
        elif self._counted(neighbours) != live_told:
            yield self._fault_of("the neighbours of a page that is not there")
        elif (doc := misplaced(self.session, self._slice)) is not None:
            yield self._fault_of(_NEIGHBOURS, next(iter(self._rows(pages, pages.c.doc == doc))))

    def _compared_links(self, live: Sequence[tuple[Row, Event]]) -> VerifyFault | int:
        told = {(target, row["slug"]) for row, _ in live for target in wikilinks(row["content"])}
        slugs = [row["slug"] for row, _ in live]
        found = {(row["target"], row["slug"]) for row in self._rows(links, links.c.slug.in_(slugs))}
        if told == found:
            return len(told)
        slug = min(told ^ found)[1]
        return self._fault_of(
            "the links of a page are not those of its text", next(row for row, _ in live if row["slug"] == slug)
        )

    def _compared_terms(self, live: Sequence[tuple[Row, Event]]) -> VerifyFault | int:
        found: dict[int, dict[str, tuple[int, int]]] = {}
        for row in self._rows(terms, terms.c.doc.in_([row["doc"] for row, _ in live])):
            found.setdefault(row["doc"], {})[row["term"]] = (row["tf"], row["length"])
        rows = 0
        for row, event in live:
            counts: Mapping[str, int] = indexed(event) or {}
            told = {term: (tf, row["terms"]) for term, tf in counts.items()}
            if found.get(row["doc"], {}) != told:
                return self._fault_of("the index of a page is not that of its text", row)
            self.docs, self.length = self.docs + 1, self.length + row["terms"]
            rows += len(told)
        return rows

    def _compared_neighbours(self, live: Sequence[tuple[Row, Event]]) -> VerifyFault | int:
        """Hold against each page what its neighbours' row repeats of it; what stands before it comes at the end."""
        there = neighbours.c.doc.in_([row["doc"] for row, _ in live])
        found = {row["doc"]: (row["folder"], row["after"]) for row in self._rows(neighbours, there)}
        for row, _ in live:
            if found.get(row["doc"]) != (folder_of(row["slug"]), row["after"]):
                return self._fault_of(_NEIGHBOURS, row)
        return len(live)

    def _pages(self) -> Iterator[Sequence[Row]]:
        """Give the rows of the pages in order, so many at once."""
        after: str | None = None
        while True:
            where = [pages.c.slice == self._slice, *([pages.c.slug > after] if after is not None else [])]
            statement = select(pages).where(*where).order_by(pages.c.slug).limit(_AT_ONCE)
            found = self.session.execute(statement, of=self._slice).mappings().all()
            if found:
                yield found
            if len(found) < _AT_ONCE:
                return
            after = found[-1]["slug"]

    def _expected(self, slugs: Sequence[str]) -> dict[str, tuple[Row, Event]]:
        """Return the rows of some pages as their versions tell them, each with its last event that has a text."""
        versions = page_versions.c
        written = case((versions.title.is_not(None), versions.version))
        ends = (
            select(versions.slug, func.min(versions.version), func.max(versions.version), func.max(written))
            .where(versions.slice == self._slice, versions.slug.in_(slugs))
            .group_by(versions.slug)
        )
        of_slug = {slug: which for slug, *which in self.session.execute(ends, of=self._slice)}
        wanted = {(slug, number) for slug, which in of_slug.items() for number in which if number is not None}
        rows = self._rows(page_versions, tuple_(versions.slug, versions.version).in_(sorted(wanted)))
        found = {(row["slug"], row["version"]): row for row in rows}
        return {
            slug: self._told(found[slug, first], found[slug, last], found.get((slug, text)))
            for slug, (first, last, text) in of_slug.items()
        }

    @staticmethod
    def _told(first: Row, last: Row, text: Row | None) -> tuple[Row, Event]:
        """Return the row of a page from its first version, its last one, and the last one with a text."""
        row: dict[str, Any] | None = None
        event = _event(text if text is not None else last)
        if text is not None:
            counts = indexed(event) if text["version"] == last["version"] else None
            row = page_row(event, None, counts.total() if counts is not None else 0)
        if text is None or text["version"] != last["version"]:
            row = page_row(_event(last), row, 0)
        return {**(row or {}), "doc": first["seq"], "created_at": first["at"]}, event

    def _rows(self, table: Table, where: ColumnElement[bool]) -> Sequence[Row]:
        statement = select(table).where(table.c.slice == self._slice, where)
        return self.session.execute(statement, of=self._slice).mappings().all()

    def _counted(self, table: Table, *, distinct: bool = False) -> int:
        what = func.count(table.c.slug.distinct()) if distinct else func.count()
        statement = select(what).select_from(table).where(table.c.slice == self._slice)
        return int(self.session.execute(statement, of=self._slice).scalar_one())

    def _without_a_page(self) -> Row | None:
        versions = page_versions.c
        there = exists().where(pages.c.slice == self._slice, pages.c.slug == versions.slug)
        statement = select(page_versions).where(versions.slice == self._slice, ~there).limit(1)
        return self.session.execute(statement, of=self._slice).mappings().first()

    def _fault_of(self, what: str, row: Row | None = None) -> VerifyFault:
        known = row if row is not None else {}
        return VerifyFault(self._slice, known.get("seq"), known.get("event_id"), what)


def _event(version: Row) -> Event:
    """Return the event of a version, as far as it tells of the page: the version was held against it before."""
    about = {"slug": version["slug"], "version": version["version"], "action": version["action"]}
    approver = version["approver"]
    payload: dict[str, Any] = {"about": about, "approver": json_value(approver) if approver is not None else None}
    if version["title"] is not None:
        payload["page"] = {**{name: version[name] for name in NOTHING}, "tags": json_value(version["tags"])}
    return Event(
        slice=version["slice"], seq=version["seq"], event_id=version["event_id"], kind="", at=version["at"],
        author=json_value(version["author"]), prev="", digest="", hash="", payload=payload, salt=None,
    )  # fmt: skip
