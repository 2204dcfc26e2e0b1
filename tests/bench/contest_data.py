"""The data of the bench side by side: notes of 25 words in slices of 500, questions of three words, their vectors; and
conversations where they are at hand. Vectors are made once, and kept in the cache."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sliceway.core.slices import agent_slice
from sliceway.embed.minilm import MiniLm
from tests.bench.environments import cache
from tests.bench.locomo import conversations, turn_page
from tests.bench.test_brain_speed import READ, WORDS

IN_SLICE = 500
QUESTIONS = 400
_DISTINCT = 2000
"""Foreign notes whose vectors the model makes; those of the rest lie near these, each moved by its own noise."""
_NOISE = 0.02
_SEED = 17

Vectors = NDArray[np.float32]


def notes(folder: Path, pages: int) -> list[tuple[str, str]]:
    """Write the data of so many pages: the four readable slices first, then foreign ones. Return the foreign notes that
    stand first in their slices, with these."""
    drawn = random.Random(_SEED)
    names = [*READ, *(f"agent-x{at}" for at in range(pages // IN_SLICE - len(READ)))]
    listed = [
        (name, f"n/{at}", " ".join(drawn.choices(WORDS, k=25))) for name in names for at in range(IN_SLICE)
    ]  # fmt: skip
    asked = [("ada", READ, " ".join(drawn.sample(WORDS, k=3))) for _ in range(QUESTIONS)]
    made = len(READ) * IN_SLICE + min(_DISTINCT, len(listed) - len(READ) * IN_SLICE)
    vectors = _embedded([text for _, _, text in listed[:made]])
    foreign = vectors[len(READ) * IN_SLICE :]
    _write(folder, "questions", asked, _embedded([text for _, _, text in asked]))
    _write(folder, "pages", listed, np.concatenate([vectors, _moved(foreign, len(listed) - made)]))
    return [(name, text) for name, slug, text in listed[len(READ) * IN_SLICE :] if slug == "n/0"]


def turns(folder: Path) -> list[set[str]]:
    """Write conversations as data, a page a turn and a slice a conversation; return the slugs that answer each
    question. Skips the test where there are none."""
    listed, asked, wanted = [], [], []
    for at, conversation in enumerate(conversations()):
        reader = f"reader{at}"
        own = agent_slice(reader)
        pages = {turn["id"]: turn_page(turn) for turn in conversation["turns"]}
        listed += [(own, page["slug"], page["content"]) for page in pages.values()]
        for question in conversation["questions"]:
            slugs = {pages[turn]["slug"] for turn in question["evidence"] if turn in pages}
            if slugs:
                asked.append((reader, [own], question["question"]))
                wanted.append(slugs)
    _write(folder, "questions", asked, _embedded([text for _, _, text in asked]))
    _write(folder, "pages", listed, _embedded([text for _, _, text in listed]))
    return wanted


def _write(folder: Path, name: str, rows: Sequence[object], vectors: Vectors) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    vectors.astype(np.float32).tofile(folder / f"{name}.f32")


def _moved(vectors: Vectors, count: int) -> Vectors:
    """Return so many vectors near the given ones, of length one."""
    if not count:
        return vectors[:0]
    near = vectors[np.arange(count) % len(vectors)]
    moved: Vectors = near + np.random.default_rng(_SEED).normal(0, _NOISE, near.shape).astype(np.float32)
    return moved / np.float32(np.linalg.norm(moved, axis=1, keepdims=True))


def _embedded(texts: Sequence[str]) -> Vectors:
    model = MiniLm()
    digest = hashlib.sha256("\0".join([model.key, *texts]).encode()).hexdigest()
    file = cache() / "vectors" / f"{digest[:24]}.npy"
    if not file.exists():
        made = np.array([np.frombuffer(one, np.float32) for one in _made(model, texts)])
        file.parent.mkdir(parents=True, exist_ok=True)
        np.save(file, made)
    found: Vectors = np.load(file)
    return found


def _made(model: MiniLm, texts: Sequence[str]) -> Iterator[bytes]:
    encoder = model.opened()
    for start in range(0, len(texts), 64):
        yield from encoder(texts[start : start + 64], query=False)
