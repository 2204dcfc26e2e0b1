"""How surely a write is on the disk when it returns."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from sliceway.brain.local import LocalDoor, open_local
from sliceway.ports import NewId
from sliceway.store.engine_sqlite import SqliteDatabase
from tests.fakes.clock import HandClock


@pytest.mark.parametrize(("given", "level"), [(None, 2), ("full", 2), ("normal", 1)])
async def test_br12_a_write_is_on_the_disk_unless_told_otherwise(
    tmp_path: Path, clock: HandClock, new_id: NewId, given: str | None, level: int
) -> None:
    """BR12: `synchronous=FULL` by default, NORMAL where `store.sync` says so, and the log is written ahead."""
    url = f"sqlite:///{tmp_path / 'store.db'}"
    opened = (
        await open_local(url, clock=clock, new_id=new_id)
        if given is None
        else await open_local(url, sync=given, clock=clock, new_id=new_id)
    )
    async with opened as door:
        assert isinstance(door, LocalDoor)
        with door.database.write() as connection:
            assert connection.execute(text("PRAGMA synchronous")).scalar_one() == level
            assert connection.execute(text("PRAGMA journal_mode")).scalar_one() == "wal"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere niceness is not by thread")
async def test_op2_who_reads_gives_way_to_the_loop(tmp_path: Path) -> None:
    """OP2: threads that read run after the event loop's, which answers `/healthz`; those that write do not."""
    database = SqliteDatabase(f"sqlite:///{tmp_path / 'a.db'}")
    ours = os.getpriority(os.PRIO_PROCESS, 0)
    assert await database.reading(lambda _: os.getpriority(os.PRIO_PROCESS, 0)) > ours
    assert await database.writing(lambda _: os.getpriority(os.PRIO_PROCESS, 0)) == ours
    await database.close()
