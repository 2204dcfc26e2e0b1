"""More that somebody could change behind the ledger's back, and that `verify` names (BR11)."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from sliceway.brain.local import LocalDoor
from sliceway.ports import Brain
from tests.contract.office import ANN, alone, ask, at, gateway, page, settle


@pytest.fixture
async def lived(door: LocalDoor, file: Path) -> Path:
    """A store in which `shared` has a page, a proposal that waits, a grant, and a corner has a draft."""
    await settle(door)
    ours = gateway(door)
    asked = await ask(ours)
    mia = {"team": "T1", "user": "UMIA"}
    await ours.decide(id=asked.id, decision="approve", revision=1, decided_by=mia, grant_seconds=600)
    await ask(ours, page("next", "[[oncall]] again"), origin=at(ANN, thread="2.2"))
    await ours.propose(op="write", slice="shared", pages=[page("d", "drafted")], origin=alone(ANN))
    return file


@pytest.mark.parametrize("table", ["pages", "page_versions", "links", "terms", "proposals", "grants"])
async def test_br11_rows_of_a_slice_that_has_no_events_are_found(lived: Path, operator: Brain, table: str) -> None:
    """BR11: a row smuggled into a slice that the ledger knows nothing of is named: it could be read."""
    with sqlite3.connect(lived) as raw:
        raw.execute(f"CREATE TEMP TABLE forged AS SELECT * FROM {table} WHERE slice = 'shared' LIMIT 1")
        if table == "links":
            raw.execute("INSERT INTO forged VALUES ('shared', 'a', 'b')")
        raw.execute("UPDATE forged SET slice = 'agent-ghost'")
        assert raw.execute(f"INSERT INTO {table} SELECT * FROM forged").rowcount > 0
    raw.close()
    assert [(fault.slice, fault.seq) for fault in (await operator.verify()).errors] == [("agent-ghost", None)]


async def test_br11_events_swapped_or_cut_off_are_found(lived: Path, operator: Brain) -> None:
    """BR11: two events in each other's place break the chain; a chain and a head cut off together are held against an
    earlier head."""
    heads = await operator.head()
    with sqlite3.connect(lived) as raw:
        for old, new in ((1, -1), (2, 1), (-1, 2)):
            raw.execute("UPDATE events SET seq = ? WHERE slice = 'shared' AND seq = ?", (new, old))
    raw.close()
    assert (await operator.verify()).errors[0].seq == 1
    with sqlite3.connect(lived) as raw:
        for table in (
                "events", "slices", "pages", "page_versions", "links", "terms", "neighbours", "proposals", "grants",
            ):  # fmt: skip
            raw.execute(f"DELETE FROM {table} WHERE slice = 'shared'")
    raw.close()
    assert (await operator.verify()).ok
    assert [fault.slice for fault in (await operator.verify(since=heads)).errors] == ["shared"]
