"""Several processes on one PostgreSQL: nothing is lost, whoever dies, and two servers are one brain (BR12, BR16)."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys

import pytest

from sliceway.brain.local import LocalDoor, open_local
from sliceway.core.principals import Principal
from sliceway.core.proposals import Proposal
from sliceway.errors import NotPending
from sliceway.ports import NewId
from tests.contract.office import MAX, MIA, ask, gateway, settle
from tests.contract.test_processes import WRITER, _finish
from tests.fakes.clock import HandClock, ids

pytest.importorskip("psycopg")  # the contracts fail in CI where it is missing

from tests.fakes.postgres import Made


def _start(url: str, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, url, name, str(count)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ),
    )  # fmt: skip


async def _verified(url: str, clock: HandClock) -> tuple[int, int]:
    """Verify the store; return how many pages and events the agent has. A gap in a sequence would be a fault."""
    async with await open_local(url, clock=clock, new_id=ids()) as door:
        operator = door.enter(Principal.operator())
        report = await operator.verify()
        assert report.ok, report.errors
        (entry,) = [each for each in await operator.slices() if each.slice == "agent-ada"]
        return entry.pages, report.events


async def writes(made: Made, clock: HandClock, processes: int, each: int) -> float:
    """Have processes write so many pages each into one slice; return the longest that a write took, in seconds."""
    said = [_finish(process) for process in [_start(made.url, f"w{at}", each) for at in range(processes)]]
    assert sum(one["written"] for one in said) == processes * each
    assert await _verified(made.url, clock) == (processes * each, processes * each)
    return max(one["worst"] for one in said)


async def test_br12_processes_write_one_slice_of_one_postgresql(postgres: Made, clock: HandClock) -> None:
    """BR12: six processes, twenty writes each, all into one slice that none of them finds made: every one is kept, in
    one unbroken chain."""
    await writes(postgres, clock, 6, 20)


async def test_br12_a_killed_writer_leaves_a_postgresql_that_verifies(postgres: Made, clock: HandClock) -> None:
    """BR12: `kill -9` in the middle of writing: what was answered is there, and the chain holds."""
    process = _start(postgres.url, "w", -1)
    assert process.stdout is not None
    while int(process.stdout.readline()) < 15:
        pass
    os.kill(process.pid, signal.SIGKILL)
    rest, _ = process.communicate(timeout=30)
    answered = max([15, *(int(line) for line in rest.splitlines() if line.isdigit())])
    async with await open_local(postgres.url, clock=clock, new_id=ids()) as door:
        await door.enter(Principal.agent("ada")).read_page(slice="mine", slug=f"w/{answered - 1}")
    await _verified(postgres.url, clock)


async def _decided(door: LocalDoor, asked: Proposal, who: dict[str, str]) -> Proposal:
    return await gateway(door).decide(id=asked.id, decision="approve", revision=1, decided_by=who)


async def test_ap9_of_many_clicks_at_two_servers_one_applies(postgres: Made, clock: HandClock, new_id: NewId) -> None:
    """AP9: twelve approvals at once, half of them by another process's door: one applies, and the others are told who
    decided, not that something clashed."""
    async with (
        await open_local(postgres.url, clock=clock, new_id=new_id) as one,
        await open_local(postgres.url, clock=clock, new_id=ids(10**9)) as other,
    ):
        await settle(one)
        asked = await ask(gateway(one))
        clicks = [_decided(door, asked, who) for door in (one, other) for who in (MIA, MAX) * 3]
        answers = await asyncio.gather(*clicks, return_exceptions=True)
        applied = [answer for answer in answers if isinstance(answer, Proposal)]
        assert [answer.state.value for answer in applied] == ["applied"]
        late = [answer for answer in answers if isinstance(answer, NotPending)]
        assert len(late) == 11
        assert all(answer.facts["decided_by"] is not None for answer in late)
        assert (await one.enter(Principal.operator()).verify()).ok


async def test_br16_a_change_by_another_process_wakes_who_waits(
    postgres: Made, clock: HandClock, new_id: NewId
) -> None:  # fmt: skip
    """BR16: who waits for changes at one door is woken by what is asked for at another, long before looking anyway."""
    async with (
        await open_local(postgres.url, clock=clock, new_id=new_id) as one,
        await open_local(postgres.url, clock=clock, new_id=ids(10**9)) as other,
    ):
        await settle(one)
        waits = gateway(one)
        cursor = (await waits.changes()).cursor
        with one.database.watch() as eye:
            seen = eye.version()
            await eye.changed(seen, 60.0)  # it listens
            heard = eye.version()
            waiting = asyncio.create_task(waits.changes(after=cursor, wait=30.0))
            asked = await ask(gateway(other))
            assert [change.id for change in (await waiting).items] == [asked.id]
            await eye.changed(heard, 60.0)
            assert eye.version() > heard
