"""What the program costs as a process: how soon the command line answers, how much an idle gateway holds."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sliceway.cli.play.stage import open_stage

ROUNDS = 15


def _seconds(*command: str) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, env={**os.environ, "PYTHONDONTWRITEBYTECODE": ""})
    return time.perf_counter() - began


@pytest.mark.bench
def test_help_beside_an_empty_interpreter() -> None:
    """Target: `sliceway --help` under 0.3 s; beside it, Python that does nothing."""
    _seconds(sys.executable, "-m", "sliceway", "--help")
    pairs = [
        (_seconds(sys.executable, "-c", "pass"), _seconds(sys.executable, "-m", "sliceway", "--help"))
        for _ in range(ROUNDS)
    ]
    empty, helped = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = helped / empty
    print(f"\nsliceway --help: {helped * 1e3:.0f} ms, {ratio:.1f} times an empty interpreter ({empty * 1e3:.0f} ms)")


@pytest.mark.bench
async def test_an_idle_gateway(tmp_path: Path) -> None:
    """Target: under 150 MB resident, measured on the real process after one turn."""
    async with open_stage(tmp_path / "data") as stage:
        people = stage.people
        ada, deploys = people.one("member"), people.channel("deploys")
        asked = await people.say(ada, deploys, f"<@{people.bot}> remember that build 2301 is the rollback target")
        await people.answer(deploys, asked, seen_by=ada, after=asked)
        print(f"\nan idle gateway: {resident_mb(stage.gateway.pid):.0f} MB resident")


def resident_mb(pid: int, what: str = "VmRSS") -> float:
    """Return the memory that a process holds, in MB; `RssAnon` is what no file stands behind."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(f"{what}:")) / 1024
