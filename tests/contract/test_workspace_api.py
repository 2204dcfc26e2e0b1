"""The Web API of the workspace over real HTTP: encodings, tokens, people."""

from __future__ import annotations

import pytest

from tests.contract.workspace_client import Client
from tests.contract.workspace_fixtures import app as app
from tests.contract.workspace_fixtures import client as client


@pytest.mark.parametrize("encoding", ["query", "get", "form", "json", "form token", "query and json"])
async def test_t16_every_encoding_is_merged(client: Client, encoding: str) -> None:
    """T16: query, form and JSON are read alike, and the token may stand in any of them."""
    url = f"{client.workspace.api_url}users.info"
    bearer = {"Authorization": f"Bearer {client.workspace.tokens.bot}"}
    arguments, token = {"user": "UADA"}, {"token": client.workspace.tokens.bot}
    calls = {
        "query": client.http.post(url, params=arguments, headers=bearer),
        "get": client.http.get(url, params=arguments | token),
        "form": client.http.post(url, data=arguments, headers=bearer),
        "json": client.http.post(url, json=arguments, headers=bearer),
        "form token": client.http.post(url, data=arguments | token),
        "query and json": client.http.post(url, params={"user": "UBEN"}, json=arguments, headers=bearer),
    }
    for name, call in calls.items():
        if name == encoding:
            async with call as response:
                assert (await response.json())["user"]["id"] == "UADA"
        else:
            call.close()


async def test_auth_test_names_the_bot(client: Client) -> None:
    """`auth.test` with the bot token names team, bot user and bot, and its scopes in a header."""
    bearer = {"Authorization": f"Bearer {client.workspace.tokens.bot}"}
    async with client.http.post(client.workspace.api_url + "auth.test", headers=bearer) as response:
        answer = await response.json()
        assert "chat:write" in response.headers["x-oauth-scopes"]
        assert response.headers["x-slack-req-id"]
    assert answer["ok"] is True
    assert (answer["team_id"], answer["user_id"], answer["bot_id"]) == ("THARBOR", "USLICEWAY", "BSLICEWAY")


async def test_auth_test_with_a_user_token_names_the_person(client: Client) -> None:
    """With a person's token `auth.test` names the person, and no bot."""
    answer = await client.api("auth.test", client.workspace.tokens.user)
    assert answer["user_id"] == "UCLEO"
    assert "bot_id" not in answer


async def test_a_message_by_user_token_is_the_persons_but_names_the_app(client: Client) -> None:
    """What an app posts with a person's token has that person as author, and the app's ids beside it."""
    answer = await client.api("chat.postMessage", client.workspace.tokens.user, channel="COPS", text="from Cleo")
    message = answer["message"]
    assert (message["user"], message["bot_id"], message["app_id"]) == ("UCLEO", "BSLICEWAY", "ASLICEWAY")


async def test_tokens_are_refused_in_slacks_words(client: Client) -> None:
    """No token, an unknown one, and one of the wrong kind each have their code."""
    async with client.http.post(client.workspace.api_url + "auth.test") as response:
        assert response.status == 200
        assert await response.json() == {"ok": False, "error": "not_authed"}
    assert (await client.api("auth.test", "xoxb-nobody"))["error"] == "invalid_auth"
    assert (await client.api("auth.test", client.workspace.tokens.app))["error"] == "not_allowed_token_type"


async def test_a_deactivated_bot_is_account_inactive(client: Client) -> None:
    """When the bot's user is deactivated, its token is `account_inactive`; brought back, it works."""
    await client.control("person", user="USLICEWAY", deleted=True)
    assert (await client.api("auth.test"))["error"] == "account_inactive"
    await client.control("person", user="USLICEWAY", deleted=False)
    assert (await client.api("auth.test"))["ok"] is True


@pytest.mark.parametrize("method", ["chat.startStream", "no.such.method", "auth"])
async def test_a_method_we_lack_is_unknown(client: Client, method: str) -> None:
    """What is not built says so, instead of pretending."""
    answer = await client.api(method)
    assert (answer["ok"], answer["error"]) == (False, "unknown_method")


async def test_a_body_that_is_no_json_is_refused(client: Client) -> None:
    """Broken JSON, and JSON that is no object, have Slack's codes."""
    headers = {"Authorization": f"Bearer {client.workspace.tokens.bot}", "Content-Type": "application/json"}
    for body, error in ((b"{", "invalid_json"), (b"[1]", "json_not_object"), (b"\xff", "invalid_json")):
        async with client.http.post(client.workspace.api_url + "auth.test", data=body, headers=headers) as response:
            assert (await response.json())["error"] == error


async def test_api_test_echoes(client: Client) -> None:
    """`api.test` gives back what it got, and fails when asked to."""
    assert (await client.api("api.test", foo="bar"))["args"] == {"foo": "bar"}
    assert (await client.api("api.test", error="my_error"))["error"] == "my_error"


async def test_users_info_tells_who_is_what(client: Client) -> None:
    """Members, guests, strangers, bots and the deactivated differ by the fields that Slack has for it."""
    users = {user["id"]: user for user in (await client.api("users.list"))["members"]}
    assert users["UGUS"]["is_restricted"] is True
    assert users["USASHA"]["is_stranger"] is True
    assert users["USASHA"]["team_id"] != users["UADA"]["team_id"]
    assert users["UDORA"]["deleted"] is True
    assert users["USLICEWAY"]["is_bot"] is True
    assert users["UADA"] == (await client.api("users.info", user="UADA"))["user"]
    assert (await client.api("users.info", user="UNOBODY"))["error"] == "user_not_found"
    assert (await client.api("users.info"))["error"] == "invalid_arguments"


async def test_bots_and_teams(client: Client) -> None:
    """`bots.info` leads from a bot id to its app and user; `team.info` names the team."""
    bot = (await client.api("bots.info", bot="BSLICEWAY"))["bot"]
    assert (bot["app_id"], bot["user_id"]) == ("ASLICEWAY", "USLICEWAY")
    assert (await client.api("bots.info", bot="BNOBODY"))["error"] == "bot_not_found"
    assert (await client.api("team.info"))["team"]["id"] == "THARBOR"
    assert (await client.api("team.info", team="TNONE"))["error"] == "team_not_found"


async def test_calls_are_recorded_without_the_token(client: Client) -> None:
    """The record of calls has method, decoded arguments and answer, and never the token."""
    url = f"{client.workspace.api_url}chat.postMessage"
    blocks = '[{"type": "divider"}]'
    form = {"token": client.workspace.tokens.bot, "channel": "COPS", "text": "hi", "blocks": blocks}
    async with client.http.post(url, data=form) as response:
        answer = await response.json()
    (call,) = (await client.look("calls"))["calls"]
    assert call["method"] == "chat.postMessage"
    assert call["args"] == {"channel": "COPS", "text": "hi", "blocks": [{"type": "divider"}]}
    assert call["response"] == answer
    assert client.workspace.tokens.bot not in str(call)
