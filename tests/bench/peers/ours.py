"""Sliceway itself, embedded: the same calls as over HTTP, without the wire."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Coroutine, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

from sliceway.brain.local import LocalBrain, open_local
from sliceway.core.principals import Principal
from sliceway.embed.minilm import MiniLm
from sliceway.ports.embedder import Embedder, Vector
from sliceway.wiring.fresh import new_id, now
from tests.bench.peers.contest import LIMIT, MODEL, NONE, Contestant, Data, Embeddings, Page, Question, compete

Result = TypeVar("Result")


class _Given(Embedder):
    """The vectors that every contestant has; the model as it runs in the product, where it is to be measured."""

    name, loaded = "minilm", True

    def __init__(self, embeddings: Embeddings) -> None:
        self._embeddings, self._model = embeddings, MiniLm()

    @property
    def key(self) -> str:
        return self._model.key

    async def load(self) -> None:
        await self._model.load()

    async def embed_pages(self, texts: Sequence[str]) -> Sequence[Vector]:
        if self._embeddings.how == MODEL:
            return await self._model.embed_pages(texts)
        return [vector.tobytes() for vector in self._embeddings.of(texts)]

    async def embed_query(self, text: str) -> Vector:
        if self._embeddings.how == MODEL:
            return await self._model.embed_query(text)
        return self._embeddings.of([text])[0].tobytes()

    async def close(self) -> None:
        await self._model.close()


class Sliceway(Contestant):
    """Readers are agents, each known by a token."""

    def __init__(self, data: Data, folder: Path) -> None:
        super().__init__(data, folder)
        folder.mkdir(parents=True, exist_ok=True)
        self._loop = asyncio.Runner()
        self._model = _Given(self.embeddings)
        self._door = self._run(
            open_local(f"sqlite:///{folder / 'brain.db'}", clock=now, new_id=new_id, embedder=self._model)
        )
        worker = self._door.embedding_worker("bench")
        assert worker is not None
        self._worker = worker
        self._brains: dict[str, LocalBrain] = {}

    def about(self) -> dict[str, str]:
        return {
            "version": f"sliceway {version('sliceway')}",
            "durable": "WAL, synchronous=FULL",
            "union": "one call; words and meaning together",
            "kept out by": "the reader's token",
        }

    def take(self, pages: Sequence[Page], first: int) -> None:
        async def lines() -> AsyncIterator[bytes]:
            for one in pages:
                page = {"slice": one.slice, "slug": one.slug, "content": one.text}
                yield json.dumps({"page": page}).encode() + b"\n"

        async def taken() -> None:
            operator = self._door.enter(Principal.operator("bench"))
            await operator.set_policy(kb={"ada": ["kb-guide"]})
            report = await operator.import_(lines())
            assert not report.errors, report.errors[:3]
            while await self._worker.pending():
                await self._worker.run_once()

        self._run(taken())

    def find(self, question: Question) -> list[tuple[str, str]]:
        return self._found(question, None)

    def named(self, question: Question, slice: str) -> list[tuple[str, str]]:
        return self._found(question, [slice])

    def write(self, page: Page) -> None:
        reader = self._reader(self.data.questions[0].reader)
        self._run(reader.write_pages(slice="mine", pages=[{"slug": page.slug, "content": page.text}]))

    def settled(self) -> None:
        if self.embeddings.how != NONE:
            self._run(self._worker.run_once())

    def load(self) -> None:
        """Load the model."""
        self._run(self._model.load())

    def close(self) -> None:
        self._run(self._door.close())
        self._loop.close()

    def _found(self, question: Question, slices: list[str] | None) -> list[tuple[str, str]]:
        recalled = self._run(self._reader(question.reader).recall(query=question.text, slices=slices, limit=LIMIT))
        assert recalled.degraded == (), recalled.degraded
        return [(hit.slice, hit.slug) for hit in recalled.hits]

    def _reader(self, name: str) -> LocalBrain:
        """Return the brain as the holder of this agent's token has it; the token is made at its first call."""
        if name not in self._brains:
            self._brains[name] = self._run(self._entered(name))
        return self._brains[name]

    async def _entered(self, name: str) -> LocalBrain:
        made = await self._door.enter(Principal.operator("bench")).create_token(kind="agent", agent=name)
        return self._door.enter(await self._door.principal_of(made.token))

    def _run(self, work: Coroutine[Any, Any, Result]) -> Result:
        return self._loop.run(work)


if __name__ == "__main__":
    compete(Sliceway)
