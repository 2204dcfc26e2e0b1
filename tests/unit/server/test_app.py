"""The application as a whole, without a store behind it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, cast

import pytest
from aiohttp.test_utils import TestClient, TestServer

from sliceway.core.principals import Principal
from sliceway.errors import Unauthorized
from sliceway.ports import Brain, WhoAmI
from sliceway.server.app import Parts, brain_application
from sliceway.server.running import Running
from sliceway.web.guard import LOOPBACK

GOOD = {"Authorization": "Bearer good"}


class OddBrain:
    """A brain that holds writes until it is let go, and breaks where nobody foresaw it."""

    def __init__(self) -> None:
        """Hold."""
        self.begun = asyncio.Event()
        self.go = asyncio.Event()
        self.done = asyncio.Event()

    async def whoami(self) -> WhoAmI:
        """Answer."""
        return WhoAmI({"kind": "agent"}, (), ())

    async def register(self) -> None:
        """Take as long as one is told."""
        self.begun.set()
        await self.go.wait()
        self.done.set()

    async def agents(self, **_fields: Any) -> None:
        """Take as long, too."""
        await self.register()

    async def slices(self, **_fields: Any) -> None:
        """Break, with a word that is nobody's business."""
        raise KeyError("the secret of bob")


@pytest.fixture
def brain() -> OddBrain:
    """The brain behind the server."""
    return OddBrain()


@pytest.fixture
def running() -> Running:
    """What runs in the server."""
    return Running()


@pytest.fixture
async def client(brain: OddBrain, running: Running) -> AsyncIterator[TestClient[Any, Any]]:
    """A client of the application."""

    async def principal_of(token: str) -> Principal:
        if token != "good":
            raise Unauthorized()
        return Principal.agent("ada")

    async def ready() -> Mapping[str, Any]:
        return {"ready": True}

    async def gauges() -> Mapping[str, int]:
        return {}

    parts = Parts(lambda _who: cast("Brain", brain), principal_of, ready, gauges, LOOPBACK, rate=100)
    async with TestClient(TestServer(brain_application(parts, running))) as opened:
        yield opened


async def test_br14_what_nobody_foresaw_is_told_in_general(client: TestClient[Any, Any]) -> None:
    """BR14: a 500 is a problem document too, and holds nothing of the inside."""
    async with client.get("/v1/slices", headers=GOOD) as answer:
        assert answer.status == 500
        text = await answer.text()
    assert "secret" not in text
    assert "KeyError" not in text


async def test_op4_what_comes_while_it_stops_is_sent_away(client: TestClient[Any, Any], running: Running) -> None:
    """OP4: 503 with `Retry-After`, not ready, and still alive."""
    await running.stop(0)
    async with client.get("/v1/whoami", headers=GOOD) as answer:
        assert (answer.status, answer.headers["Retry-After"]) == (503, "1")
        assert (await answer.json())["code"] == "unavailable"
    async with client.get("/readyz") as answer:
        assert answer.status == 503
    async with client.get("/healthz") as answer:
        assert answer.status == 200


@pytest.mark.parametrize("method", ["POST", "GET"])
async def test_op4_a_caller_who_hangs_up_ends_nothing(
    client: TestClient[Any, Any], running: Running, brain: OddBrain, method: str
) -> None:
    """OP4: the connection is closed in the middle; a write goes on, a refused read comes into the record , and a
    stop waits for both."""
    body: dict[str, Any] | None = {} if method == "POST" else None
    caller = asyncio.ensure_future(client.request(method, "/v1/agents", headers=GOOD, json=body))
    await brain.begun.wait()
    caller.cancel()
    await asyncio.wait([caller])
    stops = asyncio.ensure_future(running.stop(30))
    brain.go.set()
    await stops
    assert brain.done.is_set()
