"""Several processes on one store: of all that press at once, one decides, one asks, one sends (AP2, AP9, BR12)."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path

import pytest

from sliceway.brain.local import open_local
from sliceway.core.proposals import State
from sliceway.ports import NewId
from tests.contract.office import ANN, alone, ask, at, gateway, page, settle
from tests.fakes.clock import HandClock

_PROCESSES = 3
_EACH = 7

_CHILD = """
import asyncio, json, sys
from sliceway.brain.local import open_local
from sliceway.errors import SlicewayError
from tests.contract.office import ANN, MIA, alone, ask, gateway
from tests.fakes.clock import HandClock, ids

async def main(url, number, act, id, each):
    async with await open_local(url, sync="normal", clock=HandClock(), new_id=ids(10_000 * (number + 1))) as door:
        brain = gateway(door, "ada" if act != "decide" or number % 2 else "bob")
        async def once():
            match act:
                case "decide":
                    return await brain.decide(id=id, decision="approve", revision=1, decided_by=MIA)
                case "ask":
                    return await ask(brain)
                case "send":
                    return await brain.send_draft(id=id, revision=1, origin=alone(ANN))
        done = await asyncio.gather(*(once() for _ in range(each)), return_exceptions=True)
        print(json.dumps([one.code if isinstance(one, SlicewayError) else [one.id, one.revision] for one in done]))

asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3], sys.argv[4], int(sys.argv[5])))
"""


async def _at_once(url: str, act: str, id: str = "") -> list[object]:
    """Let several processes do the same several times; return what each time came to."""
    running = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", _CHILD, url, str(number), act, id, str(_EACH), stdout=asyncio.subprocess.PIPE
        )
        for number in range(_PROCESSES)
    ]  # fmt: skip
    answers = [await process.communicate() for process in running]
    assert all(process.returncode == 0 for process in running)
    return [one for out, _ in answers for one in json.loads(out)]


@pytest.fixture
def url(tmp_path: Path) -> str:
    """Where the shared store is."""
    return f"sqlite:///{tmp_path}/s.db"


async def test_ap9_of_many_decides_in_three_processes_one_applies(url: str, clock: HandClock, new_id: NewId) -> None:
    """AP9: one applies, all others are told that it is no longer pending, the page has one version."""
    async with await open_local(url, sync="normal", clock=clock, new_id=new_id) as door:
        operator = await settle(door)
        asked = await ask(gateway(door))
        came_to = await _at_once(url, "decide", asked.id)
        assert came_to.count([asked.id, 2]) == 1
        assert came_to.count("not_pending") == _PROCESSES * _EACH - 1
        found = await gateway(door).versions(slice="shared", slug="oncall", slices=["shared"], origin=at(ANN))
        assert len(found.items) == 1
        assert (await operator.verify()).ok


async def test_ap2_of_many_asks_in_three_processes_one_is_made(url: str, clock: HandClock, new_id: NewId) -> None:
    """AP2: every one of them is given the same proposal."""
    async with await open_local(url, sync="normal", clock=clock, new_id=new_id) as door:
        operator = await settle(door)
        came_to = await _at_once(url, "ask")
        assert len({json.dumps(one) for one in came_to}) == 1
        assert len((await operator.proposals()).items) == 1
        assert (await operator.verify()).ok


async def test_ap23_of_many_sends_in_three_processes_one_is_made(url: str, clock: HandClock, new_id: NewId) -> None:
    """AP23: every one of them is given the same pending proposal."""
    async with await open_local(url, sync="normal", clock=clock, new_id=new_id) as door:
        operator = await settle(door)
        draft = await ask(gateway(door), page(), origin=alone(ANN))
        came_to = await _at_once(url, "send", draft.id)
        assert came_to == [[draft.id, 2]] * _PROCESSES * _EACH
        assert [one.state for one in (await operator.proposals()).items] == [State.PENDING]
        assert (await operator.verify()).ok
