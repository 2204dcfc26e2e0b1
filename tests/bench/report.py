"""`docs/benchmarks.md` made of what benches kept: tables, each between its marks, and plots; other words are people's.

`python -m tests.bench.report` puts in what is under `docs/figures`, and says what has no place yet. A table stands
between `<!-- figures: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.bench.drawn import Panel, plot

ROOT = Path(__file__).resolve().parents[2]
PAGE, FOLDER = ROOT / "docs" / "benchmarks.md", ROOT / "docs" / "figures"
SIDE_BY_SIDE, GROWTH = "side-by-side.svg", "growth.svg"
_MARKED = re.compile(r"(<!-- figures: ([\w-]+) -->)\n?.*?(<!-- end -->)", re.DOTALL)

Bench = Mapping[str, Any]


def benches(folder: Path = FOLDER) -> dict[str, Bench]:
    """Return what every bench kept, by its name."""
    return {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))}


def filled(page: str, kept: Mapping[str, Bench]) -> str:
    """Return the page with every table as it was kept; one that was not says so."""

    def section(found: re.Match[str]) -> str:
        begins, name, ends = found.groups()
        return f"{begins}\n{_table(kept[name]) if name in kept else 'Not measured in this run.'}\n{ends}"

    return _MARKED.sub(section, page)


def homeless(page: str, kept: Mapping[str, Bench]) -> list[str]:
    """Return the benches whose figures have no place in the page."""
    return sorted(set(kept) - {found[1] for found in _MARKED.findall(page)})


def plots(kept: Mapping[str, Bench]) -> dict[str, str]:
    """Return the plots that can be drawn, by the name of their file."""
    drawn: dict[str, str] = {}
    sizes = [kept[name] for name in ("side_by_side_10000", "side_by_side_100000") if name in kept]
    if sizes:
        shown = {f"{_said(bench['rows'][0]['store'])} pages": _bars(bench["rows"], "recall, ms") for bench in sizes}
        panels = [Panel("Union recall, ms (median)", shown)]
        if quality := kept.get("side_by_side_quality"):
            found = {name: _bars(quality["rows"], name) for name in ("hit@5", "recall@10")}
            panels.append(Panel("Found, LoCoMo conversations (share)", found))
        drawn[SIDE_BY_SIDE] = plot(_in_words(panels), panels)
    if growth := kept.get("growth"):
        panels = [_of_table(growth["title"], growth["rows"])]
        drawn[GROWTH] = plot(_in_words(panels), panels)
    return drawn


def _of_table(title: str, rows: Sequence[Mapping[str, Any]]) -> Panel:
    """Return a panel of a table: a group for each row, named by its columns of words; a bar for each number in it that
    is a time."""
    groups: dict[str, list[tuple[str, float]]] = {}
    for row in rows:
        times = [(column, value) for column, value in row.items() if _is_time(column) and value is not None]
        named = [f"{column} {value}".strip() for column, value in row.items() if isinstance(value, str)]
        groups[", ".join(named)] = times
    return Panel(title, groups)


def _is_time(column: str) -> bool:
    return column.endswith((", ms", "_ms"))


def _bars(rows: Sequence[Mapping[str, Any]], column: str) -> list[tuple[str, float]]:
    return [(row[""].removesuffix(" SqliteStore"), row[column]) for row in rows if row[column] is not None]


def _in_words(panels: Sequence[Panel]) -> str:
    """Return what plots show, for who cannot see them."""
    return " ".join(
        f"{panel.title}: "
        + "; ".join(
            f"{group}: " + ", ".join(f"{name} {_said(value)}" for name, value in bars)
            for group, bars in panel.groups.items()
        )
        + "."
        for panel in panels
    )


def _table(bench: Bench) -> str:
    """Return where and when it was measured, the table, and what has to be known of it."""
    columns = list(bench["rows"][0])
    lines = [
        f"{bench['at']}, commit `{bench['commit']}`, {bench['machine']}; load {bench['load']}.", "",
        _line(columns), _line(["---"] * len(columns)),
        *(_line([_said(row[column]) for column in columns]) for row in bench["rows"]),
    ]  # fmt: skip
    if bench["notes"]:
        lines += ["", *(f"* {note}" for note in bench["notes"])]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _said(value: Any) -> str:
    if value is None:
        return "-"
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def main() -> None:
    """Fill the page, draw the plots, and say what has no place."""
    kept = benches()
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(filled(page, kept), encoding="utf-8")
    for name, drawn in plots(kept).items():
        (FOLDER / name).write_text(drawn, encoding="utf-8")
    if lost := homeless(page, kept):
        sys.exit(
            f"{PAGE.relative_to(ROOT)} has no place for {', '.join(lost)}; add: <!-- figures: NAME --><!-- end -->"
        )


if __name__ == "__main__":
    main()
