"""What a gateway with nothing to do costs PostgreSQL: statements are counted, never time (BR16)."""

from __future__ import annotations

import asyncio

import pytest

from sliceway.brain.local import open_local
from sliceway.core.principals import Principal
from sliceway.ports import NewId
from tests.contract.office import ask, gateway, settle
from tests.fakes.clock import HandClock
from tests.fakes.trace import Trace, traced

pytest.importorskip("psycopg")  # the contracts fail in CI where it is missing

from tests.fakes.postgres import Made

MOST = 6
"""Of one look whether anything is new: it begins; the head of the policy; the access is told; whether the cursor is of
this record; what is new. Its end is counted too."""


def _ways(trace: Trace) -> int:
    """Return how often the server was called: a statement each, and the end of each transaction."""
    return len(trace.statements) + sum(one.startswith("BEGIN") for one in trace.statements)


async def test_br16_an_idle_poll_looks_once(postgres: Made, clock: HandClock, new_id: NewId) -> None:
    """BR2 BR16: while nothing happens a long poll looks at the feed once, by at most six calls of the server, whatever
    the number of slices; the token costs three at each look at it. A change that comes meanwhile is still found."""
    async with await open_local(postgres.url, clock=clock, new_id=new_id) as door:
        await settle(door)
        brain = gateway(door)
        await ask(brain, {"slug": "a", "content": "Text."})
        issued = await door.enter(Principal.operator()).create_token(kind="gateway", agent="ada", decides=True)
        after = (await brain.changes()).cursor
        with door.store.watch() as watch:  # a bell that was only just hung up rings once
            while watch.version() == 0:
                await watch.changed(0, 5)
        with traced(door.database) as idle:
            assert (await brain.changes(after=after, wait=0.2)).items == ()
        with traced(door.database) as token:
            await door.principal_of(issued.token)
        print(f"\nan idle look: {_ways(idle)} calls of the server, a look at a token: {_ways(token)}")
        assert _ways(idle) <= MOST, idle.statements
        assert _ways(token) <= 3, token.statements
        waiting = asyncio.create_task(brain.changes(after=after, wait=30))
        asked = await ask(brain, {"slug": "b", "content": "Text."})
        assert [one.id for one in (await waiting).items] == [asked.id]
