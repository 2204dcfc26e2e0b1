"""What contestants work on, and how they are spoken to. Imports nothing that an environment of theirs may lack.

The data is a folder: `pages.jsonl` and `questions.jsonl`, and beside each its vectors, 384 numbers of 32 bits a line. A
request is a line of JSON on stdin, `{"do": NAME, …}`; its answer is one on stdout, `{"answer": …}`. What fails ends it,
with a trace.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

DIMS = 384
LIMIT = 10
"""Hits that every question asks for."""
KNOWN, MODEL, NONE = "known", "model", "none"
"""Where a vector comes from: it is known beforehand; the model makes it, inline; there is none."""

Vectors = NDArray[np.float32]


@dataclass(frozen=True)
class Page:
    """One page of the data."""

    slice: str
    slug: str
    text: str


@dataclass(frozen=True)
class Question:
    """One question, by who reads these slices."""

    reader: str
    slices: tuple[str, ...]
    text: str


class Data:
    """A folder of data."""

    def __init__(self, folder: Path) -> None:
        """Read the questions; pages and vectors stay in their files until they are asked for."""
        self._folder = folder
        self.questions = [
            Question(reader, tuple(slices), text)
            for reader, slices, text in map(json.loads, _lines(folder / "questions.jsonl"))
        ]
        self.page_vectors = _vectors(folder / "pages.f32")
        self.question_vectors = _vectors(folder / "questions.f32")

    @cached_property
    def pages(self) -> list[Page]:
        """The pages."""
        return [Page(*json.loads(line)) for line in _lines(self._folder / "pages.jsonl")]


class Embeddings:
    """What texts are embedded by: their known vectors, or the model of the extra `semantic`, the same for all."""

    def __init__(self, data: Data) -> None:
        """Know the vectors of this data, by what the texts say."""
        self.how = KNOWN
        self._data = data

    def of(self, texts: Sequence[str]) -> list[Vectors]:
        """Return a vector for each text; what is not known is for the model."""
        if self.how == MODEL:
            return self._made(texts)
        return [vector if (vector := self._known(text)) is not None else self._made([text])[0] for text in texts]

    def load(self) -> None:
        """Load the model."""
        self._made(["ready"])

    def _made(self, texts: Sequence[str]) -> list[Vectors]:
        return [np.frombuffer(vector, np.float32) for vector in self._model(texts, query=False)]

    @cached_property
    def _model(self) -> Callable[..., list[bytes]]:
        from sliceway.embed.minilm import MiniLm  # needs the model's own packages alone

        return MiniLm().opened()

    def _known(self, text: str) -> Vectors | None:
        digest, data = _digest(text), self._data
        known, vectors = self._questions, data.question_vectors
        if digest not in known:
            known, vectors = self._pages, data.page_vectors
        found: Vectors | None = vectors[known[digest]] if digest in known else None
        return found

    @cached_property
    def _questions(self) -> dict[bytes, int]:
        return {_digest(one.text): at for at, one in enumerate(self._data.questions)}

    @cached_property
    def _pages(self) -> dict[bytes, int]:
        return {_digest(one.text): at for at, one in enumerate(self._data.pages)}


class Contestant(ABC):
    """A store that is measured. What is timed is timed here, so that no pipe counts."""

    kinds: tuple[str, ...] = (KNOWN, MODEL, NONE)
    """Where the vectors of its pages may come from."""

    def __init__(self, data: Data, folder: Path) -> None:
        """Open the store in `folder`, made where it is missing."""
        self.data, self.folder = data, folder
        self.embeddings = Embeddings(data)

    @abstractmethod
    def about(self) -> dict[str, str]:
        """Return its version, what makes its writes durable, how it reads a union, and what keeps a reader out."""

    @abstractmethod
    def take(self, pages: Sequence[Page], first: int) -> None:
        """Take in pages with their known vectors, the quickest way there is; `first` is the place of the first."""

    @abstractmethod
    def find(self, question: Question) -> list[tuple[str, str]]:
        """Return slice and slug of the best hits of the union that the reader may read, best first."""

    @abstractmethod
    def write(self, page: Page) -> None:
        """Write one page durably; with its vector where `embeddings.how` says so."""

    def load(self) -> None:
        """Load the model."""
        self.embeddings.load()

    def settled(self) -> None:
        """Return when what was written is found by its meaning; where that is when the write returns, at once."""
        return

    @abstractmethod
    def named(self, question: Question, slice: str) -> list[tuple[str, str]]:
        """Ask as the question's reader, naming a slice that is not among theirs."""

    def recall(self, questions: Sequence[int], how: str) -> list[float]:
        """Return how long each question took, in milliseconds, the vector of the question included; nothing where
        there is no such kind."""
        if how not in self.kinds:
            return []
        self.embeddings.how = how
        return [self._timed(partial(self.find, self.data.questions[at])) for at in questions]

    def found(self, questions: Sequence[int]) -> list[list[tuple[str, str]]]:
        """Return the hits of each question."""
        self.embeddings.how = KNOWN
        return [self.find(self.data.questions[at]) for at in questions]

    def wrote(self, numbers: Sequence[int], how: str) -> list[tuple[float, float]]:
        """Write a new note each into the first reader's own slice; return how long the write took, and how long until
        it was found by meaning too, in milliseconds; nothing where there is no such kind."""
        if how not in self.kinds:
            return []
        self.embeddings.how = how
        own = self.data.questions[0].slices[0]
        spent = []
        for number in numbers:
            page = Page(own, f"w/{how}-{number}", f"{self.data.pages[number].text} Noted again as {how} {number}.")
            began = time.perf_counter()
            self.write(page)
            returned = time.perf_counter()
            self.settled()
            spent.append(((returned - began) * 1e3, (time.perf_counter() - began) * 1e3))
        return spent

    def held(self) -> dict[str, float]:
        """Return the bytes on disk, and the memory of this process in MB: resident, at most, and its own."""
        status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
        memory = {name: int(status[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM", "RssAnon")}
        disk = sum(file.stat().st_size for file in self.folder.rglob("*") if file.is_file())
        return {"bytes": disk, **memory}

    def close(self) -> None:
        """Let go of the store, where it holds anything that does not end with the process."""
        return

    @staticmethod
    def _timed(act: Callable[[], object]) -> float:
        began = time.perf_counter()
        act()
        return (time.perf_counter() - began) * 1e3


def compete(contestant: type[Contestant]) -> None:
    """Answer what is asked on stdin until it ends. Arguments: the folder of the data, that of the store."""
    data = Data(Path(sys.argv[1]))
    store = contestant(data, Path(sys.argv[2]))
    for line in sys.stdin:
        asked = json.loads(line)
        print(json.dumps({"answer": _answered(store, asked.pop("do"), asked)}), flush=True)
    store.close()


def _answered(store: Contestant, do: str, given: dict[str, Any]) -> Any:
    if do == "take":
        store.embeddings.how = KNOWN
        began = time.perf_counter()
        store.take(store.data.pages[given["start"] : given["stop"]], given["start"])
        return time.perf_counter() - began
    if do == "named":
        store.embeddings.how = KNOWN
        reader = store.data.questions[0]
        questions = [(replace(reader, text=text), slice) for text, slice in given["asked"]]
        return [store.find(one) if slice is None else store.named(one, slice) for one, slice in questions]
    return getattr(store, do)(**given)


def _lines(file: Path) -> list[str]:
    return file.read_text(encoding="utf-8").splitlines()


def _vectors(file: Path) -> Vectors:
    return np.memmap(file, np.float32, "r").reshape(-1, DIMS)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.strip().encode(), digest_size=8).digest()
