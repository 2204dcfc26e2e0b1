"""What the way in from Slack costs beside a bare Bolt app that does nothing."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from slack_bolt.app.async_app import AsyncApp
from slack_bolt.authorization import AuthorizeResult
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.web.async_client import AsyncWebClient

from sliceway.ports import Desk
from sliceway.ports.inbound import Observed
from sliceway.slack.app import SlackDoor, Wiring
from sliceway.store.desk import open_desk
from tests.e2e.slack_side import Kept
from tests.unit.slack.given import ME, payload

SECRET = "bench"
ROUNDS = 1000


class Free(Kept):
    """An inbound that costs nothing, so that only the way in is measured."""

    async def event(self, *, key: str, queue: str, kind: str, payload: Mapping[str, Any]) -> bool:
        return True

    async def observe(self, observed: Observed) -> None:
        return None


class Keeping(Kept):
    """An inbound that keeps each message on a real desk, as the gateway does before it acknowledges."""

    def __init__(self, desk: Desk) -> None:
        """Take the desk."""
        super().__init__()
        self._desk, self._count = desk, 0

    async def event(self, *, key: str, queue: str, kind: str, payload: Mapping[str, Any]) -> bool:
        self._count += 1
        return await self._desk.put_event(key=f"{key}/{self._count}", queue=queue, kind=kind, payload=payload)

    async def observe(self, observed: Observed) -> None:
        return None


class Body:
    """A request's body that is there already."""

    def __init__(self, raw: bytes) -> None:
        """Take the bytes."""
        self._raw = raw

    async def iter_any(self) -> Any:
        """Yield them."""
        yield self._raw


def bare_app(client: AsyncWebClient) -> AsyncApp:
    """Return a Bolt app whose one listener does nothing."""

    async def authorize(enterprise_id: str | None, team_id: str | None) -> AuthorizeResult:
        return AuthorizeResult(enterprise_id=None, team_id="T0TEAM", bot_token="xoxb-x", bot_user_id="U0BOT")

    async def nothing() -> None:
        return None

    quiet = logging.getLogger("bench.bolt")
    quiet.setLevel(logging.ERROR)
    app = AsyncApp(name="bare", logger=quiet, signing_secret=SECRET, client=client, authorize=authorize)
    app.event(re.compile(".*"))(nothing)
    return app


async def cost_ms(once: Callable[[], Awaitable[object]]) -> float:
    """Return the CPU time of one call, in milliseconds."""
    for _ in range(50):
        await once()
    begun = time.process_time()
    for _ in range(ROUNDS):
        await once()
    return (time.process_time() - begun) / ROUNDS * 1000


@pytest.mark.bench
async def test_intake_to_ack(tmp_path: Path) -> None:
    """CPU from a signed mention to its acknowledgement, ours beside a bare Bolt app's, in one run: the way in alone,
    and with the message kept on the desk first. Target: adds at most 0.7 ms."""
    client = AsyncWebClient(token="xoxb-x", base_url="http://127.0.0.1:1/api/", retry_handlers=[])
    text, stamp = json.dumps(payload("app_mention")), str(int(time.time()))
    signed = hmac.new(SECRET.encode(), f"v0:{stamp}:{text}".encode(), hashlib.sha256).hexdigest()
    headers = {
        "X-Slack-Request-Timestamp": stamp,
        "X-Slack-Signature": f"v0={signed}",
        "Content-Type": "application/json",
    }
    desk = await open_desk(f"sqlite:///{tmp_path / 'desk.db'}", clock=lambda: datetime.now(UTC), sync="normal")
    bare = bare_app(client)

    body: Any = Body(text.encode())
    request = make_mocked_request("POST", "/slack/events", headers=headers, payload=body)

    async def theirs() -> object:
        return await bare.async_dispatch(AsyncBoltRequest(body=text, headers=dict(headers)))

    async def ours(door: SlackDoor) -> web.Response:
        return await door.handle(request)

    bolt = await cost_ms(theirs)
    for label, inbound in (("the way in alone", Free()), ("kept on the desk", Keeping(desk))):
        door = SlackDoor(Wiring(SECRET, lambda: ME, client, inbound))
        assert (await ours(door)).status == 200
        spent = await cost_ms(partial(ours, door))
        print(
            f"\nintake to ack, {label}: bare Bolt {bolt:.3f} ms, Sliceway {spent:.3f} ms, "
            f"adds {spent - bolt:.3f} ms CPU ({spent / bolt:.2f} times)"
        )
    await desk.close()
