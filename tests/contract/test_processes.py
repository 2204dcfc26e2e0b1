"""Several processes on one store: nothing is lost, whoever dies (BR12)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sliceway.brain.local import open_local
from sliceway.core.principals import Principal
from tests.fakes.clock import HandClock, ids

WRITER = """
import asyncio, json, sys, time
from datetime import UTC, datetime
from ulid import ULID
from sliceway.brain.local import open_local
from sliceway.core.principals import Principal

async def main(url, name, count):
    new_id = lambda: str(ULID())
    async with await open_local(url, sync="normal", clock=lambda: datetime.now(UTC), new_id=new_id) as door:
        brain = door.enter(Principal.agent("ada"))
        worst = 0.0
        at = 0
        while at < count or count < 0:
            began = time.monotonic()
            await brain.write_pages(slice="mine", pages=[{"slug": f"{name}/{at}", "content": f"note {at} of {name}"}])
            worst = max(worst, time.monotonic() - began)
            at += 1
            if count < 0:
                print(at, flush=True)
        print(json.dumps({"written": at, "worst": worst}), flush=True)

asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3])))
"""


def _start(file: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, f"sqlite:///{file}", name, str(count)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ),
    )  # fmt: skip


def _finish(process: subprocess.Popen[str]) -> dict[str, float]:
    """Wait for a writer and return what it says."""
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    said: dict[str, float] = json.loads(out.splitlines()[-1])
    return said


async def _counted(file: Path, clock: HandClock) -> int:
    """Verify the store and return how many live pages the agent has."""
    async with await open_local(f"sqlite:///{file}", clock=clock, new_id=ids()) as door:
        report = await door.enter(Principal.operator()).verify()
        assert report.ok, report.errors
        (entry,) = [each for each in await door.enter(Principal.operator()).slices() if each.slice == "agent-ada"]
        return entry.pages


@pytest.mark.timeout(300)
async def test_br12_twenty_processes_of_two_hundred_writes_lose_nothing(tmp_path: Path, clock: HandClock) -> None:
    """BR12: 20 processes x 200 writes into one slice of one store: 4,000 pages, one unbroken chain."""
    file = tmp_path / "store.db"
    said = [_finish(process) for process in [_start(file, f"w{at}", 200) for at in range(20)]]
    assert sum(each["written"] for each in said) == 4000
    assert await _counted(file, clock) == 4000


async def test_br12_six_processes_start_on_one_empty_store(tmp_path: Path, clock: HandClock) -> None:
    """BR12: six processes that find one empty store at once: one migrates it, all start and write."""
    file = tmp_path / "store.db"
    said = [_finish(process) for process in [_start(file, f"w{at}", 1) for at in range(6)]]
    assert [each["written"] for each in said] == [1] * 6
    assert await _counted(file, clock) == 6


async def test_br12_a_killed_writer_leaves_a_store_that_verifies(tmp_path: Path, clock: HandClock) -> None:
    """BR12: `kill -9` in the middle of writing, again and again: what was answered is there, and the chain holds."""
    file = tmp_path / "store.db"
    for round_number in range(4):
        process = _start(file, f"w{round_number}", -1)
        assert process.stdout is not None
        answered = 0
        while answered < 15 + 7 * round_number:
            answered = int(process.stdout.readline())
        os.kill(process.pid, signal.SIGKILL)
        rest, _ = process.communicate(timeout=30)
        answered = max([answered, *(int(line) for line in rest.splitlines() if line.isdigit())])
        async with await open_local(f"sqlite:///{file}", clock=clock, new_id=ids()) as door:
            brain = door.enter(Principal.agent("ada"))
            await brain.read_page(slice="mine", slug=f"w{round_number}/{answered - 1}")
        await _counted(file, clock)
