"""The control API: its key, its shapes, and what it says to bad input."""

from __future__ import annotations

import time
from typing import Any

import aiohttp
import pytest

from sliceway.workspace.backstage import Backstage
from sliceway.workspace.server import running_workspace
from tests.contract.workspace_app import ListeningApp
from tests.contract.workspace_client import Client, Json, workspace_client
from tests.contract.workspace_fixtures import app as app
from tests.contract.workspace_fixtures import client as client

GETS = ("state", "calls", "deliveries", "messages?channel=COPS")
POSTS = (
    "say",
    "edit",
    "delete",
    "command",
    "click",
    "submit",
    "close",
    "open_home",
    "person",
    "channel",
    "faults",
    "clock",
    "request_url",
    "deliver",
    "crash",
    "ask_other",
)


@pytest.mark.parametrize("key", [None, "", "wrong"])
async def test_op5_every_control_call_wants_the_key(client: Client, key: str | None) -> None:
    """OP5: without the key printed at the start every address of the control API is 403, known or not."""
    headers = {} if key is None else {"X-Workspace-Key": key}
    calls = [("GET", path) for path in (*GETS, "nothing")] + [("POST", path) for path in (*POSTS, "nothing")]
    for method, path in calls:
        url = f"{client.workspace.url}/_control/{path}"
        async with client.http.request(method, url, headers=headers) as response:
            answer = await response.json()
            assert (response.status, answer["ok"]) == (403, False), path
            assert client.workspace.key not in str(answer)


async def test_op5_other_hosts_and_sites_are_refused_everywhere(client: Client) -> None:
    """OP5: with the right key, and on the Web API too, another host name or another site's page gets 403."""
    for headers in ({"Host": "evil.example"}, {"Origin": "https://evil.example"}, {"Origin": "null"}):
        for path in ("/", "/_control/state", "/api/auth.test", "/response/x"):
            url = client.workspace.url + path
            async with client.http.post(url, headers={**client.key, **headers}) as response:
                assert response.status == 403, (path, headers)


async def test_the_state_has_the_documented_shape(client: Client) -> None:
    """The state names team, app, tokens, users, channels, views and sockets, as the contract has them."""
    state = await client.look("state")
    assert {"team", "app", "tokens", "users", "channels", "views", "sockets"} <= set(state)
    assert set(state["app"]) >= {"id", "bot_user_id", "bot_id", "request_url"}
    assert set(state["tokens"]) == {"bot", "app", "user", "signing_secret"}
    assert state["tokens"]["bot"].startswith("xoxb-")
    assert state["tokens"]["app"].startswith("xapp-")
    assert state["tokens"]["user"].startswith("xoxp-")
    assert all(set(user) >= {"id", "name", "team_id", "role", "deleted"} for user in state["users"])
    channels = {channel["id"]: channel for channel in state["channels"]}
    assert channels["DADA"]["user"] == "UADA"
    assert channels["CPARTNERS"]["kind"] == "external"
    assert state["sockets"] == 0


async def test_secrets_are_not_in_the_repr(client: Client) -> None:
    """CF3: what is printed of a running workspace by accident holds neither its key nor its tokens."""
    shown = repr(client.workspace) + repr(client.workspace.tokens)
    for secret in (client.workspace.key, client.workspace.tokens.bot, client.workspace.tokens.signing_secret):
        assert secret not in shown


SAY = {"user": "UADA", "channel": "COPS", "text": "hi"}


@pytest.mark.parametrize(
    ("verb", "body", "status", "error"),
    [
        ("say", {**SAY, "txt": "x"}, 422, "invalid_request"),
        ("say", {**SAY, "text": ""}, 422, "invalid_request"),
        ("say", {**SAY, "text": None}, 422, "invalid_request"),
        ("say", {**SAY, "thread_ts": "root"}, 422, "invalid_request"),
        ("say", {**SAY, "thread_ts": "1.000000"}, 404, "not_found"),
        ("say", {**SAY, "user": "UNOBODY"}, 404, "not_found"),
        ("say", {**SAY, "channel": "CNONE"}, 404, "not_found"),
        ("say", {**SAY, "user": "UGUS"}, 403, "not_permitted"),
        ("say", {**SAY, "user": "UDORA"}, 403, "not_permitted"),
        ("say", {**SAY, "user": "USLICEWAY"}, 403, "not_permitted"),
        ("say", {**SAY, "channel": "DBEN"}, 403, "not_permitted"),
        ("say", [], 422, "invalid_request"),
        ("edit", {"user": "UADA", "channel": "COPS", "ts": "1.000000", "text": "x"}, 404, "not_found"),
        ("command", {"user": "UADA", "channel": "COPS", "command": "1on1"}, 422, "invalid_request"),
        ("command", {"user": "USLICEWAY", "channel": "COPS", "command": "/x"}, 403, "not_permitted"),
        ("command", {"user": "UADA", "channel": "DBEN", "command": "/x"}, 403, "not_permitted"),
        ("click", {"user": "UADA", "action_id": "x"}, 422, "invalid_request"),
        ("click", {"user": "UADA", "channel": "COPS", "ts": "1.000000", "action_id": "x"}, 404, "not_found"),
        ("click", {"user": "UADA", "view_id": "VNONE", "action_id": "x"}, 404, "not_found"),
        ("open_home", {"user": "USASHA"}, 403, "not_permitted"),
        ("person", {"user": "UADA", "role": "king"}, 422, "invalid_request"),
        ("person", {"user": "UADA", "role": "bot"}, 422, "invalid_request"),
        ("channel", {"channel": "COPS", "invite": ["USASHA"]}, 403, "not_permitted"),
        ("channel", {"channel": "COPS", "invite": ["UNOBODY"]}, 404, "not_found"),
        ("channel", {"channel": "COPS", "remove": ["UGUS"]}, 404, "not_found"),
        ("channel", {"channel": "COPS", "kind": "im"}, 422, "invalid_request"),
        ("channel", {"channel": "DADA", "invite": ["UBEN"]}, 422, "invalid_request"),
        ("clock", {"advance": "-1h"}, 422, "invalid_request"),
        ("clock", {"advance": 60}, 422, "invalid_request"),
        ("faults", {"plan": [{"do": "disconnect", "reason": "boredom"}]}, 422, "invalid_request"),
        ("faults", {}, 422, "invalid_request"),
        ("request_url", {"url": "ftp://x"}, 422, "invalid_request"),
        ("deliver", {"type": "letter", "payload": {}}, 422, "invalid_request"),
        ("deliver", {"type": "command", "payload": {"a": 1}}, 422, "invalid_request"),
        ("deliver", {"type": "command", "payload": {"a": "\ud800"}}, 422, "invalid_request"),
        ("command", {"user": "UADA", "channel": "COPS", "command": "/x", "text": "\ud800"}, 422, "invalid_request"),
        ("say", {**SAY, "text": "x" * 40_001}, 422, "invalid_request"),
        ("dance", {}, 404, "not_found"),
    ],
)
async def test_bad_input_is_refused_in_words_and_changes_nothing(
    client: Client, verb: str, body: Any, status: int, error: str
) -> None:
    """Every bad call gets a status, a code and a sentence, and the workspace is as before."""

    async def snapshot() -> tuple[Any, Any, Any]:
        state = await client.look("state")
        return state["channels"], state["users"], await client.messages("COPS")

    before = await snapshot()
    got, answer = await client.post(f"/_control/{verb}", body)
    assert (got, answer["ok"], answer["error"]) == (status, False, error)
    assert len(answer["detail"]) > 10
    assert await snapshot() == before


async def test_a_body_that_is_no_json_is_refused(client: Client) -> None:
    """Broken JSON, and a wrong HTTP method, get the same shape of answer."""
    url = f"{client.workspace.url}/_control/say"
    async with client.http.post(url, headers=client.key, data=b"{") as response:
        assert (response.status, (await response.json())["error"]) == (422, "invalid_request")
    async with client.http.get(url, headers=client.key) as response:
        assert (response.status, (await response.json())["error"]) == (405, "method_not_allowed")


async def test_looking_refuses_what_it_does_not_know(client: Client) -> None:
    """An unknown channel, person or query field is an error, never an empty answer."""
    assert (await client.look("messages", channel="CNONE"))["error"] == "not_found"
    assert (await client.look("messages", channel="COPS", **{"as": "UNOBODY"}))["error"] == "not_found"
    assert (await client.look("messages", channel="COPS", limit="3"))["error"] == "invalid_request"
    assert (await client.look("state", verbose="1"))["error"] == "invalid_request"


async def test_messages_are_what_that_person_sees(client: Client) -> None:
    """Somebody else's direct message is an empty list, and so is a channel they may not read."""
    await client.say("UADA", "DADA", "secret")
    for user in ("UBEN", "UMIA", "USASHA"):
        assert await client.messages("DADA", **{"as": user}) == []
    assert [m["text"] for m in await client.messages("DADA", **{"as": "UADA"})] == ["secret"]


async def test_people_edit_and_delete_only_their_own(client: Client) -> None:
    """Another's message can be neither changed nor deleted."""
    ts = await client.say("UADA", "COPS", "mine")
    for verb, more in (("edit", {"text": "yours"}), ("delete", {})):
        status, _ = await client.attempt(verb, user="UBEN", channel="COPS", ts=ts, **more)
        assert status == 403
    assert [m["text"] for m in await client.messages("COPS")] == ["mine"]


async def test_people_write_to_each_other_and_to_the_bot(client: Client) -> None:
    """A user id as channel is the direct message with them, the bot's too."""
    answer = await client.control("say", user="UADA", channel="USLICEWAY", text="hi bot")
    assert answer["channel"] == "DADA"
    answer = await client.control("say", user="UADA", channel="UBEN", text="hi Ben")
    assert await client.messages(answer["channel"], **{"as": "UMIA"}) == []
    assert len(await client.messages(answer["channel"], **{"as": "UBEN"})) == 1


async def test_the_clock_is_pushed_forward(client: Client) -> None:
    """After an hour was added, the workspace's time is an hour ahead."""
    answer = await client.control("clock", advance="1h")
    assert answer["now"] - time.time() == pytest.approx(3600, abs=60)
    ts = await client.say("UADA", "COPS", "later")
    assert float(ts) >= answer["now"] - 1


async def test_deliver_wants_an_app(client: Client) -> None:
    """With nobody to deliver to, a raw payload is refused, and the answer says what to do."""
    client.workspace.connect(None)
    status, answer = await client.attempt("deliver", type="event", payload={})
    assert (status, answer["error"]) == (409, "conflict")
    assert "/_control/request_url" in answer["detail"]


async def test_deliver_hands_over_a_raw_payload(client: Client, app: ListeningApp) -> None:
    """A raw payload reaches the app signed, marked as a repetition where asked, and its answer comes back."""
    forged = {"type": "block_actions", "user": {"id": "USTRANGE"}}
    answer = await client.control("deliver", type="interactive", payload=forged, retry_num=1)
    assert (answer["acked"], answer["status"]) == (True, 200)
    (received,) = app.received
    assert received.payload == forged
    assert received.headers["X-Slack-Retry-Num"] == "1"
    await client.control("deliver", type="event", payload={"type": "url_verification", "challenge": "c"})
    await client.control("deliver", type="command", payload={"command": "/1on1", "text": ""})
    assert [r.payload for r in app.received[1:]] == [
        {"type": "url_verification", "challenge": "c"},
        {"command": "/1on1", "text": ""},
    ]


class Hands(Backstage):
    """A backstage that remembers what was asked of it."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def crash(self) -> Json:
        self.asked.append("crash")
        return {"killed": 1, "started": 2}

    async def ask_other(self, query: str) -> Json:
        self.asked.append(query)
        return {"agent": "scout", "hits": []}


async def test_op5_what_is_behind_the_page_wants_the_key_and_is_there_only_where_somebody_is() -> None:
    """OP5: with a backstage the state says so and the verbs reach it, with the key alone; without one both are 404."""
    hands = Hands()
    async with running_workspace(backstage=hands) as workspace, aiohttp.ClientSession() as http:
        client = Client(workspace, http)
        assert (await client.look("state"))["backstage"] is True
        assert (await client.control("crash"))["started"] == 2
        assert (await client.control("ask_other", query="rollback"))["hits"] == []
        assert (await client.attempt("ask_other"))[0] == 422
        async with http.post(f"{workspace.url}/_control/crash", json={}) as refused:
            assert refused.status == 403
        assert hands.asked == ["crash", "rollback"]
    async with workspace_client() as client:
        assert (await client.look("state"))["backstage"] is False
        assert (await client.attempt("crash"))[0] == 404
        assert (await client.attempt("ask_other", query="rollback"))[0] == 404
