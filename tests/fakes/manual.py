"""What `docs/operate.md` says of the pages that machines look at, for whoever has such a page in hand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

OPERATE = (Path(__file__).parents[2] / "docs" / "operate.md").read_text()


def section(title: str) -> str:
    """Return what stands under a title."""
    return OPERATE.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]


def rows(title: str) -> dict[str, list[str]]:
    """Return the rows of the tables under a title: by each name in code of the first cell, the other cells."""
    lines = [line for line in section(title).splitlines() if line.startswith("| `")]
    cells = [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in lines]
    return {name: rest for first, *rest in cells for name in re.findall(r"`([^`]+)`", first)}


def unexplained_fields(facts: Iterable[str]) -> set[str]:
    """Return which facts of `/readyz` the manual does not explain."""
    return set(facts) - set(rows("What `/readyz` says"))


def unexplained_metrics(text: str) -> set[str]:
    """Return which metrics of a `/metrics` page the manual does not explain."""
    return set(re.findall(r"^# TYPE (\S+) ", text, re.MULTILINE)) - set(rows("Metrics"))
