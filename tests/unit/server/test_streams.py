"""What streams through a server, and how it is broken off."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from itertools import accumulate, count
from pathlib import Path

import aiohttp
import pytest

from sliceway.brain.local import LocalDoor, open_local
from sliceway.core.principals import Principal
from sliceway.errors import Unauthorized
from sliceway.ports import Brain, NewId
from sliceway.server.app import Parts, brain_application
from sliceway.server.running import Running
from sliceway.web.connections import Bounds
from sliceway.web.guard import LOOPBACK
from sliceway.web.serving import bound, port_of, served
from tests.fakes.clock import HandClock

_LINES = b"".join(
    json.dumps({"page": {"slice": "kb-x", "slug": f"p/{n}", "content": f"page {n} " * 50}}).encode() + b"\n"
    for n in range(300)
)
_NDJSON = {"Content-Type": "application/x-ndjson", "Authorization": "Bearer slw_any_thing"}


async def _nothing() -> dict[str, object]:
    return {}


async def _no_gauges() -> dict[str, int]:
    return {}


class Stage:
    """A server whose one caller is an admin, for so many looks at the token; each look at the clock is 3 s later."""

    def __init__(self, door: LocalDoor) -> None:
        """Let the caller in for ever."""
        self.good_for = 10**6
        self.step = 3
        self.running = Running()
        self._door = door

    @property
    def operator(self) -> Brain:
        """The brain as whoever holds the store has it."""
        return self._door.enter(Principal.operator())

    async def principal_of(self, _token: str) -> Principal:
        """Return the admin, as long as the token is good."""
        self.good_for -= 1
        if self.good_for < 0:
            raise Unauthorized
        return Principal.admin(token_id="tok")

    def parts(self) -> Parts:
        """Return what the server is made of."""
        seconds = accumulate(self.step for _ in count())
        return Parts(
            enter=self._door.enter, principal_of=self.principal_of, ready=_nothing, gauges=_no_gauges, hosts=LOOPBACK,
            rate=1e9, now=lambda: float(next(seconds)),
        )  # fmt: skip


Call = Callable[..., Awaitable[tuple[int, bytes]]]


@pytest.fixture
async def stage(tmp_path: Path, clock: HandClock, new_id: NewId) -> AsyncIterator[Stage]:
    """A stage on an empty store with one mounted slice."""
    url = f"sqlite:///{tmp_path / 'store.db'}"
    async with await open_local(url, sync="normal", clock=clock, new_id=new_id) as door:
        await door.enter(Principal.operator()).set_policy(kb={"ada": ["kb-x"]})
        yield Stage(door)


@pytest.fixture
async def call(stage: Stage) -> AsyncIterator[Call]:
    """A way to call it: the status and the whole body."""
    listener = bound(0)
    app = brain_application(stage.parts(), stage.running)
    async with (
        served(app, listener, until_hung_up=True, bounds=Bounds(longest_line=2**16, unpacks=False)),
        aiohttp.ClientSession(f"http://127.0.0.1:{port_of(listener)}") as session,
    ):

        async def calling(method: str, path: str, **more: object) -> tuple[int, bytes]:
            async with session.request(method, path, **{"headers": _NDJSON, **more}) as answer:  # type: ignore[arg-type]
                return answer.status, await answer.read()

        yield calling


async def test_br11_an_import_and_an_export_go_through_in_pieces(call: Call) -> None:
    """BR11: a body without a known length comes in line by line, and what came in goes out whole."""
    status, body = await call("POST", "/v1/import?request_id=r1", data=_pieces(_LINES))
    assert (status, json.loads(body)) == (200, {"imported": 300, "skipped": 0, "errors": [], "refused": 0})
    status, body = await call("GET", "/v1/export?slices=kb-x")
    lines = [json.loads(line) for line in body.splitlines()]
    assert (status, lines[0]["sliceway"], len(lines)) == (200, 1, 301)
    status, body = await call("POST", "/v1/import?request_id=r1", data=_LINES)
    assert json.loads(body)["skipped"] == 300


async def _pieces(data: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(data), 5000):
        yield data[start : start + 5000]


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "application/json"},
        {"Content-Type": "application/x-ndjson; charset=latin-1"},
        {"Content-Encoding": "gzip"},
    ],
)
async def test_br5_an_import_is_plain_lines(call: Call, headers: dict[str, str]) -> None:
    """BR5: another type or encoding of a body is 415, and nothing of it is taken in."""
    status, body = await call("POST", "/v1/import", data=_LINES, headers={**_NDJSON, **headers})
    assert (status, json.loads(body)["code"]) == (415, "unsupported_media_type")
    status, body = await call("GET", "/v1/export")
    assert len(body.splitlines()) == 1


async def test_br5_unknown_fields_of_a_stream_are_refused(call: Call) -> None:
    """BR5: what is not a field of the call is named, before anything streams."""
    for method, path in (("GET", "/v1/export?slice=shared"), ("POST", "/v1/import?slices=shared")):
        status, body = await call(method, path)
        assert (status, json.loads(body)["errors"][0]["code"]) == (422, "unknown_field")


async def test_br2_a_token_that_ends_meanwhile_ends_its_streams(call: Call, stage: Stage) -> None:
    """BR2: an open stream looks its token up again: an import is refused from there on, with what came in before kept;
    an export breaks off without its end, so that nobody takes it for the whole."""
    await call("POST", "/v1/import", data=_LINES)
    stage.good_for = 1
    with pytest.raises(aiohttp.ClientPayloadError):
        await call("GET", "/v1/export")
    stage.good_for = 1
    status, body = await call("POST", "/v1/import", data=_pieces(_LINES))
    assert (status, json.loads(body)["code"]) == (401, "unauthorized")


async def test_op4_a_server_that_stops_ends_its_streams(call: Call, stage: Stage) -> None:
    """OP4: a body that still comes when the server stops is answered 503 with Retry-After; sent again, it goes on."""

    async def pieces() -> AsyncIterator[bytes]:
        yield _LINES[:1000]
        stage.running.stopping.set()
        yield _LINES[1000:]

    status, body = await call("POST", "/v1/import", data=pieces())
    assert (status, json.loads(body)["code"]) == (503, "unavailable")


async def test_br2_a_token_that_ended_while_a_body_came_changes_nothing(call: Call, stage: Stage) -> None:
    """BR2: the token of a body that was long in coming is looked up again when it is there, before anything is done."""
    asked, headers = b'{"raised": ["U1"]}', {**_NDJSON, "Content-Type": "application/json"}
    stage.good_for = 1
    status, body = await call("PUT", "/v1/policy", data=_pieces(asked), headers=headers)
    assert (status, json.loads(body)["code"]) == (401, "unauthorized")
    stage.good_for = 2
    assert (await call("GET", "/v1/policy"))[0] == 200
    assert (await stage.operator.policy()).raised == frozenset()
    stage.good_for = 2
    assert (await call("PUT", "/v1/policy", data=_pieces(asked), headers=headers))[0] == 200
    assert len((await stage.operator.policy()).raised) == 1


async def test_br2_the_last_lines_of_an_import_are_written_by_a_token_that_is_good(call: Call, stage: Stage) -> None:
    """BR2: at the end of its body an import looks its token up before it writes what it still holds, however soon."""
    stage.step = 0
    stage.good_for = 1
    status, body = await call("POST", "/v1/import", data=_LINES[: _LINES.index(b"\n") + 1])
    assert (status, json.loads(body)["code"]) == (401, "unauthorized")
    stage.good_for = 1
    assert len((await call("GET", "/v1/export"))[1].splitlines()) == 1
