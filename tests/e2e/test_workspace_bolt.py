"""A real Bolt app against the workspace, over HTTP and by socket: what a bot author gets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import aiohttp
import pytest
from slack_bolt.adapter.socket_mode.aiohttp import AsyncSocketModeHandler
from slack_bolt.app.async_app import AsyncApp
from slack_sdk.errors import SlackApiError
from slack_sdk.web.async_client import AsyncWebClient

from sliceway.web.serving import bound, port_of, served
from sliceway.workspace.faults import DisconnectReason
from sliceway.workspace.server import RunningWorkspace
from tests.contract.workspace_client import APP, Client, Json, workspace_client
from tests.e2e.slack_ways import Transport
from tests.fakes.waiting import until

Found = TypeVar("Found")
CARD: list[Json] = [
    {"type": "section", "text": {"type": "mrkdwn", "text": "Deploy?"}},
    {
        "type": "actions",
        "elements": [{"type": "button", "action_id": "why", "text": {"type": "plain_text", "text": "Say why"}}],
    },
]
FORM = {
    "type": "modal",
    "callback_id": "reason",
    "title": {"type": "plain_text", "text": "Why"},
    "submit": {"type": "plain_text", "text": "Send"},
    "blocks": [
        {
            "type": "input",
            "block_id": "why",
            "label": {"type": "plain_text", "text": "Reason"},
            "element": {"type": "plain_text_input", "action_id": "text"},
        }
    ],
}


def bot(workspace: RunningWorkspace) -> AsyncApp:
    """Return a bot: it answers a mention with a card, its button with a form, the form with a line."""
    client = AsyncWebClient(token=workspace.tokens.bot, base_url=workspace.api_url)
    client.proxy = None  # T15: the SDK takes a proxy from the environment, even for loopback
    app = AsyncApp(client=client, signing_secret=workspace.tokens.signing_secret)

    @app.event("app_mention")
    async def mentioned(event: Json, client: AsyncWebClient) -> None:
        await client.chat_postMessage(channel=event["channel"], thread_ts=event["ts"], text="Deploy?", blocks=CARD)

    @app.action("why")
    async def pressed(ack: Any, body: Json, client: AsyncWebClient) -> None:
        await ack()
        view = {**FORM, "private_metadata": body["channel"]["id"] + " " + body["message"]["thread_ts"]}
        await client.views_open(trigger_id=body["trigger_id"], view=view)

    @app.view("reason")
    async def submitted(ack: Any, view: Json, client: AsyncWebClient) -> None:
        reason = view["state"]["values"]["why"]["text"]["value"]
        if not reason:
            await ack(response_action="errors", errors={"why": "Say something."})
            return
        await ack()
        channel, thread_ts = view["private_metadata"].split()
        await client.chat_postMessage(channel=channel, thread_ts=thread_ts, text=f"Because {reason}")

    @app.command("/where")
    async def asked(ack: Any, body: Json, respond: Any, client: AsyncWebClient) -> None:
        await ack("Looking…")
        await client.chat_postEphemeral(channel=body["channel_id"], user=body["user_id"], text="Only for you")
        await respond(f"You are in {body['channel_name']}", response_type="in_channel")

    @app.options("build")
    async def searched(ack: Any, payload: Json) -> None:
        found = [number for number in ("2300", "2301", "2410") if payload["value"] in number]
        await ack(options=[{"text": {"type": "plain_text", "text": f"Build {each}"}, "value": each} for each in found])

    @app.action("build")
    @app.action("whom")
    async def chosen(ack: Any) -> None:
        await ack()

    @app.action("order")
    async def ordered(ack: Any, body: Json, say: Any) -> None:
        await ack()
        values = body["state"]["values"]["row"]
        whom = " ".join(f"<@{user}>" for user in values["whom"]["selected_users"])
        await say(f"{values['build']['selected_option']['value']} for {whom}")

    @app.event("message")
    async def heard() -> None:
        """Take what no other listener wants, so that Slack does not repeat it."""

    return app


@pytest.fixture
async def client(transport: Transport) -> AsyncIterator[Client]:
    """A workspace with the bot connected to it, either way."""
    connected = by_request if transport == "http" else by_socket
    async with workspace_client() as opened, connected(opened):
        yield opened


@asynccontextmanager
async def by_request(client: Client) -> AsyncIterator[None]:
    """Connect the bot as Bolt serves it over HTTP."""
    server = bot(client.workspace).server(port=0, path="/slack/events").web_app
    listener = bound(0)
    async with served(server, listener):
        client.workspace.connect(f"http://127.0.0.1:{port_of(listener)}/slack/events")
        yield


@asynccontextmanager
async def by_socket(client: Client) -> AsyncIterator[None]:
    """Connect the bot by Bolt's own Socket Mode."""
    handler = AsyncSocketModeHandler(bot(client.workspace), client.workspace.tokens.app)
    handler.client.proxy = None
    try:
        await handler.connect_async()  # type: ignore[no-untyped-call]

        async def connected() -> bool:
            return len(client.workspace.hub.sockets) == 1

        await until(connected)
        yield
    finally:
        await handler.close_async()  # type: ignore[no-untyped-call]


async def _when(client: Client, found: Callable[[], Found]) -> Found:
    """Return what `found` returns once it is true; the workspace says when to look again."""
    changed = asyncio.Event()
    stop = client.workspace.model.watch(lambda _change: changed.set())
    try:
        async with asyncio.timeout(20):
            while not (value := found()):
                changed.clear()
                await changed.wait()
    finally:
        stop()
    return value


async def _texts(client: Client, count: int, channel: str, **query: str) -> list[str]:
    """Return the texts of a place once the channel holds `count` messages."""
    await _when(client, lambda: len(client.workspace.model.messages(channel)) >= count)
    return [message["text"] for message in await client.messages(channel, **query)]


async def test_a_bolt_app_is_mentioned_pressed_and_told_why(client: Client) -> None:
    """A mention brings a card, its button a form, an empty form an error, the filled-in one an answer in the thread."""
    root = await client.say("UADA", "CDEPLOYS", f"{APP} shall we?")
    assert await _texts(client, 2, "CDEPLOYS", thread_ts=root) == [f"{APP} shall we?", "Deploy?"]
    card = (await client.messages("CDEPLOYS", thread_ts=root))[1]
    pressed = await client.control("click", user="UADA", channel="CDEPLOYS", ts=card["ts"], action_id="why")
    assert pressed["acked"] is True
    (view,) = await _when(client, lambda: list(client.workspace.model.views))
    empty = await client.control("submit", user="UADA", view_id=view, values={})
    assert empty["errors"] == {"why": "Say something."}
    values = {"why": {"text": {"type": "plain_text_input", "value": "it is Friday"}}}
    await client.control("submit", user="UADA", view_id=view, values=values)
    assert (await _texts(client, 3, "CDEPLOYS", thread_ts=root))[2] == "Because it is Friday"
    assert (await client.look("state"))["views"] == []


async def test_a_bolt_app_answers_a_command(client: Client) -> None:
    """The acknowledgement and the ephemeral message are for one person, what goes through `respond` for all."""
    await client.control("command", user="UADA", channel="COPS", command="/where", text="am I")
    mine = await _texts(client, 3, "COPS", **{"as": "UADA"})
    assert set(mine) == {"Looking…", "Only for you", "You are in ops"}
    assert await _texts(client, 3, "COPS", **{"as": "UBEN"}) == ["You are in ops"]


async def test_bolt_offers_options_and_reads_what_was_chosen(client: Client) -> None:
    """`app.options` answers what is typed in a menu; a button beside menus brings what was chosen in them."""
    elements: list[Json] = [
        {"type": "external_select", "action_id": "build", "min_query_length": 1},
        {"type": "multi_users_select", "action_id": "whom"},
        {"type": "button", "action_id": "order", "text": {"type": "plain_text", "text": "Order"}},
    ]
    blocks = [{"type": "actions", "block_id": "row", "elements": elements}]
    ts = (await client.api("chat.postMessage", channel="COPS", text="card", blocks=blocks))["ts"]
    where = {"user": "UADA", "channel": "COPS", "ts": ts}
    offered = (await client.control("suggest", **where, action_id="build", value="230"))["options"]
    assert [option["value"] for option in offered] == ["2300", "2301"]
    for action, value in (("build", "2301"), ("whom", ["UMIA", "UBEN"]), ("order", None)):
        assert (await client.control("click", **where, action_id=action, value=value))["acked"]

    async def said() -> bool:
        return "2301 for <@UMIA> <@UBEN>" in [message["text"] for message in await client.messages("COPS")]

    await until(said)


@pytest.mark.parametrize("transport", ["http"])
async def test_t1_bolt_loses_a_command_whose_text_says_payload(client: Client) -> None:
    """T1: the trap is real here: Bolt over HTTP does not recognise such a command, and the person sees an error."""
    answer = await client.control("command", user="UADA", channel="COPS", command="/where", text="is the payload")
    assert (answer["acked"], answer["status"], answer["error"]) == (False, 404, "dispatch_failed")


async def test_a_duplicated_mention_reaches_bolt_twice(client: Client) -> None:
    """R1: Bolt itself does not tell a duplicate from the first: without care there are two cards."""
    await client.control("faults", plan=[{"match": {"event": "app_mention"}, "do": "duplicate"}])
    root = await client.say("UADA", "COPS", f"{APP} hello")
    assert (await _texts(client, 3, "COPS", thread_ts=root))[1:] == ["Deploy?", "Deploy?"]


@pytest.mark.parametrize("transport", ["socket"])
@pytest.mark.parametrize("reason", ["warning", "refresh_requested"])
async def test_t13_bolt_goes_to_a_new_socket_and_misses_nothing(client: Client, reason: DisconnectReason) -> None:
    """T13, R14: the SDK obeys a disconnect frame; what was said in the gap arrives by its new socket."""
    sockets = client.workspace.hub.sockets
    await sockets.disconnect(reason)
    root = await client.say("UADA", "COPS", f"{APP} hello")
    assert (await _texts(client, 2, "COPS", thread_ts=root))[1:] == ["Deploy?"]
    tickets = [call for call in (await client.look("calls"))["calls"] if call["method"] == "apps.connections.open"]
    assert len(tickets) == 2
    assert len(sockets) == 1


async def test_t11_a_dropped_reply_is_a_broken_connection_after_the_fact(client: Client) -> None:
    """T11: the message stands, and the SDK sees no answer; its default retry posts it a second time."""
    workspace = client.workspace
    plan = [{"match": {"method": "chat.postMessage", "nth": 1}, "do": "drop_reply"}]
    await client.control("faults", plan=plan)
    async with aiohttp.ClientSession() as session:
        sdk = AsyncWebClient(token=workspace.tokens.bot, base_url=workspace.api_url, session=session)
        sdk.proxy = None
        sdk.retry_handlers.clear()
        with pytest.raises(aiohttp.ClientError):
            await sdk.chat_postMessage(channel="COPS", text="once")
        assert await _texts(client, 1, "COPS") == ["once"]
        await client.control("faults", plan=plan)
        default = AsyncWebClient(token=workspace.tokens.bot, base_url=workspace.api_url, session=session)
        default.proxy = None
        await default.chat_postMessage(channel="COPS", text="twice")
    assert await _texts(client, 3, "COPS") == ["once", "twice", "twice"]


async def test_t12_the_sdk_sees_a_rate_limit(client: Client) -> None:
    """T12: a 429 raises at once in the SDK, with how long to wait."""
    plan = [{"match": {"method": "chat.postMessage"}, "do": "rate_limit", "retry_after": 9}]
    await client.control("faults", plan=plan)
    sdk = AsyncWebClient(token=client.workspace.tokens.bot, base_url=client.workspace.api_url)
    sdk.proxy = None
    with pytest.raises(SlackApiError) as caught:
        await sdk.chat_postMessage(channel="COPS", text="hi")
    assert caught.value.response.status_code == 429
    assert caught.value.response.headers["Retry-After"] == "9"
