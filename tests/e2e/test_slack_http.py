"""The way in over HTTP alone: signatures, headers and bodies, with a real Bolt app against the workspace."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import aiohttp
import pytest
from aiohttp import web
from slack_bolt.middleware.async_custom_middleware import AsyncCustomMiddleware

from sliceway.errors import SettingsError
from sliceway.slack.app import SlackDoor, Wiring
from sliceway.slack.calls import client_for
from sliceway.web.serving import bound, port_of, served
from tests.e2e.slack_side import Kept, Side, slack_side
from tests.unit.slack.given import payload


@pytest.fixture
async def side() -> AsyncIterator[Side]:
    """A workspace with a Slack side connected to it over HTTP."""
    async with slack_side("http") as opened:
        yield opened


async def test_t10_a_first_delivery_with_a_retry_header_is_kept(side: Side) -> None:
    """T10, R2, R3: retries are told by their key, however the header is spelt: `x-slack-retry-num: 0` on a first
    delivery drops nothing, and a real repetition is acknowledged without a second turn."""
    body = json.dumps(payload("message_in_dm")).encode()
    for header in ({"x-slack-retry-num": "0"}, {"X-Slack-Retry-Num": "2"}, {"X-SLACK-RETRY-NUM": "3"}):
        assert (await side.raw(body, **header))[0] == 200
    assert len(side.kept.offered) == 3
    assert len(side.kept.turns) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"X-Slack-Request-Timestamp": ""},
        {"X-Slack-Request-Timestamp": "yesterday"},
        {"X-Slack-Request-Timestamp": "1"},
        {"X-Slack-Request-Timestamp": "²"},
        {"X-Slack-Signature": ""},
        {"X-Slack-Signature": "v0=ümlaut"},
        {"X-Slack-Signature": "v0=" + "0" * 64},
    ],
)
async def test_t6_what_is_not_surely_slacks_is_refused(side: Side, headers: dict[str, str]) -> None:
    """T6, R63: a wrong, odd or missing timestamp or signature is 401, never an error of ours, and nothing is kept: a
    door that is pointed at the workspace verifies as it does against Slack."""
    status, _ = await side.raw(json.dumps(payload("app_mention")).encode(), **headers)
    assert status == 401
    assert side.kept.offered == []


@pytest.mark.parametrize("body", [b"{", b"[]", b'"x"', b"\xff\xfe", b"[" * 5000, b"payload=%7B", b"payload=%5B%5D"])
async def test_a_body_that_cannot_be_read_is_refused(side: Side, body: bytes) -> None:
    """A signed body that is not JSON, not UTF-8 or no object is a refusal, never an error of ours."""
    kind = "application/x-www-form-urlencoded" if body.startswith(b"payload") else "application/json"
    status, _ = await side.raw(body, **{"Content-Type": kind})
    assert status in {400, 401}


async def test_an_endless_body_is_refused(side: Side) -> None:
    """A body larger than any of Slack's is not read to its end."""
    status, _ = await side.raw(b"x" * (3 * 1024 * 1024 + 1))
    assert status == 413


async def test_t6_an_empty_signing_secret_stops_the_boot() -> None:
    """T6: without a signing secret the door is not built, and the error says which setting."""
    async with aiohttp.ClientSession() as session:
        client = client_for("xoxb-x", "http://127.0.0.1:1/api/", session)
        with pytest.raises(SettingsError, match="SLACK_SIGNING_SECRET"):
            SlackDoor(Wiring(" ", lambda: None, client, Kept()))


async def test_t2_nothing_stands_around_the_listeners() -> None:
    """T2: Bolt's middleware is no onion, so none of ours is there: what has to be done is done in the listener."""
    async with aiohttp.ClientSession() as session:
        client = client_for("xoxb-x", "http://127.0.0.1:1/api/", session)
        door = SlackDoor(Wiring("secret", lambda: None, client, Kept()))
        assert door.app._async_middleware_list
        assert not [one for one in door.app._async_middleware_list if isinstance(one, AsyncCustomMiddleware)]
        for listener in door.app._async_listeners:
            assert not [one for one in listener.middleware if isinstance(one, AsyncCustomMiddleware)]


async def test_a_request_before_the_account_is_known_comes_again() -> None:
    """While the agent does not know its own ids nothing is let in, and Slack is asked to deliver again."""
    async with slack_side("http", known=False) as side:
        assert (await side.raw(json.dumps(payload("app_mention")).encode()))[0] == 503
        assert (await side.raw(json.dumps(payload("url_verification")).encode()))[0] == 200
        assert side.kept.offered == []


async def test_url_verification_is_answered(side: Side) -> None:
    """The challenge that Slack sends when a request URL is set comes back."""
    status, text = await side.raw(json.dumps(payload("url_verification")).encode())
    assert (status, json.loads(text)) == (200, {"challenge": payload("url_verification")["challenge"]})


async def test_t6_without_a_signing_secret_nothing_is_taken_over_http() -> None:
    """T6: a gateway that connects by socket and knows no secret refuses every request, signed or not."""
    async with aiohttp.ClientSession() as session:
        client, kept = client_for("xoxb-x", "http://127.0.0.1:1/api/", session), Kept()
        app = web.Application()
        app.add_routes(SlackDoor(Wiring(None, lambda: None, client, kept)).routes())
        listener = bound(0)
        async with served(app, listener):
            headers = {"X-Slack-Request-Timestamp": "1796069851", "X-Slack-Signature": "v0=" + "0" * 64}
            url = f"http://127.0.0.1:{port_of(listener)}/slack/events"
            async with session.post(url, json=payload("app_mention"), headers=headers) as response:
                assert response.status == 401
        assert kept.offered == []
