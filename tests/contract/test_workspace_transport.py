"""The way to the app: what an app that is slow, gone or odd looks like, and what ends with the workspace."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from aiohttp import web
from slack_sdk.signature import SignatureVerifier

from sliceway.web.serving import bound, port_of, served
from sliceway.workspace.clock import VirtualClock
from sliceway.workspace.options import Options
from sliceway.workspace.server import running_workspace
from sliceway.workspace.transport import Delivery, HttpTransport
from tests.contract.workspace_app import listening_app
from tests.contract.workspace_client import APP, workspace_client

LETTER = Delivery("event", {"type": "event_callback", "event": {"type": "message", "text": "x" * 2_000_000}})


@pytest.fixture
async def odd_app() -> AsyncIterator[str]:
    """An app that never answers at /slow, sends elsewhere at /moved, and hangs up at /rude."""
    gone = asyncio.Event()

    async def slow(_request: web.Request) -> web.Response:
        await gone.wait()
        return web.Response()

    async def moved(_request: web.Request) -> web.Response:
        raise web.HTTPFound("/slow")

    async def rude(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    app = web.Application(client_max_size=4_000_000)
    for name, handler in (("slow", slow), ("moved", moved), ("rude", rude)):
        app.router.add_post(f"/{name}", handler)
    listener = bound(0)
    async with served(app, listener):
        yield f"http://127.0.0.1:{port_of(listener)}"
        gone.set()


@pytest.mark.parametrize(
    ("path", "status", "error"),
    [
        ("/slow", None, "http_timeout"),
        ("/moved", 302, None),
        ("/rude", None, "connection_failed"),
        ("/nowhere", 404, None),
    ],
)
async def test_trouble_is_an_answer_and_no_exception(
    odd_app: str, path: str, status: int | None, error: str | None
) -> None:
    """A slow app is a timeout, a redirect is not followed, a broken connection has Slack's name for it."""
    transport = HttpTransport(lambda: odd_app + path, "secret", VirtualClock(), ack_seconds=0.3)
    answer = await transport.send(transport.pack(LETTER, None))
    await transport.close()
    assert (answer.status, answer.error, answer.taken) == (status, error, False)


async def test_an_address_that_is_none_is_a_failed_connection() -> None:
    """An address that cannot be dialled, or none at all, is `connection_failed`."""
    for url in ("http://127.0.0.1:99999/x", "nonsense", None):
        transport = HttpTransport(lambda url=url: url, "secret", VirtualClock())  # type: ignore[misc]  # mypy knows no such default
        answer = await transport.send(transport.pack(LETTER, None))
        await transport.close()
        assert answer.error == "connection_failed"


async def test_hours_that_were_added_leave_signatures_good() -> None:
    """An app whose own clock nobody pushed still takes what is posted to it: the signature is of the time outside."""
    clock = VirtualClock()
    clock.advance(15 * 60)
    transport = HttpTransport(lambda: None, "secret", clock)
    parcel = transport.pack(LETTER, None)
    await transport.close()
    assert SignatureVerifier("secret").is_valid_request(parcel.body, parcel.headers)


async def test_closing_gives_up_what_waits_to_be_repeated() -> None:
    """A workspace with deliveries that wait for their next try ends at once, and leaves no task behind."""
    before = asyncio.all_tasks()
    async with running_workspace(request_url="http://127.0.0.1:9/x") as workspace:
        changed = workspace.model.channel("COPS")
        workspace.hub.tell_app({"type": "channel_rename"}, changed)
        await workspace.settled()
        workspace.hub.tell_app({"type": "channel_rename"}, changed)
    await asyncio.sleep(0)
    assert asyncio.all_tasks() <= before


async def test_what_nobody_could_confirm_can_be_chosen() -> None:
    """A mention in a direct message is an `app_mention`, and a response URL wants the bot there, where so chosen."""
    options = Options(mention_in_direct=True, response_url_anywhere=False)
    async with listening_app() as app, workspace_client(options=options) as client:
        client.workspace.connect(app.url)
        await client.say("UADA", "DADA", f"{APP} hello")
        await client.workspace.settled()
        assert len(app.events("app_mention")) == 1
        await client.control("command", user="UADA", channel="CRANDOM", command="/x")
        url = app.received[-1].payload["response_url"]
        async with client.http.post(url, json={"text": "hi"}) as response:
            assert (response.status, (await response.json())["error"]) == (400, "not_in_channel")
