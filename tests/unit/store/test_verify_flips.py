"""Bytes flipped at random in the ledger: each is found, and its row named (BR11)."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sliceway.brain.local import LocalDoor
from sliceway.ports import Brain
from tests.contract.office import ANN, alone, ask, at, gateway, page, settle, written

FLIPS = 200
COLUMNS = ("payload", "author", "salt", "digest", "prev", "hash", "kind", "at", "event_id")


async def _lived(door: LocalDoor, ada: Brain) -> None:
    await settle(door)
    ours = gateway(door)
    await written(ours)
    await ask(ours, page("next", "Was ist mit «Müller»? \t [[oncall]]\n"), origin=at(ANN, thread="2.2"))
    await ours.propose(op="write", slice="shared", pages=[page("d", "drafted")], origin=alone(ANN))
    for text in ("ein Satz mit é\n", "zwei \x09 Sätze"):
        await ada.write_pages(slice="mine", pages=[page("n", text, tags=["t"]), page("m", "日本語 " + text)])
    await ada.delete(slice="mine", slug="m", reason="alt")


@pytest.mark.timeout(120)
async def test_br11_any_byte_flipped_in_an_event_is_found_and_its_row_named(
    door: LocalDoor, ada: Brain, operator: Brain, file: Path
) -> None:
    """BR11: any bit of any byte of payload, author, salt, digest, links, kind, time or id of any event, flipped:
    `verify` names that slice and that row, one in each slice at a time, and with the bytes put back all is well."""
    await _lived(door, ada)
    chance = random.Random(20260504)
    done = 0
    while done < FLIPS:
        flipped = []
        with closing(sqlite3.connect(file)) as raw, raw:
            raw.text_factory = bytes
            for name in [row[0] for row in raw.execute("SELECT DISTINCT slice FROM events ORDER BY slice").fetchall()]:
                column = COLUMNS[done % len(COLUMNS)] if done % 2 else "payload"
                wanted = f"SELECT slice, seq, {column} FROM events WHERE slice = CAST(? AS TEXT) ORDER BY seq"
                name, seq, old = chance.choice(raw.execute(wanted, (name,)).fetchall())
                where = chance.randrange(len(old))
                new = bytearray(old)
                new[where] ^= 1 << chance.randrange(8)
                kind = "BLOB" if column == "salt" else "TEXT"
                change = f"UPDATE events SET {column} = CAST(? AS {kind}) WHERE slice = CAST(? AS TEXT) AND seq = ?"
                raw.execute(change, (bytes(new), name, seq))
                flipped.append((name.decode(), seq, change, old, column, where))
                done += 1
        report = await operator.verify()
        found = {(fault.slice, fault.seq) for fault in report.errors}
        assert found == {(name, seq) for name, seq, *_ in flipped}, flipped
        with closing(sqlite3.connect(file)) as raw, raw:
            for name, seq, change, old, *_ in flipped:
                raw.execute(change, (old, name, seq))
    assert (await operator.verify()).ok


async def test_br11_a_projected_text_that_is_no_text_is_found(
    door: LocalDoor, ada: Brain, operator: Brain, file: Path
) -> None:
    """BR11: bytes in a row that no engine reads as text end no verification: the slice is named."""
    await _lived(door, ada)
    with sqlite3.connect(file) as raw:
        raw.execute("UPDATE pages SET content = CAST(x'ff' AS TEXT) WHERE slice = 'agent-ada' AND slug = 'n'")
    raw.close()
    assert {fault.slice for fault in (await operator.verify()).errors} == {"agent-ada"}
