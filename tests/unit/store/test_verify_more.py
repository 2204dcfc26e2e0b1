"""More that somebody could change behind the ledger's back, and that `verify` names (BR11)."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from sliceway.brain.local import LocalDoor
from sliceway.ports import Brain
from tests.contract.office import ANN, alone, ask, at, gateway, page, settle

_COLUMNS = {
    "events": ("seq", "event_id", "kind", "at", "author", "prev", "digest", "hash", "payload", "salt"),
    "pages": (
        "doc", "version", "title", "title_key", "content", "tags", "agent", "author", "terms", "created_at",
        "updated_at", "event_id", "deleted_at",
    ),
    "page_versions": ("action", "title", "content", "agent", "author", "approver", "at", "seq", "event_id", "undoes"),
    "proposals": (
        "destination", "revision", "state", "op", "agent", "requester", "requested_by", "origin", "author", "thread",
        "pages", "diff", "digest", "created_at", "expires_at", "quiet", "decided_by", "history", "changed",
    ),
    "grants": ("agent", "writer_key", "writer", "team", "channel", "thread", "granted_by", "until", "ended_at"),
    "slices": ("seq", "head", "key", "docs", "length", "updated_at"),
}  # fmt: skip
"""Every column that follows from the ledger. `cards`, `idempotency` and `keeper_lease` do not: they are work under way
(who may post, what a retry is answered, whose turn it is) and are made anew where they are lost."""


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


@pytest.mark.parametrize("table", _COLUMNS)
async def test_br11_every_column_that_follows_from_the_ledger_is_held_against_it(
    lived: Path, operator: Brain, table: str
) -> None:
    """BR11: another value in any such column of any row is named with its slice; the old value back, all is well."""
    for column in _COLUMNS[table]:
        with sqlite3.connect(lived) as raw:
            row, old = raw.execute(
                f"SELECT rowid, {column} FROM {table} WHERE slice = 'shared' ORDER BY rowid LIMIT 1"
            ).fetchone()
            changed: object = b"\1" * 32 if isinstance(old, bytes) else 77 if isinstance(old, int) else "forged"
            statement = f"UPDATE {table} SET {column} = ? WHERE rowid = ?"
            raw.execute(statement, (changed, row))
        raw.close()
        report = await operator.verify()
        assert {fault.slice for fault in report.errors} == {"shared"}, column
        with sqlite3.connect(lived) as raw:
            raw.execute(statement, (old, row))
        raw.close()
    assert (await operator.verify()).ok


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
