"""docs/benchmarks.md says what was kept of the benches, and nothing else."""

from __future__ import annotations

from tests.bench import report
from tests.bench.test_side_by_side import _COLUMNS, _RECALL, _WRITE, _ratios


def test_the_page_is_what_the_figures_make_it() -> None:
    """Every table stands as its bench left it, every plot is drawn of the same, and no bench is without a place."""
    kept = report.benches()
    page = report.PAGE.read_text(encoding="utf-8")
    assert report.filled(page, kept) == page
    assert report.homeless(page, kept) == []
    for name, drawn in report.plots(kept).items():
        assert (report.FOLDER / name).read_text(encoding="utf-8") == drawn, name
        assert f"(figures/{name})" in page


def test_a_changed_figure_shows() -> None:
    """A table that was measured anew replaces the one before; one without figures says so."""
    page = "before\n<!-- figures: a -->\nold\n<!-- end -->\n<!-- figures: b --><!-- end -->\n"
    bench = {
        "at": "2026-01-01", "commit": "abc", "machine": "m", "load": "0.1", "notes": ["said"],
        "rows": [{"": "one", "x, ms": 1234.5}, {"": "two", "x, ms": None}],
    }  # fmt: skip
    made = report.filled(page, {"a": bench, "c": bench})
    assert made == report.filled(made, {"a": bench})
    assert "old" not in made
    assert "| one | 1,234.5 |\n| two | - |\n\n* said\n<!-- end -->" in made
    assert "<!-- figures: b -->\nNot measured in this run.\n<!-- end -->" in made
    assert report.homeless(page, {"a": bench, "c": bench}) == ["c"]


def test_ratios_are_of_medians() -> None:
    """Ours over theirs, of the medians; what they cannot do has none."""
    none: dict[str, list[float]] = {column: [] for column in _COLUMNS}
    spent = {
        "ours": {column: [2.0, 1.0, 100.0] for column in _COLUMNS},
        "langgraph_store": {**none, _RECALL: [4.0, 4.0, 1.0], _WRITE: [1.0]},
    }
    (row,) = _ratios(spent)
    assert (row[_RECALL], row[_WRITE]) == (0.5, 2.0)
    assert [row[column] for column in _COLUMNS if column not in {_RECALL, _WRITE}] == [None] * 3
