"""The keeper goes on: a row that breaks one round does not end the later ones."""

from __future__ import annotations

import asyncio
import sqlite3

import pytest

from sliceway.brain.keeper import Keeper
from sliceway.brain.local import LocalDoor
from sliceway.ports import NewId
from tests.contract.office import ask, gateway, settle
from tests.fakes.clock import HandClock


async def test_ap14_a_broken_row_does_not_end_the_keeper(
    door: LocalDoor, clock: HandClock, new_id: NewId, caplog: pytest.LogCaptureFixture
) -> None:
    """AP14: a round that meets damage is logged without anybody's words; once it is mended, what is due is done."""
    operator = await settle(door, expire_after="1h")
    asked = await ask(gateway(door))
    clock.advance("1h")
    file = door.database.file
    assert file is not None
    with sqlite3.connect(file) as hand:
        (kept,) = hand.execute("SELECT history FROM proposals").fetchone()
        hand.execute("UPDATE proposals SET history = '{broken'")
    hand.close()
    rounds = 0

    async def sleep(_seconds: float) -> None:
        nonlocal rounds
        rounds += 1
        if rounds == 2:
            raise asyncio.CancelledError
        assert "verify the store" in caplog.text
        assert "broken" not in caplog.text
        with sqlite3.connect(file) as hand:
            hand.execute("UPDATE proposals SET history = ?", (kept,))
        hand.close()

    with pytest.raises(asyncio.CancelledError):
        await Keeper(door.database, clock=clock, new_id=new_id, holder="one").run(sleep=sleep)
    assert [(one.id, one.revision) for one in (await operator.changes()).items] == [(asked.id, 2)]
