"""The pages of a gateway that machines look at."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import TestClient, TestServer

from sliceway.web.health import SIGNED_PATH, health_application

Browser = TestClient[web.Request, web.Application]
FACTS: dict[str, Any] = {"ready": True, "agent": "ada", "identity_source": "env"}


@pytest.fixture
def facts() -> dict[str, Any]:
    """What the gateway says of itself; a test may change it."""
    return dict(FACTS)


@pytest.fixture
async def client(facts: dict[str, Any]) -> AsyncIterator[Browser]:
    """A client of a gateway's application."""

    async def ready() -> Mapping[str, Any]:
        return facts

    async def signed(_request: web.Request) -> web.Response:
        return web.Response(text="taken")

    async def metrics() -> str:
        return "sliceway_turns_total 4\n"

    app = health_application(ready, signed, metrics, hosts={"127.0.0.1", "gateway.example"})
    async with TestClient(TestServer(app)) as opened:
        yield opened


@pytest.mark.parametrize(("ready", "status"), [(True, 200), (False, 503)])
async def test_op2_alive_ready_and_counted(client: Browser, facts: dict[str, Any], ready: bool, status: int) -> None:
    """OP2: alive whatever else; ready with the facts, else 503 with the same; the metrics in Prometheus' own form."""
    facts["ready"] = ready
    assert (await client.get("/healthz")).status == 200
    answer = await client.get("/readyz")
    assert (answer.status, await answer.json()) == (status, {**FACTS, "ready": ready})
    metrics = await client.get("/metrics")
    assert (metrics.status, metrics.headers["Content-Type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    assert await metrics.text() == "sliceway_turns_total 4\n"


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
async def test_op5_the_pages_answer_to_their_own_names_only(client: Browser, path: str) -> None:
    """OP5: another host name and another site's page are refused; the signed path answers under any name, and to no
    page of another site."""
    assert (await client.get(path, headers={"Host": "gateway.example"})).status == 200
    for headers in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}):
        assert (await client.get(path, headers=headers)).status == 403
    assert (await client.post(SIGNED_PATH, headers={"Host": "public.example"})).status == 200
    assert (await client.post(SIGNED_PATH, headers={"Origin": "https://evil.example"})).status == 403
