"""Socket Mode on the wire: tickets, hello, envelopes to exactly one socket, acknowledgements, redelivery, refresh."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import aiohttp
import pytest

from sliceway.workspace.options import Options
from sliceway.workspace.sockets import MOST
from tests.contract.workspace_app import listening_app
from tests.contract.workspace_client import APP, Client, workspace_client
from tests.contract.workspace_socket import AppSocket, address, app_socket


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    """A workspace without an app."""
    async with workspace_client() as opened:
        yield opened


@pytest.fixture
async def app(client: Client) -> AsyncIterator[AppSocket]:
    """An app with one socket."""
    async with app_socket(client) as socket:
        yield socket


@pytest.mark.parametrize(
    ("token", "error"),
    [("bot", "not_allowed_token_type"), ("user", "not_allowed_token_type"), ("xapp-other", "invalid_auth")],
)
async def test_a_socket_wants_the_apps_own_token(client: Client, token: str, error: str) -> None:
    """Only the app's token opens a socket, and it opens nothing else."""
    tokens = client.workspace.tokens
    asked = await client.api("apps.connections.open", _token=getattr(tokens, token, token))
    assert (asked["ok"], asked["error"]) == (False, error)
    assert (await client.api("auth.test", _token=tokens.app))["error"] == "not_allowed_token_type"


async def test_a_ticket_lets_in_once_and_not_for_long(client: Client) -> None:
    """An address works for one connection, and for half a minute; so chosen, it works again and again."""
    url = await address(client)
    async with client.http.ws_connect(url) as ws:
        assert (await ws.receive_json(timeout=10))["type"] == "hello"
        for bad in (url, url.replace("ticket=", "ticket=x"), url.partition("?")[0]):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await client.http.ws_connect(bad)
            assert refused.value.status == 401
    late = await address(client)
    await client.control("clock", advance="31s")
    with pytest.raises(aiohttp.WSServerHandshakeError):
        await client.http.ws_connect(late)
    async with workspace_client(options=Options(reusable_tickets=True)) as other:
        url = await address(other)
        for _ in range(2):
            async with other.http.ws_connect(url) as ws:
                assert (await ws.receive_json(timeout=10))["type"] == "hello"


async def test_hello_says_how_many_there_are_and_an_eleventh_is_sent_away(client: Client) -> None:
    """Hello counts the connections, so does the state; one too many is told so and closed."""
    async with AsyncExitStack() as stack:
        for count in range(1, MOST + 1):
            socket = await stack.enter_async_context(app_socket(client))
            assert socket.hello["num_connections"] == count
            assert socket.hello["connection_info"] == {"app_id": "ASLICEWAY"}
            assert socket.hello["debug_info"]["approximate_connection_time"] > 0
        assert (await client.look("state"))["sockets"] == MOST
        async with app_socket(client) as one_too_many:
            assert (one_too_many.hello["type"], one_too_many.hello["reason"]) == ("disconnect", "too_many_websockets")
            await one_too_many.closed()
        assert (await client.look("state"))["sockets"] == MOST


async def test_each_envelope_goes_to_exactly_one_socket_in_turn(client: Client, app: AppSocket) -> None:
    """Two sockets share what comes: one each, never both."""
    async with app_socket(client) as second:
        for text in ("one", "two"):
            await client.say("UADA", "COPS", text)
        got = await asyncio.gather(app.taken(), second.taken())
        assert {envelope["payload"]["event"]["text"] for envelope in got} == {"one", "two"}
        await client.workspace.settled()
    assert len((await client.look("deliveries"))["deliveries"]) == 2


async def test_a_socket_comes_before_the_request_url(client: Client) -> None:
    """While a socket is open nothing is posted; when it is gone the request URL serves."""
    async with listening_app() as http:
        client.workspace.connect(http.url)
        async with app_socket(client) as socket:
            await client.say("UADA", "COPS", "by socket")
            envelope = await socket.taken()
            assert (envelope["type"], envelope["accepts_response_payload"]) == ("events_api", False)
            assert (envelope["retry_attempt"], envelope["retry_reason"]) == (0, "")
            await client.workspace.settled()
        assert http.received == []
        await client.say("UADA", "COPS", "by request")
        assert (await http.first(1))[0].event["text"] == "by request"
    ways = [(one["via"], one["response"]["status"]) for one in (await client.look("deliveries"))["deliveries"]]
    assert ways == [("socket", 200), ("http", 200)]


async def test_t13_an_event_that_is_not_acknowledged_comes_again(client: Client, app: AppSocket) -> None:
    """T13: three seconds without an acknowledgement bring the same event in a new envelope, attempt 1, `timeout`."""
    await client.say("UADA", "COPS", "hello")
    first = await app.frame()
    await client.control("clock", advance="3s")
    again = await app.taken()
    assert again["payload"]["event_id"] == first["payload"]["event_id"]
    assert again["envelope_id"] != first["envelope_id"]
    assert (again["retry_attempt"], again["retry_reason"]) == (1, "timeout")


@pytest.mark.parametrize("reason", ["refresh_requested", "link_disabled"])
async def test_t13_an_event_behind_which_the_socket_is_closed_comes_again_at_the_next(
    client: Client, app: AppSocket, reason: str
) -> None:
    """T13, R14: a socket is closed before the acknowledgement; in the gap events wait, and come to the next socket."""
    plan = [{"match": {"event": "message", "nth": 1}, "do": "disconnect", "reason": reason}]
    await client.control("faults", plan=plan)
    await client.say("UADA", "COPS", "before")
    first, frame = await app.frame(), await app.frame()
    assert (frame["type"], frame["reason"]) == ("disconnect", reason)
    await app.ack(first)  # too late: what it was sent through is given up
    await client.say("UADA", "COPS", "in the gap")
    async with app_socket(client) as fresh:
        got = [await fresh.taken(), await fresh.taken()]
    assert {one["payload"]["event"]["text"]: one["retry_attempt"] for one in got} == {"before": 1, "in the gap": 1}
    assert first["payload"]["event_id"] in {one["payload"]["event_id"] for one in got}


async def test_t13_presses_and_commands_do_not_come_again(client: Client, app: AppSocket) -> None:
    """T13: a command that is not acknowledged fails for the person, and is not sent again; nor in a gap."""
    typed = asyncio.create_task(client.control("command", user="UADA", channel="COPS", command="/x", text="y"))
    envelope = await app.frame()
    assert (envelope["type"], envelope["accepts_response_payload"]) == ("slash_commands", True)
    assert "retry_attempt" not in envelope
    assert (envelope["payload"]["command"], envelope["payload"]["text"]) == ("/x", "y")
    await client.control("clock", advance="3s")
    assert ((await typed)["acked"], (await typed)["error"]) == (False, "operation_timeout")
    await client.workspace.hub.sockets.disconnect("refresh_requested")
    answer = await client.control("command", user="UADA", channel="COPS", command="/x")
    assert (answer["acked"], answer["error"]) == (False, "dispatch_failed")
    assert len((await client.look("deliveries"))["deliveries"]) == 1


@pytest.mark.parametrize("asked", ["command", "interactive"])
async def test_t13_with_redeliver_a_command_or_press_behind_which_the_socket_is_closed_comes_again(
    client: Client, app: AppSocket, asked: str
) -> None:
    """T13: where the plan says so, what was not acknowledged comes once more, in a new envelope, to the next socket."""
    plan = [
        {"match": {"event": asked, "nth": 1}, "do": "disconnect", "reason": "link_disabled"},
        {"match": {"event": asked}, "do": "redeliver"},
    ]
    await client.control("faults", plan=plan)
    delivered = asyncio.create_task(client.control("deliver", type=asked, payload={"command": "/x", "text": "y"}))
    first = await app.frame()
    async with app_socket(client) as fresh:
        again = await fresh.taken()
    assert again["payload"] == first["payload"]
    assert again["envelope_id"] != first["envelope_id"]
    assert "retry_attempt" not in again
    assert (await delivered)["acked"] is True


async def test_t13_a_repetition_that_is_not_acknowledged_is_the_last(client: Client, app: AppSocket) -> None:
    """T13: with `redeliver` a press is sent twice at the most, and then fails for the person."""
    await client.control("faults", plan=[{"do": "redeliver"}])
    delivered = asyncio.create_task(client.control("deliver", type="interactive", payload={"type": "x"}))
    for _ in range(2):
        await app.frame()
        await client.control("clock", advance="3s")
    assert ((await delivered)["acked"], (await delivered)["error"]) == (False, "timeout")
    assert len((await client.look("deliveries"))["deliveries"]) == 2


async def test_a_workspace_that_ends_waits_for_no_socket(client: Client) -> None:
    """A press that waits to be repeated to the next socket fails when the workspace ends."""
    plan = [{"do": "disconnect", "reason": "cut"}, {"do": "redeliver"}]
    async with app_socket(client) as app:
        await client.control("faults", plan=plan)
        delivered = asyncio.create_task(client.control("deliver", type="interactive", payload={"type": "x"}))
        await app.frame()
        await app.closed()
    await client.workspace.hub.sockets.close()
    assert (await delivered)["error"] == "connection_failed"


@pytest.mark.parametrize("reason", ["refresh_requested", "link_disabled"])
async def test_every_socket_can_be_told_to_go_now(client: Client, app: AppSocket, reason: str) -> None:
    """`_control/disconnect` tells each socket why, and nothing more is sent through any of them."""
    async with app_socket(client) as other:
        assert (await client.control("disconnect", reason=reason))["told"] == 2
        assert [(await one.frame())["reason"] for one in (app, other)] == [reason, reason]
    assert (await client.look("state"))["sockets"] == 0
    assert (await client.control("disconnect"))["told"] == 0
    assert (await client.attempt("disconnect", reason="boredom"))[0] == 422


async def test_every_socket_can_be_cut_off_without_a_word(client: Client, app: AppSocket) -> None:
    """With the reason `cut` the connection breaks off: no frame says that it has to go."""
    await client.control("disconnect", reason="cut")
    assert (await app.ws.receive(timeout=10)).type is not aiohttp.WSMsgType.TEXT
    assert app.ws.closed


async def test_an_acknowledgement_carries_the_answer(client: Client, app: AppSocket) -> None:
    """What comes with the acknowledgement of a command is shown; what names no envelope is ignored."""
    typed = asyncio.create_task(client.control("command", user="UADA", channel="COPS", command="/x"))
    envelope = await app.frame()
    for nonsense in ("not json", "[]", '{"envelope_id": "none"}', '{"payload": {}}'):
        await app.ws.send_str(nonsense)
    await app.ack(envelope, {"text": "Hi there"})
    await app.ack(envelope, {"text": "twice"})
    assert (await typed)["acked"] is True
    seen = await client.messages("COPS", **{"as": "UADA"})
    assert [(message["text"], message["is_ephemeral"]) for message in seen] == [("Hi there", True)]


async def test_an_old_socket_is_warned_and_then_refreshed(client: Client, app: AppSocket) -> None:
    """After hours, by the workspace's clock, a socket is warned, and ten seconds later refreshed and closed."""
    await client.control("clock", advance="18050s")
    assert (await app.frame())["reason"] == "warning"
    assert (await client.look("state"))["sockets"] == 1
    await client.control("clock", advance="10s")
    assert (await app.frame())["reason"] == "refresh_requested"
    assert (await client.look("state"))["sockets"] == 0
    await client.control("clock", advance="10s")
    await app.closed()


async def test_a_payload_of_ones_own_goes_the_apps_way(client: Client, app: AppSocket) -> None:
    """`_control/deliver` reaches an app on a socket, a repetition says so, and without an app it is a conflict."""
    body = {"type": "event", "payload": {"type": "event_callback", "event": {"type": "x"}}, "retry_num": 2}
    delivered = asyncio.create_task(client.control("deliver", **body))
    envelope = await app.taken()
    assert (envelope["retry_attempt"], envelope["payload"]) == (2, body["payload"])
    assert (await delivered)["acked"] is True
    await client.workspace.hub.sockets.disconnect("link_disabled")
    assert (await client.attempt("deliver", **body))[0] == 409


async def test_pings_are_answered(client: Client) -> None:
    """A client's ping comes back as a pong with its words."""
    async with client.http.ws_connect(await address(client), autoping=False) as ws:
        assert (await ws.receive_json(timeout=10))["type"] == "hello"
        await ws.ping(b"sdk-ping-pong:1.5")
        answer = await ws.receive(timeout=10)
        assert (answer.type, bytes(answer.data)) == (aiohttp.WSMsgType.PONG, b"sdk-ping-pong:1.5")


async def test_a_mention_and_its_message_are_two_envelopes(client: Client, app: AppSocket) -> None:
    """A mention is sent as two events by socket too, each with an event id of its own."""
    await client.say("UADA", "COPS", f"{APP} hi")
    got = [(await app.taken())["payload"] for _ in range(2)]
    assert {one["event"]["type"] for one in got} == {"message", "app_mention"}
    assert len({one["event_id"] for one in got}) == 2
