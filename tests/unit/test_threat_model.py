"""The threat model is held to what it says: each row names tests that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]


def _rows() -> list[list[str]]:
    text = (ROOT / "docs" / "threat-model.md").read_text()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    return [row for row in cells if re.fullmatch("[STRIDE]", row[0])]


def test_every_threat_names_tests_that_exist() -> None:
    """Each row of the threat model has at least one test that is there under that name."""
    known = {
        name for file in (ROOT / "tests").rglob("test_*.py") for name in re.findall(r"def (test_\w+)", file.read_text())
    }
    rows = _rows()
    assert len(rows) > 30
    for row in rows:
        named = re.findall(r"`(test_\w+)`", row[-1])
        assert named, row
        assert set(named) <= known, set(named) - known


def test_every_room_is_walked() -> None:
    """Each room that faces somebody has its own table, with threats of disclosure or elevation among them."""
    text = (ROOT / "docs" / "threat-model.md").read_text()
    for room in ("slack/", "flows/", "brain/", "server/", "workspace/"):
        assert f"`{room}" in text, room
    assert {row[0] for row in _rows()} == set("STRIDE")
