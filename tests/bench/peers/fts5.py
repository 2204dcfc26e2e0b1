"""A plain FTS5 table of Python's own SQLite: words alone, and the slices as a filter of the caller's."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from tests.bench.peers.contest import LIMIT, NONE, Contestant, Data, Page, Question, compete


class Fts5(Contestant):
    """One table; its statistics are of all slices together."""

    kinds = (NONE,)

    def __init__(self, data: Data, folder: Path) -> None:
        super().__init__(data, folder)
        folder.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(folder / "fts5.db", isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        self._db.execute(
            "CREATE VIRTUAL TABLE IF NOT EXISTS pages USING fts5"
            "(slice UNINDEXED, slug UNINDEXED, text, tokenize='porter unicode61')"
        )

    def about(self) -> dict[str, str]:
        return {
            "version": f"SQLite {sqlite3.sqlite_version}",
            "durable": "WAL, synchronous=FULL",
            "union": "one MATCH of the words joined by OR, `slice IN (…)` as a filter, bm25()",
            "kept out by": "the caller's filter",
        }

    def take(self, pages: Sequence[Page], first: int) -> None:
        self._db.execute("BEGIN")
        self._db.executemany("INSERT INTO pages VALUES (?, ?, ?)", [(one.slice, one.slug, one.text) for one in pages])
        self._db.execute("COMMIT")

    def load(self) -> None:
        """There is no model."""

    def find(self, question: Question) -> list[tuple[str, str]]:
        return self._found(question.text, question.slices)

    def named(self, question: Question, slice: str) -> list[tuple[str, str]]:
        return self._found(question.text, (slice,))

    def write(self, page: Page) -> None:
        self._db.execute("INSERT INTO pages VALUES (?, ?, ?)", (page.slice, page.slug, page.text))

    def close(self) -> None:
        self._db.close()

    def _found(self, text: str, slices: Sequence[str]) -> list[tuple[str, str]]:
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", text))
        rows = self._db.execute(
            f"SELECT slice, slug, text FROM pages WHERE pages MATCH ? AND slice IN ({', '.join('?' * len(slices))}) "
            "ORDER BY bm25(pages) LIMIT ?",
            (words, *slices, LIMIT),
        ).fetchall()
        return [(slice, slug) for slice, slug, _ in rows]


if __name__ == "__main__":
    compete(Fts5)
