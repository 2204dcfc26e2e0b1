"""What every test stands on does what it says."""

from __future__ import annotations

import asyncio
import socket

import pytest

from sliceway.ports import NewId
from tests.conftest import end_closing, require
from tests.fakes.clock import HandClock


@pytest.mark.parametrize("address", [("192.0.2.1", 9), ("0.0.0.0", 0), ("", 0)])
def test_no_test_leaves_loopback(address: tuple[str, int]) -> None:
    """A socket to or on anything but loopback is refused before a packet leaves."""
    with socket.socket() as sock:
        with pytest.raises(RuntimeError, match="loopback only"):
            sock.connect(address)
        with pytest.raises(RuntimeError, match="loopback only"):
            sock.bind(address)


def test_no_test_asks_for_another_hosts_address() -> None:
    """A name other than loopback's is not even looked up."""
    with pytest.raises(RuntimeError, match="loopback only"):
        socket.getaddrinfo("example.org", 80)


def test_loopback_is_open() -> None:
    """A server on an ephemeral loopback port and its client work."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass


def test_a_missing_part_skips_at_home_and_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is missing is skipped on a laptop, never in CI."""
    require("json", "program:python3")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="no_such_module"):
        require("json", "no_such_module")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no-such-program"):
        require("program:no-such-program")


def test_the_clock_moves_only_when_moved(clock: HandClock) -> None:
    """A fake clock stands still, and moves by a duration in words."""
    assert clock() == clock()
    assert (clock.advance("15m") - clock.now).total_seconds() == 0
    assert clock.text == "2026-05-04T09:45:00.000000Z"


def test_ids_come_in_order(new_id: NewId) -> None:
    """Fake ids have the form of the real ones and sort as they were made."""
    made = [new_id() for _ in range(100)]
    assert made == sorted(set(made))
    assert {len(text) for text in made} == {26}


async def test_a_finished_task_is_no_leftover() -> None:
    """A task that was awaited, or cancelled and awaited, does not count as left running."""
    await asyncio.create_task(asyncio.sleep(0))
    endless = asyncio.create_task(asyncio.Event().wait())
    endless.cancel()
    with pytest.raises(asyncio.CancelledError):
        await endless


async def test_a_closed_connection_that_cannot_flush_ends_with_its_test() -> None:
    """A connection closed with bytes that nobody reads is ended, its socket with it; one that is open stays open."""
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        _, closed = await asyncio.open_connection(*deaf.getsockname())
        _, still_open = await asyncio.open_connection(*deaf.getsockname())
        for writer in (closed, still_open):
            writer.write(bytes(2**25))
        closed.close()
        await asyncio.sleep(0)
        held = closed.get_extra_info("socket")
        assert held.fileno() >= 0
        await end_closing()
        assert held.fileno() == -1
        assert not still_open.is_closing()
        assert still_open.get_extra_info("socket").fileno() >= 0
        still_open.close()  # which the fixture ends, or the run fails when this is collected
