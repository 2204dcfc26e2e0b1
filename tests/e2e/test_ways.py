"""Every end-to-end scenario runs over HTTP and by Socket Mode, but for those listed with a reason."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from tests.e2e.slack_ways import BOTH, ONE_WAY

HERE = Path(__file__).parent


def collected() -> dict[str, set[str]]:
    """Return every test of this folder, as `file::test`, with the ways that it runs over."""
    quiet = ("-q", "-p", "no:randomly", "-p", "no:cacheprovider")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", *quiet, str(HERE)],
        cwd=HERE.parents[1], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    found: defaultdict[str, set[str]] = defaultdict(set)
    for file, test, case in re.findall(r"^(?:.*/)?(test_\w+\.py)::(\w+)(?:\[(.*)\])?$", done.stdout, re.MULTILINE):
        found[f"{file}::{test}"] |= set(case.split("-")) & set(BOTH)
    return found


def test_every_scenario_runs_over_both_ways_or_says_why_not() -> None:
    """A test that does not run over both ways is in the table, by itself or with its file; one that does is not."""
    found = collected()
    assert len(found) > 50
    one_way = {test for test, ways in found.items() if ways != set(BOTH)}
    listed = {test for test in found if test in ONE_WAY or test.partition("::")[0] in ONE_WAY}
    assert one_way - listed == set(), "use a fixture of conftest.py, or say why not in ONE_WAY of slack_ways.py"
    assert listed - one_way == set(), "these run over both ways: take them out of ONE_WAY of slack_ways.py"
    known = set(found) | {test.partition("::")[0] for test in found}
    assert set(ONE_WAY) - known == set(), "these are no tests any more: take them out of ONE_WAY of slack_ways.py"
    assert all(ONE_WAY.values())
