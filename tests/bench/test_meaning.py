"""Words alone beside words and meaning: hard paraphrases among near misses, names, and time."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path

import pytest

from sliceway.brain.local import LocalBrain
from sliceway.core.principals import Principal
from sliceway.wiring.fresh import new_id, now
from tests.bench.figures import add
from tests.bench.filling import filled, named, store
from tests.bench.paraphrases import NAMED, NOTES, PARAPHRASES

pytestmark = [pytest.mark.bench, pytest.mark.timeout(1800)]

Ask = Callable[[str], Awaitable[Sequence[str]]]


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
    row = {"": f"paraphrases among near misses, {named(semantic)}", "asked": len(PARAPHRASES)}
    row |= {
        "hit@1": round(figures[0], 3),
        "hit@5": round(figures[1], 3),
        "hit@10": None,
        "recall@10": None,
        "MRR": None,
    }
    add("quality", "Quality", row)
    print(f"\n{named(semantic):7} paraphrases R@1 {figures[0]:.3f} R@5 {figures[1]:.3f}; names R@1 {figures[2]:.3f}")


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
