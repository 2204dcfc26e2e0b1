"""Every end-to-end scenario runs over HTTP and by Socket Mode, and with the brain here and elsewhere, but for those
listed with a reason."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from tests.e2e.slack_ways import BOTH, ELSEWHERE, ONE_BRAIN, ONE_WAY

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
        found[f"{file}::{test}"] |= set(case.split("-")) & {*BOTH, *ELSEWHERE}
    return found


def is_in(table: Mapping[str, str], test: str) -> bool:
    """Say whether a test is in a table, by itself or with its file."""
    return test in table or test.partition("::")[0] in table


def test_every_scenario_runs_in_all_arrangements_or_says_why_not() -> None:
    """A test that does not run over HTTP and by Socket Mode is in `ONE_WAY`, by itself or with its file, and one that
    does is not; so is in `ONE_BRAIN` what does not run with the brain embedded and elsewhere, over whichever way."""
    found = collected()
    assert len(found) > 50
    _agree(ONE_WAY, {test for test, ways in found.items() if not ways >= set(BOTH)}, found)
    _agree(ONE_BRAIN, {test for test, ways in found.items() if not (ways & ELSEWHERE and ways & set(BOTH))}, found)


def _agree(table: Mapping[str, str], such: set[str], found: Mapping[str, set[str]]) -> None:
    """Hold a table against the tests that have to be in it."""
    listed = {test for test in found if is_in(table, test)}
    assert such - listed == set(), "use a fixture of conftest.py, or say why not in the table of slack_ways.py"
    assert listed - such == set(), "these run in all that the table is about: take them out of it"
    known = set(found) | {test.partition("::")[0] for test in found}
    assert set(table) - known == set(), "these are no tests any more: take them out of the table"
    assert all(table.values())
