"""Every end-to-end scenario runs over HTTP, by Socket Mode and with a brain elsewhere, but for those listed with a
reason."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from tests.e2e.slack_ways import ARRANGEMENTS, BOTH, NO_BRAIN_ELSEWHERE, ONE_WAY, REMOTE

HERE = Path(__file__).parent


def collected() -> dict[str, set[str]]:
    """Return every test of this folder, as `file::test`, with the arrangements that it runs in."""
    quiet = ("-q", "-p", "no:randomly", "-p", "no:cacheprovider")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--collect-only", *quiet, str(HERE)],
        cwd=HERE.parents[1], capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    found: defaultdict[str, set[str]] = defaultdict(set)
    for file, test, case in re.findall(r"^(?:.*/)?(test_\w+\.py)::(\w+)(?:\[(.*)\])?$", done.stdout, re.MULTILINE):
        found[f"{file}::{test}"] |= set(case.split("-")) & set(ARRANGEMENTS)
    return found


def is_in(table: Mapping[str, str], test: str) -> bool:
    """Say whether a test is in a table, by itself or with its file."""
    return test in table or test.partition("::")[0] in table


def test_every_scenario_runs_over_both_ways_or_says_why_not() -> None:
    """A test that does not run in all arrangements is in a table, by itself or with its file; one that does is not."""
    found = collected()
    assert len(found) > 50
    one_way = {test for test, ways in found.items() if not ways >= set(BOTH)}
    listed = {test for test in found if is_in(ONE_WAY, test)}
    assert one_way - listed == set(), "use a fixture of conftest.py, or say why not in ONE_WAY of slack_ways.py"
    assert listed - one_way == set(), "these run over both ways: take them out of ONE_WAY of slack_ways.py"
    here = {test for test, ways in found.items() if REMOTE not in ways} - one_way
    not_elsewhere = {test for test in found if is_in(NO_BRAIN_ELSEWHERE, test)}
    assert here - not_elsewhere == set(), "use whole or open_any_stage, or say why not in NO_BRAIN_ELSEWHERE"
    assert not_elsewhere - here - one_way == set(), "these run with a brain elsewhere: take them out"
    known = set(found) | {test.partition("::")[0] for test in found}
    assert set(NO_BRAIN_ELSEWHERE) - known == set(), "these are no tests any more: take them out of NO_BRAIN_ELSEWHERE"
    assert set(ONE_WAY) - known == set(), "these are no tests any more: take them out of ONE_WAY of slack_ways.py"
    assert all([*ONE_WAY.values(), *NO_BRAIN_ELSEWHERE.values()])
