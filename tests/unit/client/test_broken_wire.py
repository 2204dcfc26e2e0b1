"""CL1 FR7: on a real socket: what breaks, hangs or drips is an error in time, never an empty success."""

from __future__ import annotations

import json
import socket

import pytest

from sliceway.client import Patience, RemoteDoor, open_remote
from sliceway.errors import Unavailable
from tests.fakes.clock import ids
from tests.unit.client.conftest import LISTING, TOKEN, WRITTEN
from tests.unit.client.wire_server import RawServer, drips, hangs_up, raw_server, says, says_nothing

GOOD = says(json.dumps(LISTING).encode())
TAKEN = says(json.dumps(WRITTEN).encode())


def _door(address: str, **patience: float) -> RemoteDoor:
    said = {"deadline": 5.0, "retries": 0, **patience}
    return open_remote(address, TOKEN, patience=Patience(**said), new_id=ids())  # type: ignore[arg-type]


async def test_cl1_a_kept_connection_is_used_again() -> None:
    """CL1: calls one after the other share one connection, and each shows the token."""
    async with raw_server(GOOD) as server, _door(server.address) as door:
        for _ in range(5):
            await door.enter().list_pages()
        assert (server.connections, len(server.requests)) == (1, 5)
        assert all(f"Authorization: Bearer {TOKEN}".encode() in head for _, head in server.requests)


async def test_cl1_a_stale_connection_is_replaced_at_once() -> None:
    """CL1: where the server closed what was kept, the call goes out again on a new connection, without a retry of the
    backoff's; the write is the same one by its request id."""
    async with raw_server(TAKEN, hangs_up, TAKEN) as server, _door(server.address) as door:
        brain = door.enter()
        await brain.write_pages(slice="mine", pages=[{"slug": "a", "content": "1"}])
        await brain.write_pages(slice="mine", pages=[{"slug": "b", "content": "2"}])
        bodies = [json.loads(request.partition(b"\r\n\r\n")[2]) for _, request in server.requests]
        assert [connection for connection, _ in server.requests] == [1, 1, 2]
        assert bodies[1] == bodies[2]
        assert bodies[1]["request_id"] != bodies[0]["request_id"]


async def test_cl1_a_stale_connection_is_retried_once_only() -> None:
    """CL1: a server that hangs up on every request is down, and one that hangs up on a new connection is not stale."""
    async with raw_server(GOOD, hangs_up) as server, _door(server.address) as door:
        await door.enter().list_pages()
        with pytest.raises(Unavailable, match="ended the connection"):
            await door.enter().list_pages()
        assert [connection for connection, _ in server.requests] == [1, 1, 2]
        with pytest.raises(Unavailable):
            await door.enter().list_pages()
        assert [connection for connection, _ in server.requests] == [1, 1, 2, 3]


async def test_cl1_a_secret_is_not_made_again_on_a_stale_connection() -> None:
    """CL1: a server that dies while it makes a token hangs up just so."""
    async with raw_server(GOOD, hangs_up) as server, _door(server.address) as door:
        await door.enter().list_pages()
        with pytest.raises(Unavailable):
            await door.enter().create_token(kind="admin")
        assert len(server.requests) == 2


@pytest.mark.parametrize(
    "broken",
    [
        says(b'{"items": [', promised=4000),
        says(b'{"items": []', promised=12),
        hangs_up,
    ],
    ids=["truncated body", "whole length, half the JSON", "no answer"],
)  # fmt: skip
async def test_fr7_half_an_answer_is_no_answer(broken: object) -> None:
    """FR7 CL1: a body that was cut off is `unavailable`, whatever was in it so far."""
    async with raw_server(broken) as server, _door(server.address) as door:  # type: ignore[arg-type]
        with pytest.raises(Unavailable, match=server.address):
            await door.enter().list_pages()


@pytest.mark.parametrize("slow", [drips, says_nothing], ids=["a drip", "silence"])
async def test_cl1_slow_answers_end_at_the_deadline(slow: object) -> None:
    """CL1 FR7: each byte in time does not make an answer in time; the deadline is over all of it."""
    async with raw_server(slow) as server, _door(server.address, deadline=0.3, retries=3) as door:  # type: ignore[arg-type]
        with pytest.raises(Unavailable, match=r"did not answer within 0\.3 s"):
            await door.enter().list_pages()
        assert len(server.requests) == 1


async def test_cl1_the_pool_is_bounded_and_recovers() -> None:
    """CL1 CL3: with every connection taken a call waits, ends by its deadline, and the next one finds a free one."""
    async with raw_server(drips, GOOD) as server, _door(server.address, pool_size=1, deadline=0.3) as door:
        with pytest.raises(Unavailable):
            await door.enter().list_pages()
        assert (await door.enter().list_pages()).items == ()


async def test_cl1_nobody_listening_is_said_with_the_address() -> None:
    """CL1 CF3: the error says where, what to do, and nothing of the token."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        async with _door(address) as door:
            with pytest.raises(Unavailable) as refused:
                await door.enter().whoami()
    assert str(refused.value) == (
        f"The brain at {address} cannot be reached; check that it runs and that brain.url is right."
    )


async def test_cl1_an_answer_without_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """CL1 FR7: no server makes this process hold more than the largest answer there is."""
    monkeypatch.setattr("sliceway.client.wire.MOST_BYTES", 10_000)
    large = json.dumps({**LISTING, "items": ["x" * 20_000]}).encode()
    async with raw_server(says(large)) as server, _door(server.address) as door:
        with pytest.raises(Unavailable, match="more than"):
            await door.enter().list_pages()


def test_raw_server_counts_what_it_was_asked() -> None:
    """The server of these tests starts with nothing."""
    assert RawServer([GOOD]).requests == []
