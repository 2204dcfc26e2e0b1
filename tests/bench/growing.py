"""Stores of several sizes with the same readable slices, for the bench of growth: filled by the import, embedded by
vectors that are drawn, and grown by copying foreign slices row by row.

A million pages taken in one by one take a quarter of an hour on each engine, and a read looks at no row of theirs. So a
store's foreign slices but the first few are copies, of every table, under another name. Their chains are not their own
any more: such a store does not verify, and is good for reading alone.
"""

from __future__ import annotations

import hashlib
import json
import random
import sqlite3
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from sliceway.brain.local import LocalDoor, open_local
from sliceway.core.principals import Principal
from sliceway.ports.embedder import Embedder, Vector
from sliceway.store.tables import metadata
from sliceway.wiring.fresh import new_id, now
from tests.bench.test_brain_speed import READ, WORDS

IN_SLICE = 500
_FOREIGN = 16
"""Foreign slices that are filled; the others are copies of these."""
_DIMS = 384


class Drawn(Embedder):
    """A model whose vectors are drawn, the same for the same text: what it takes to make them is apart."""

    name, key, loaded = "drawn", "drawn", True

    async def load(self) -> None:
        """Nothing is loaded."""

    async def embed_pages(self, texts: Sequence[str]) -> Sequence[Vector]:
        """See `Embedder.embed_pages`."""
        return [_vector(text) for text in texts]

    async def embed_query(self, text: str) -> Vector:
        """See `Embedder.embed_query`."""
        return _vector(text)

    async def close(self) -> None:
        """Nothing is held."""


@lru_cache(maxsize=1 << 14)
def _vector(text: str) -> Vector:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    numbers = np.random.default_rng(seed).standard_normal(_DIMS, np.float32)
    return (numbers / np.linalg.norm(numbers)).astype("<f4").tobytes()


@dataclass(frozen=True)
class Place:
    """Where a store is: its address, and that of its owner on PostgreSQL."""

    url: str
    owner_url: str | None = None

    async def open(self, *, semantic: bool) -> LocalDoor:
        """Open it, with the model or without."""
        model = Drawn() if semantic else None
        return await open_local(self.url, sync="normal", clock=now, new_id=new_id, embedder=model)

    @contextmanager
    def rows(self) -> Iterator[_Rows]:
        """Give what copies its rows, past everything."""
        connection: Any
        if self.owner_url is None:
            connection = sqlite3.connect(self.url.removeprefix("sqlite:///"), isolation_level=None)
            connection.execute("PRAGMA cache_size=-262144")
            connection.execute("PRAGMA synchronous=OFF")
        else:
            import psycopg  # of the extra `postgres`

            connection = psycopg.connect(self.owner_url, autocommit=True)
        try:
            yield _Rows(connection, "?" if self.owner_url is None else "%s")
            connection.execute("ANALYZE" if self.owner_url is not None else "PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            connection.close()


@dataclass(frozen=True)
class _Rows:
    connection: Any
    mark: str

    def copy(self, source: str, names: Iterable[str]) -> None:
        """Copy a slice under other names, in one transaction."""
        self.connection.execute("BEGIN")
        for name in names:
            for table in metadata.sorted_tables:
                columns = ", ".join(f'"{one.name}"' for one in table.c if one.name != "slice")
                said = f"INSERT INTO {table.name} (slice, {columns}) SELECT {self.mark}, {columns} FROM {table.name}"
                self.connection.execute(f"{said} WHERE slice = {self.mark}", (name, source))
        self.connection.execute("COMMIT")


async def filled(place: Place, slices: Mapping[str, int], pages: int) -> None:
    """Make a store of so many pages: these slices first, with so many each, then foreign ones.

    Agent `ada` reads the slices that are mounted.
    """
    left = pages - sum(slices.values())
    foreign = [f"agent-x{at}" for at in range(max(left, 0) // IN_SLICE)]
    async with await place.open(semantic=True) as door:
        operator = door.enter(Principal.operator("bench"))
        await operator.set_policy(kb={"ada": sorted(name for name in slices if name.startswith("kb-"))})
        report = await operator.import_(_lines({**slices, **dict.fromkeys(foreign[:_FOREIGN], IN_SLICE)}))
        assert not report.errors, report.errors[:3]
        worker = door.embedding_worker("bench")
        while worker is not None and await worker.pending():
            await worker.run_once()
    with place.rows() as rows:
        for at, source in enumerate(foreign[:_FOREIGN]):
            rows.copy(source, foreign[_FOREIGN + at :: _FOREIGN])


async def _lines(slices: Mapping[str, int]) -> AsyncIterator[bytes]:
    """Give notes of 25 words, the same in every store for slices of the same names."""
    for name, count in slices.items():
        drawn = random.Random(name)
        for at in range(count):
            page = {"slice": name, "slug": f"n/{at}", "content": " ".join(drawn.choices(WORDS, k=25))}
            yield json.dumps({"page": page}).encode() + b"\n"


def readable() -> dict[str, int]:
    """Return the four slices of 500 that are the same in every store."""
    return dict.fromkeys(READ, IN_SLICE)


def sqlite_at(folder: Path, name: str) -> Place:
    """Return a place for a store in a file."""
    return Place(f"sqlite:///{folder / f'{name}.db'}")
