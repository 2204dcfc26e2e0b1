"""How well recall finds what people mean, by words alone and with a model: conversations, paraphrases, names.

Figures of the same run stand beside each other. LoCoMo is read from where it is kept, beside the project, and is
skipped where it is not.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from sliceway.brain.local import LocalBrain, LocalDoor, open_local
from sliceway.core.principals import Principal
from sliceway.embed.minilm import MiniLm
from sliceway.wiring.fresh import new_id, now
from tests.bench.paraphrases import NAMED, NOTES, PARAPHRASES

pytestmark = [pytest.mark.bench, pytest.mark.timeout(1800)]

_DATA = Path("shared") / "data" / "locomo_dev.json"
LOCOMO = next((one / _DATA for one in Path(__file__).parents if (one / _DATA).exists()), None)
Ask = Callable[[str], Awaitable[Sequence[str]]]


@asynccontextmanager
async def store(folder: Path, *, semantic: bool) -> AsyncIterator[LocalDoor]:
    """Open a store, with a model or without."""
    model = MiniLm() if semantic else None
    url = f"sqlite:///{folder / 'brain.db'}"
    async with await open_local(url, sync="normal", clock=now, new_id=new_id, embedder=model) as door:
        yield door


async def filled(door: LocalDoor, agent: str, pages: Sequence[Mapping[str, Any]]) -> LocalBrain:
    """Return an agent's brain with these pages in its mind, embedded where there is a model."""
    brain = door.enter(Principal.agent(agent))
    for start in range(0, len(pages), 20):
        await brain.write_pages(slice="mine", pages=list(pages[start : start + 20]))
    worker = door.embedding_worker("bench")
    while worker is not None and await worker.pending():
        await worker.run_once()
    return brain


def asking(brain: LocalBrain, *, limit: int = 10) -> Ask:
    """Return what answers a question with the slugs of its hits."""

    async def ask(question: str) -> Sequence[str]:
        found = await brain.recall(query=question, limit=limit)
        return [hit.slug for hit in found.hits]

    return ask


async def at(ask: Ask, questions: Sequence[tuple[str, str]], first: int) -> float:
    """Return the share of questions whose page is among the first hits."""
    return sum([slug in (await ask(query))[:first] for query, slug in questions]) / len(questions)


@pytest.mark.parametrize("semantic", [False, True])
async def test_paraphrases_and_names(tmp_path: Path, semantic: bool) -> None:
    """FR3: R@1 and R@5 of hard paraphrases, and R@1 of names and ids."""
    async with store(tmp_path, semantic=semantic) as door:
        ask = asking(await filled(door, "ada", [{"slug": slug, "content": text} for slug, text in NOTES.items()]))
        figures = [await at(ask, PARAPHRASES, 1), await at(ask, PARAPHRASES, 5), await at(ask, NAMED, 1)]
    name = "minilm" if semantic else "words"
    print(f"\n{name:7} paraphrases R@1 {figures[0]:.3f} R@5 {figures[1]:.3f}; names R@1 {figures[2]:.3f}")


@pytest.mark.parametrize("semantic", [False, True])
async def test_conversations(tmp_path: Path, semantic: bool) -> None:
    """FR3: turns of LoCoMo, a page each and a mind for each conversation, the folder of a slug being the session."""
    if LOCOMO is None:
        pytest.skip(f"no {_DATA.name} beside the project")
    told = []
    async with store(tmp_path, semantic=semantic) as door:
        for number, one in enumerate(json.loads(LOCOMO.read_text(encoding="utf-8"))):
            pages = [
                {
                    "slug": slug_of(turn["id"]),
                    "title": f"{turn['speaker']}, {turn['when']}",
                    "content": f"{turn['text']} {turn.get('caption') or ''}".strip(),
                }
                for turn in one["turns"]
            ]
            ask = asking(await filled(door, f"conv-{number}", pages))
            known = {page["slug"] for page in pages}
            for question in one["questions"]:
                evidence = {slug_of(each) for each in question["evidence"]} & known
                if evidence:
                    told.append((evidence, await ask(question["question"])))
    share = [sum(bool(evidence & set(hits[:first])) for evidence, hits in told) / len(told) for first in (1, 5, 10)]
    recall = sum(len(evidence & set(hits[:10])) / len(evidence) for evidence, hits in told) / len(told)
    name = "minilm" if semantic else "words"
    print(f"\n{name:7} {len(told)} questions: hit@1 {share[0]:.3f} @5 {share[1]:.3f} @10 {share[2]:.3f}", end=", ")
    print(f"recall@10 {recall:.3f}")


def slug_of(turn: str) -> str:
    """Return the slug of a turn, `D1:3` being the third of the first session."""
    return turn.lower().replace(":", "/")


async def test_time(tmp_path: Path) -> None:
    """FR10: words alone beside words and meaning, one question after the other, over 3 x 650 pages; and a question's
    vector."""
    slices = ("agent-ada", "public", "shared")
    texts = list(NOTES.values()) * 11
    async with store(tmp_path, semantic=True) as door:
        lines = [
            json.dumps({"page": {"slice": name, "slug": f"n{at}", "content": f"{text} ({name} {at})"}}).encode() + b"\n"
            for name in slices
            for at, text in enumerate(texts[:650])
        ]

        async def given() -> AsyncIterator[bytes]:
            for line in lines:
                yield line

        await door.enter(Principal.operator("bench")).import_(given())
        worker = door.embedding_worker("bench")
        assert worker is not None
        assert door.meaning is not None
        await door.meaning.embedder.load()
        began = time.perf_counter()
        while await worker.pending():
            await worker.run_once()
        print(f"\nembedded {len(lines) / (time.perf_counter() - began):.0f} pages a second")
        ada = Principal.agent("ada")
        words = LocalBrain(door.store, ada, clock=now, new_id=new_id, new_secret=new_id)
        took: dict[str, list[float]] = {"vector": [], "words": [], "hybrid": []}
        for number in range(200):
            query = f"{PARAPHRASES[number % len(PARAPHRASES)][0]} {number}"
            for name, each in took.items():
                began = time.perf_counter()
                if name == "vector":
                    await door.meaning.vector_of(query)
                else:
                    found = await (door.enter(ada) if name == "hybrid" else words).recall(query=query)
                    assert len(found.slices_read) == len(slices)
                each.append(1000 * (time.perf_counter() - began))
        for name, each in took.items():
            each.sort()
            print(f"{name:7} p50 {each[100]:.2f} ms, p95 {each[190]:.2f} ms")
