"""Many events of one slice's pages at once: what `pages.project` does for one, with few statements (BR11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

from sqlalchemy import select

from sliceway.core.ledger import Event
from sliceway.core.pages import wikilinks
from sliceway.store import neighbours, postings, replay, vectors
from sliceway.store.ledger import SliceTransaction
from sliceway.store.marks import last_versions
from sliceway.store.session import Session
from sliceway.store.tables import events, links, page_versions, pages, terms

Row = Mapping[str, Any]


class PageBatch:
    """Pages of one slice that some events change. `write` brings every row in step, once."""

    def __init__(self, session: Session, slice_name: str, slugs: Iterable[str]) -> None:
        """Read the rows of these pages as they stand; events of others may not follow."""
        session.expects_many()
        self._session, self._slice = session, slice_name
        self._erased: Mapping[str, int] = {}
        statement = select(pages).where(pages.c.slice == slice_name, pages.c.slug.in_(sorted(set(slugs))))
        found = session.execute(statement, of=slice_name).mappings()
        self._before: dict[str, Row] = {row["slug"]: dict(row) for row in found}
        self._rows: dict[str, Row] = dict(self._before)
        self._counts: dict[str, Counter[str] | None] = {}
        self._versions: list[Row] = []

    @classmethod
    def under(cls, tx: SliceTransaction, slugs: Iterable[str]) -> Self:
        """Return the batch of a transaction that makes new events: versions go on where a page was erased (BR10)."""
        wanted = set(slugs)
        batch = cls(tx.session, tx.slice, wanted)
        batch._erased = last_versions(tx.session, tx.slice, tx.key, wanted - batch._rows.keys())
        return batch

    def next_version(self, slug: str) -> int:
        """Return the version that the next event of a page makes."""
        row = self._rows.get(slug)
        last: int = row["version"] if row is not None else self._erased.get(slug, 0)
        return last + 1

    def append(self, tx: SliceTransaction, told: Sequence[Mapping[str, Any]]) -> None:
        """Keep the events that were followed, as rows, and bring every row in step with them, once."""
        if told:
            tx.session.insert(events, told, into=tx.slice)
        docs, length = self.write()
        tx.docs, tx.length = tx.docs + docs, tx.length + length

    def row(self, slug: str) -> Row | None:
        """Return a page's row as the events so far leave it."""
        return self._rows.get(slug)

    def follow(self, event: Event, terms: Mapping[str, int] | None = None) -> None:
        """Take one event of a page into account.

        :param terms: those of its text, where they are known.
        """
        counts = replay.indexed(event, terms)
        version = replay.version_row(event)
        slug = version["slug"]
        length = counts.total() if counts is not None else 0
        self._rows[slug] = replay.page_row(event, self._rows.get(slug), length, version)
        self._counts[slug] = counts
        self._versions.append(version)

    def write(self) -> tuple[int, int]:
        """Write what followed, and return by how many pages and terms the slice grew."""
        if not self._counts:
            return 0, 0
        session, name = self._session, self._slice
        before = [self._before[slug] for slug in self._counts if slug in self._before]
        after = [self._rows[slug] for slug in self._counts]
        gone = [row for row in before if row["deleted_at"] is None]
        if gone:
            session.delete(terms, terms.c.doc.in_([row["doc"] for row in gone]), into=name)
            session.delete(links, links.c.slug.in_([row["slug"] for row in gone]), into=name)
            vectors.drop(session, name, gone, self._versions[-1]["event_id"])
        if before:
            session.delete(pages, pages.c.slug.in_([row["slug"] for row in before]), into=name)
        session.insert(pages, after, into=name)
        session.insert(page_versions, self._versions, into=name)
        live = [row for row in after if row["deleted_at"] is None]
        postings.put_all(session, name, [(page["doc"], self._counts[page["slug"]] or Counter()) for page in live])
        neighbours.move(session, name, gone, live)
        pointing = [{"target": to, "slug": page["slug"]} for page in live for to in wikilinks(page["content"])]
        if pointing:
            session.insert(links, pointing, into=name)
        length = sum(row["terms"] for row in live) - sum(row["terms"] for row in gone)
        return len(live) - len(gone), length
