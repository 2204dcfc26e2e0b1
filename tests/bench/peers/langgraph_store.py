"""LangGraph's SqliteStore, with its index of vectors by sqlite-vec."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

if not hasattr(sqlite3.Connection, "enable_load_extension"):  # sqlite-vec is one, and some builds of Python take none
    sqlite3 = sys.modules["sqlite3"] = import_module("pysqlite3")

from langgraph.store.base import PutOp, SearchOp
from langgraph.store.sqlite import SqliteStore

from tests.bench.peers.contest import DIMS, LIMIT, NONE, Contestant, Data, Page, Question, compete

_AT_ONCE = 500


class LangGraph(Contestant):
    """A namespace for each slice."""

    def __init__(self, data: Data, folder: Path) -> None:
        super().__init__(data, folder)
        folder.mkdir(parents=True, exist_ok=True)
        self._db = sqlite3.connect(folder / "store.db", check_same_thread=False, isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=FULL")
        index = {"dims": DIMS, "embed": self._embed, "text_fields": ["text"], "fields": ["text"]}
        self._store = SqliteStore(self._db, index=index)
        self._store.setup()

    def about(self) -> dict[str, str]:
        named = ("langgraph-checkpoint-sqlite", "langgraph-checkpoint", "sqlite-vec")
        return {
            "version": ", ".join(f"{name} {version(name)}" for name in named) + f", SQLite {sqlite3.sqlite_version}",
            "durable": "WAL, synchronous=FULL; quicker than its own default, a rollback journal",
            "union": "one batch() with a search for each namespace, merged by score; no prefix spans just these",
            "kept out by": "the caller's namespace",
        }

    def take(self, pages: Sequence[Page], first: int) -> None:
        for start in range(0, len(pages), _AT_ONCE):
            some = pages[start : start + _AT_ONCE]
            self._store.batch([PutOp((one.slice,), one.slug, {"text": one.text}) for one in some])

    def find(self, question: Question) -> list[tuple[str, str]]:
        return self._found(question.text, question.slices)

    def named(self, question: Question, slice: str) -> list[tuple[str, str]]:
        return self._found(question.text, (slice,))

    def write(self, page: Page) -> None:
        meant = False if self.embeddings.how == NONE else None
        self._store.put((page.slice,), page.slug, {"text": page.text}, index=meant)

    def close(self) -> None:
        self._db.close()

    def _found(self, text: str, slices: Sequence[str]) -> list[tuple[str, str]]:
        searched = self._store.batch([SearchOp((name,), limit=LIMIT, query=text) for name in slices])
        hits = sorted((hit for found in searched for hit in found), key=lambda hit: -hit.score)[:LIMIT]
        return [(hit.namespace[0], hit.key) for hit in hits]

    def _embed(self, texts: Sequence[str]) -> list[list[float]]:
        """Return a vector for each text; a batch of searches asks for the same one once for each."""
        distinct = list(dict.fromkeys(texts))
        vectors = dict(zip(distinct, self.embeddings.of(distinct), strict=True))
        return [vectors[text].tolist() for text in texts]


if __name__ == "__main__":
    compete(LangGraph)
