"""Every column of every table, changed behind the ledger's back on either engine: `verify` names it (BR11)."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Boolean, Column, Connection, Integer, LargeBinary, Table, and_, select, update

from sliceway.brain.local import LocalDoor, open_local
from sliceway.core.principals import Principal
from sliceway.ports import NewId
from sliceway.ports.outcomes import VerifyFault
from sliceway.store.record import RECORDED
from sliceway.store.tables import metadata
from tests.contract.office import ANNS
from tests.fakes.clock import HandClock
from tests.fakes.household import fill

UNDER_WAY = frozenset({"cards", "idempotency", "keeper_lease"})
"""Tables of work under way, which follow from no event: who may post, what a retry is answered, whose turn it is."""
MADE_AGAIN = {
    "slices.vectors": "a word that changes whenever the vectors do", "vectors.vector": "what a model made of a text",
    "vectors.before": "what stood there when it was made", "mounts.report": "what the last look at a folder saw",
}  # fmt: skip
"""Columns that follow from no event, and what they are."""
FLIPS = 200


@dataclass(frozen=True)
class Lane:
    """Columns that are changed one after the other, in one row of a slice; what must be said of each."""

    slice: str
    columns: tuple[Column[Any], ...]
    said: str


def _of(*names: str) -> tuple[Column[Any], ...]:
    columns = [column for name in names for column in metadata.tables[name].columns if column.name != "slice"]
    return tuple(column for column in columns if str(column) not in MADE_AGAIN)


ALONE = (
    Lane("agent-ada", _of("pages"), ""), Lane("agent-bob", _of("page_versions"), ""),
    Lane("agent-old", _of("events"), ""), Lane("agent-zoe", _of("links", "terms", "neighbours", "vectors"), ""),
    Lane(ANNS, _of("slices"), ""),
)  # fmt: skip
"""Each in a slice of its own, for what is wrong there may hide the rest of it."""
TOGETHER = tuple(
    Lane("shared" if table.name in {"proposals", "grants", "erased"} else "_system", _of(table.name), table.name)
    for table in RECORDED
)
"""Each is told by the name of its table."""


@pytest.fixture(params=["sqlite", "postgres"])
async def door(
    request: pytest.FixtureRequest, tmp_path: Path, clock: HandClock, new_id: NewId
) -> AsyncIterator[LocalDoor]:
    """A store with a row in every table, opened by who may change anything there."""
    url = f"sqlite:///{tmp_path}/store.db"
    if request.param == "postgres":
        url = request.getfixturevalue("postgres").owner_url
    async with await open_local(url, sync="normal", clock=clock, new_id=new_id) as opened:
        await fill(opened, clock, new_id, tmp_path)
        yield opened


async def _faults(door: LocalDoor) -> tuple[VerifyFault, ...]:
    return (await door.enter(Principal.operator("op")).verify()).errors


def _other(column: Column[Any], old: Any) -> Any:
    """Return another value for a column."""
    if isinstance(column.type, Boolean):
        return not old
    if isinstance(column.type, LargeBinary):
        return b"\1" * 32
    return (old or 0) + 77 if isinstance(column.type, Integer) else f"{old or ''} forged"


def _set(connection: Connection, table: Table, row: Mapping[str, Any], values: Mapping[str, Any]) -> None:
    where = and_(*(column == row[column.name] for column in table.primary_key.columns))
    assert connection.execute(update(table).where(where).values(**values)).rowcount == 1


@contextmanager
def _changed(door: LocalDoor, lane: Lane, column: Column[Any]) -> Iterator[None]:
    """Have another value in a column of the first row of a slice, while the context is open."""
    table = metadata.tables[column.table.name]
    with door.database.write() as connection:
        rows = select(table).where(table.c.slice == lane.slice).order_by(*table.primary_key.columns).limit(1)
        row = dict(connection.execute(rows).mappings().one())
        new = _other(column, row[column.name])
        _set(connection, table, row, {column.name: new})
    yield
    with door.database.write() as connection:
        _set(connection, table, {**row, column.name: new}, {column.name: row[column.name]})


def test_br11_no_column_is_left_out() -> None:
    """BR11: each column of each table is held against the ledger below, or is named as following from no event."""
    here = {str(column) for lane in (*ALONE, *TOGETHER) for column in lane.columns}
    there = {str(column) for table in metadata.tables.values() for column in table.columns if column.name != "slice"}
    assert there - here - MADE_AGAIN.keys() == {name for name in there if name.split(".")[0] in UNDER_WAY}


async def test_br11_every_column_that_follows_from_the_ledger_is_held_against_it(door: LocalDoor) -> None:
    """BR11: another value in any such column is named with its slice; the old value back, all is well."""
    assert await _faults(door) == ()
    lanes = [*ALONE, *TOGETHER]
    for columns in zip_longest(*(lane.columns for lane in lanes)):
        now = [(lane, column) for lane, column in zip(lanes, columns, strict=True) if column is not None]
        undo = [_changed(door, lane, column) for lane, column in now]
        for one in undo:
            one.__enter__()
        faults = await _faults(door)
        for lane, column in now:
            assert [1 for fault in faults if fault.slice == lane.slice and lane.said in fault.what], str(column)
        for one in reversed(undo):
            one.__exit__(None, None, None)
    assert await _faults(door) == ()


async def test_br11_bits_flipped_in_payloads_are_found_on_every_engine(door: LocalDoor) -> None:
    """BR11: a bit flipped in a payload that stays a text, with numbers, nothing and letters of every length in UTF-8:
    `verify` names its slice and its row; one event of each slice at a time."""
    events, chance, done = metadata.tables["events"], random.Random(20261201), 0
    with door.database.read() as connection:
        rows = connection.execute(select(events).where(events.c.payload.is_not(None))).mappings().all()
    said = "".join(row["payload"] for row in rows)
    assert all(part in said for part in ("null", ":1,", "2301.5", "é日本", "ü"))
    of_slice: dict[str, list[Any]] = {}
    for row in rows:
        of_slice.setdefault(row["slice"], []).append(row)
    while done < FLIPS:
        chosen = [chance.choice(rows) for rows in of_slice.values()]
        with door.database.write() as connection:
            for row in chosen:
                _set(connection, events, row, {"payload": _flipped(row["payload"], chance)})
        assert {(fault.slice, fault.seq) for fault in await _faults(door)} == {
            (row["slice"], row["seq"]) for row in chosen
        }
        with door.database.write() as connection:
            for row in chosen:
                _set(connection, events, row, {"payload": row["payload"]})
        done += len(chosen)
    assert await _faults(door) == ()


def _flipped(text: str, chance: random.Random) -> str:
    """Return a text with one bit of its UTF-8 changed, such that it is UTF-8 again and holds no NUL."""
    while True:
        made = bytearray(text.encode())
        made[chance.randrange(len(made))] ^= 1 << chance.randrange(8)
        try:
            found = made.decode()
        except UnicodeDecodeError:
            continue
        if "\0" not in found:
            return found
