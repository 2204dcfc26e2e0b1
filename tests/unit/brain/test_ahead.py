"""Lines of a large import are read ahead by a process of their own: to the same rows, and nothing is lost with it."""

from __future__ import annotations

import asyncio
import json
import logging
import os
from collections.abc import AsyncIterator

import pytest

from sliceway.brain import ahead
from sliceway.brain.local import LocalDoor
from sliceway.core.principals import Principal
from sliceway.errors import Unavailable

_LINES = 2600
"""More than one batch: the first is read by who writes."""


def _line(number: int) -> bytes:
    if number % 997 == 0:
        return b'{"page": {"slice": "kb-guide", "slug": "NO SLUG", "content": "x"}}'
    if number % 991 == 0:
        return b"{"
    page = {
        "slice": "kb-guide" if number % 3 else "shared", "slug": f"n/{number}", "content": f"Seite {number}: die Züge",
        "tags": ["a", "a", "b"], "title": f"build_{number}" if number % 2 else None, "summary": "am 4. Mai 2026",
    }  # fmt: skip
    return json.dumps({"page": page}).encode()


async def _lines(count: int = _LINES, *, breaks_off: bool = False) -> AsyncIterator[bytes]:
    for number in range(count):
        yield _line(number) + b"\n"
    if breaks_off:
        raise Unavailable("the stream ended")


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> list[asyncio.subprocess.Process]:
    """Whatever processes read ahead."""
    found: list[asyncio.subprocess.Process] = []
    begins = ahead.Ahead._begun

    async def noted(self: ahead.Ahead) -> asyncio.subprocess.Process:
        found.append(await begins(self))
        return found[-1]

    monkeypatch.setattr(ahead.Ahead, "_begun", noted)
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    return found


async def _imported(door: LocalDoor) -> tuple[int, int, list[tuple[int, str]]]:
    operator = door.enter(Principal.operator())
    report = await operator.import_(_lines(), request_id="load")
    verified = await operator.verify()
    assert verified.errors == ()
    return report.imported, report.skipped, [(fault.line, fault.code) for fault in report.errors]


@pytest.mark.parametrize("processors", [1, 2])
async def test_br11_what_is_read_ahead_comes_to_the_same(
    door: LocalDoor, begun: list[asyncio.subprocess.Process], monkeypatch: pytest.MonkeyPatch, processors: int
) -> None:
    """BR11: with a process that reads and without one the same lines come in, the same are refused, and every row is
    what the ledger says; the same load again is skipped, whoever read it."""
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    bad = [number for number in range(_LINES) if number % 997 == 0 or number % 991 == 0]
    faults = [(number + 1, "invalid_slug" if number % 997 == 0 else "invalid_request") for number in bad]
    assert await _imported(door) == (_LINES - len(bad), 0, faults)
    monkeypatch.setattr(os, "cpu_count", lambda: 3 - processors)
    assert await _imported(door) == (0, _LINES - len(bad), faults)
    assert len(begun) == 1
    assert begun[0].returncode == 0


async def test_br3_a_reader_that_dies_costs_nothing(
    door: LocalDoor, begun: list[asyncio.subprocess.Process], monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """BR3: killed before its first answer it is said, and the import reads on by itself."""
    begins = ahead.Ahead._begun

    async def killed(self: ahead.Ahead) -> asyncio.subprocess.Process:
        process = await begins(self)
        process.kill()
        return process

    monkeypatch.setattr(ahead.Ahead, "_begun", killed)
    with caplog.at_level(logging.WARNING, "sliceway.brain.ahead"):
        imported, skipped, _ = await _imported(door)
    assert (imported > _LINES - 20, skipped) == (True, 0)
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert len(begun) == 1


async def test_op4_an_import_that_breaks_off_ends_its_reader(
    door: LocalDoor, begun: list[asyncio.subprocess.Process]
) -> None:  # fmt: skip
    """OP4: the error is the caller's, what was taken in stays, and no process is left."""
    operator = door.enter(Principal.operator())
    with pytest.raises(Unavailable, match="the stream ended"):
        await operator.import_(_lines(4100, breaks_off=True), request_id="load")
    assert [process.returncode for process in begun] == [0]
    assert (await operator.verify()).errors == ()
    entries = (await operator.slices()).items
    assert sum(entry.pages for entry in entries) > 3900


async def test_br2_a_server_starts_no_reader(door: LocalDoor, begun: list[asyncio.subprocess.Process]) -> None:
    """BR2: an admin's import, as a server takes it, begins no process."""
    report = await door.enter(Principal.admin()).import_(_lines())
    assert report.imported > _LINES - 20
    assert begun == []
