"""The demo as a person starts it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from sliceway.cli.play.processes import clean_environment


def _run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sliceway", *arguments],
        env=clean_environment({}), capture_output=True, text=True, timeout=90, check=False,
    )  # fmt: skip


def test_three_journeys_play_on_the_real_wire_and_every_outcome_is_checked(tmp_path: Path) -> None:
    """`demo --play --json` plays memoize, 1on1 and share, says so in the contract's words, and exits 0."""
    ended = _run("demo", "--play", "--json", "--data", str(tmp_path / "data"))
    assert ended.returncode == 0, ended.stderr
    said = json.loads(ended.stdout)
    assert said["ok"] is True
    assert said["store_url"] == f"sqlite:///{tmp_path / 'data' / 'brain.db'}"
    assert said["agent_id"]
    assert [(one["name"], one["outcome"]) for one in said["journeys"]] == [
        ("memoize", "ok"), ("1on1", "ok"), ("share", "ok"),
    ]  # fmt: skip
    for journey in said["journeys"]:
        checks = [step["ok"] for step in journey["steps"] if "checked" in step]
        assert len(checks) >= 3
        assert all(checks)


def test_a_second_play_on_the_same_data_goes_as_well_as_the_first(tmp_path: Path) -> None:
    """Played again on what an earlier play left, every outcome holds, and a person can read how it went."""
    for _ in range(2):
        ended = _run("demo", "--play", "--data", str(tmp_path / "data"))
        assert ended.returncode == 0, ended.stderr
    assert "Three journeys" in ended.stdout
    assert "✗" not in ended.stdout
    assert ended.stderr == ""
