"""Chroma's persistent client, given the vectors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import Any

import chromadb
from chromadb.config import Settings

from tests.bench.peers.contest import KNOWN, LIMIT, MODEL, Contestant, Data, Page, Question, compete


class Chroma(Contestant):
    """A collection for each slice."""

    kinds = (KNOWN, MODEL)

    def __init__(self, data: Data, folder: Path) -> None:
        super().__init__(data, folder)
        self._client = chromadb.PersistentClient(str(folder), settings=Settings(anonymized_telemetry=False))
        self._collection = cache(self._opened)

    def about(self) -> dict[str, str]:
        return {
            "version": f"chromadb {version('chromadb')}",
            "durable": "its own default: SQLite with a rollback journal, synchronous=FULL",
            "union": "a query for each collection, merged by distance; several times quicker here than one collection "
            "with a `where`",
            "kept out by": "the caller's choice of collections",
        }

    def take(self, pages: Sequence[Page], first: int) -> None:
        for name, some in groupby(enumerate(pages, first), key=lambda each: each[1].slice):
            listed = list(some)
            self._collection(name).add(
                ids=[page.slug for _, page in listed], documents=[page.text for _, page in listed],
                embeddings=[self.data.page_vectors[at] for at, _ in listed],
            )  # fmt: skip

    def find(self, question: Question) -> list[tuple[str, str]]:
        return self._found(question.text, question.slices)

    def named(self, question: Question, slice: str) -> list[tuple[str, str]]:
        return self._found(question.text, (slice,))

    def write(self, page: Page) -> None:
        [vector] = self.embeddings.of([page.text])
        self._collection(page.slice).add(ids=[page.slug], documents=[page.text], embeddings=[vector])

    def _opened(self, name: str) -> Any:
        shape = {"hnsw": {"space": "cosine"}}
        return self._client.get_or_create_collection(name, embedding_function=None, configuration=shape)

    def _found(self, text: str, slices: Sequence[str]) -> list[tuple[str, str]]:
        [vector] = self.embeddings.of([text])
        hits: list[tuple[float, str, str]] = []
        for name in slices:
            found = self._collection(name).query(
                query_embeddings=[vector], n_results=LIMIT, include=["documents", "distances"]
            )
            pairs = zip(found["distances"][0], found["ids"][0], strict=True)
            hits += [(distance, name, slug) for distance, slug in pairs]
        return [(name, slug) for _, name, slug in sorted(hits)[:LIMIT]]


if __name__ == "__main__":
    compete(Chroma)
