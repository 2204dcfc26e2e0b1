"""The conversations that recall is measured on, where they are at hand: never part of this project.

`SLICEWAY_LOCOMO` names the file; without it, `shared/data/locomo_dev.json` beside the checkout or a folder above it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

_BESIDE = Path("shared", "data", "locomo_dev.json")


def conversations() -> list[dict[str, Any]]:
    """Return the conversations, or skip the test where there are none."""
    named = os.environ.get("SLICEWAY_LOCOMO")
    above = (folder / _BESIDE for folder in Path(__file__).resolve().parents)
    found = Path(named) if named else next((file for file in above if file.exists()), None)
    if found is None:
        pytest.skip("no conversations here; name their file with SLICEWAY_LOCOMO")
    read: list[dict[str, Any]] = json.loads(found.read_text(encoding="utf-8"))
    return read


def turn_page(turn: dict[str, Any]) -> dict[str, str]:
    """Return one turn as a page: who said it, what, what a picture shows, and when, in a folder a session."""
    shown = f" [{turn['caption']}]" if turn.get("caption") else ""
    return {
        "slug": turn["id"].lower().replace(":", "/"),
        "content": f"{turn['speaker']}: {turn['text']}{shown}\n({turn['when']})",
    }


@dataclass(slots=True)
class Scores:
    """What answers are worth, summed over questions."""

    asked: int = 0
    hit1: int = 0
    hit5: int = 0
    hit10: int = 0
    recall10: float = 0.0
    mrr: float = 0.0

    def add(self, found: Sequence[str], wanted: set[str]) -> None:
        """Count one question: what was found, best first, and what holds the answer."""
        best = list(dict.fromkeys(found))[:10]
        self.asked += 1
        self.hit1 += bool(wanted.intersection(best[:1]))
        self.hit5 += bool(wanted.intersection(best[:5]))
        self.hit10 += bool(wanted.intersection(best))
        self.recall10 += len(wanted.intersection(best)) / len(wanted)
        self.mrr += next((1 / at for at, each in enumerate(best, start=1) if each in wanted), 0.0)

    @property
    def means(self) -> dict[str, float]:
        """The means, by their names."""
        named = {
            "hit@1": self.hit1, "hit@5": self.hit5, "hit@10": self.hit10, "recall@10": self.recall10, "MRR": self.mrr
        }  # fmt: skip
        return {name: round(value / self.asked, 3) for name, value in named.items()}

    def __str__(self) -> str:
        """Return the means, in words."""
        return ", ".join(f"{name} {mean:.3f}" for name, mean in self.means.items()) + f" of {self.asked}"
