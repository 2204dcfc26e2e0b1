"""Buttons, forms, slash commands and response URLs on the wire."""

from __future__ import annotations

import json
from typing import Any

import pytest
from aiohttp import web
from slack_sdk.signature import SignatureVerifier

from tests.contract.workspace_app import ListeningApp
from tests.contract.workspace_client import Client, Json
from tests.contract.workspace_fixtures import app as app
from tests.contract.workspace_fixtures import client as client

PLAIN = {"type": "plain_text", "text": "Go"}
BUTTON = {"type": "button", "action_id": "go", "text": PLAIN, "value": "v1"}
CARD = [{"type": "actions", "block_id": "row", "elements": [BUTTON]}]
FIELD = {"type": "plain_text_input", "action_id": "why", "initial_value": "because"}
MODAL: Json = {
    "type": "modal",
    "callback_id": "form",
    "private_metadata": "p1",
    "title": {"type": "plain_text", "text": "Form"},
    "submit": {"type": "plain_text", "text": "Send"},
    "notify_on_close": True,
    "blocks": [{"type": "input", "block_id": "reason", "label": PLAIN, "element": FIELD}],
}


async def _card(client: Client, app: ListeningApp, **more: Any) -> str:
    ts: str = (await client.api("chat.postMessage", channel="COPS", text="card", blocks=CARD, **more))["ts"]
    await client.workspace.settled()
    app.received.clear()
    return ts


async def _click(client: Client, app: ListeningApp, user: str = "UADA", **more: Any) -> Json:
    ts = await _card(client, app)
    await client.control("click", user=user, channel="COPS", ts=ts, action_id="go", **more)
    return app.received[-1].payload


async def test_a_click_is_a_signed_form_with_everything_in_it(client: Client, app: ListeningApp) -> None:
    """A click in a message is `block_actions` in the form field `payload`, with the message and who pressed what."""
    payload = await _click(client, app)
    received = app.received[-1]
    verifier = SignatureVerifier(client.workspace.tokens.signing_secret)
    assert verifier.is_valid_request(received.body, received.headers)
    assert received.headers["Content-Type"] == "application/x-www-form-urlencoded"
    assert payload["type"] == "block_actions"
    assert payload["user"]["id"] == "UADA"
    assert payload["team"] == {"id": "THARBOR", "domain": "harbor"}
    assert payload["channel"] == {"id": "COPS", "name": "ops"}
    assert payload["container"]["message_ts"] == payload["message"]["ts"]
    assert payload["state"] == {"values": {}}
    (action,) = payload["actions"]
    assert (action["action_id"], action["block_id"], action["value"]) == ("go", "row", "v1")
    assert payload["trigger_id"]
    assert payload["response_url"].startswith(client.workspace.url)


async def test_t17_a_foreign_clicker_brings_the_foreign_team(client: Client, app: ListeningApp) -> None:
    """T17: the team of `block_actions` is the clicker's own, not the one the app is installed in."""
    posted = await client.api("chat.postMessage", channel="CPARTNERS", text="card", blocks=CARD)
    await client.workspace.settled()
    await client.control("click", user="USASHA", channel="CPARTNERS", ts=posted["ts"], action_id="go")
    payload = app.received[-1].payload
    assert (payload["team"]["id"], payload["user"]["team_id"]) == ("TMERIDIAN", "TMERIDIAN")


async def test_a_stale_button_is_still_sent(client: Client, app: ListeningApp) -> None:
    """A button that the message no longer has is sent as it was last seen; one it never had is 404."""
    ts = await _card(client, app)
    await client.api("chat.update", channel="COPS", ts=ts, text="done", blocks=[])
    await client.workspace.settled()
    await client.control("click", user="UADA", channel="COPS", ts=ts, action_id="go")
    assert app.received[-1].payload["actions"][0]["value"] == "v1"
    status, answer = await client.attempt("click", user="UADA", channel="COPS", ts=ts, action_id="other")
    assert (status, answer["error"]) == (404, "not_found")


async def test_who_cannot_see_a_message_cannot_press_it(client: Client, app: ListeningApp) -> None:
    """A guest outside the channel, and anybody but the person of an ephemeral message, get 403; nothing is sent."""
    ts = await _card(client, app)
    aside = (await client.api("chat.postEphemeral", channel="COPS", user="UADA", text="x", blocks=CARD))["message_ts"]
    for user, time in (("UGUS", ts), ("USASHA", ts), ("UDORA", ts), ("UBEN", aside)):
        status, answer = await client.attempt("click", user=user, channel="COPS", ts=time, action_id="go")
        assert (status, answer["ok"]) == (403, False)
    assert app.received == []


async def test_an_ephemeral_button_carries_no_message(client: Client, app: ListeningApp) -> None:
    """The payload of a click in an ephemeral message says so, and does not show the message."""
    aside = (await client.api("chat.postEphemeral", channel="COPS", user="UADA", text="x", blocks=CARD))["message_ts"]
    await client.control("click", user="UADA", channel="COPS", ts=aside, action_id="go")
    payload = app.received[-1].payload
    assert payload["container"]["is_ephemeral"] is True
    assert "message" not in payload


async def test_a_click_says_whether_the_app_took_it(client: Client, app: ListeningApp) -> None:
    """The answer of a click has the app's status; an app that is away is `dispatch_failed`, and not asked again."""
    ts = await _card(client, app)
    app.answer = lambda _received: web.Response(status=404)
    arguments = {"user": "UADA", "channel": "COPS", "ts": ts, "action_id": "go"}
    refused = await client.control("click", **arguments)
    assert (refused["acked"], refused["status"], refused["error"]) == (False, 404, "dispatch_failed")
    await client.control("request_url", url=None)
    away = await client.control("click", **arguments)
    assert (away["acked"], away["status"], away["error"]) == (False, None, "dispatch_failed")
    assert len(app.received) == 1


async def _open(client: Client, app: ListeningApp, view: Json = MODAL, method: str = "views.open") -> Json:
    trigger = (await _click(client, app))["trigger_id"]
    answer = await client.api(method, trigger_id=trigger, view=view)
    assert answer["ok"], answer
    opened: Json = answer["view"]
    return opened


async def test_a_trigger_opens_one_form(client: Client, app: ListeningApp) -> None:
    """A view is shown once per trigger, with the fields Slack adds; old and unknown triggers are refused."""
    payload = await _click(client, app)
    view = (await client.api("views.open", trigger_id=payload["trigger_id"], view=MODAL))["view"]
    assert view["id"] == view["root_view_id"]
    assert (view["callback_id"], view["private_metadata"], view["app_id"]) == ("form", "p1", "ASLICEWAY")
    assert view["state"]["values"]["reason"]["why"]["value"] == "because"
    again = await client.api("views.open", trigger_id=payload["trigger_id"], view=MODAL)
    assert again["error"] == "exchanged_trigger_id"
    assert (await client.api("views.open", trigger_id="1.2.3", view=MODAL))["error"] == "invalid_trigger_id"
    late = (await _click(client, app))["trigger_id"]
    await client.control("clock", advance="4s")
    assert (await client.api("views.open", trigger_id=late, view=MODAL))["error"] == "expired_trigger_id"


async def test_a_wrong_view_does_not_use_up_the_trigger(client: Client, app: ListeningApp) -> None:
    """A view that Slack refuses says where it is wrong; the trigger still opens the right one."""
    trigger = (await _click(client, app))["trigger_id"]
    wrong = {**MODAL, "title": {"type": "plain_text", "text": "x" * 25}}
    answer = await client.api("views.open", trigger_id=trigger, view=wrong)
    assert answer["error"] == "invalid_arguments"
    assert "[json-pointer:/view/title/text]" in answer["response_metadata"]["messages"][0]
    assert (await client.api("views.open", trigger_id=trigger, view=MODAL))["ok"] is True


async def test_views_are_pushed_and_updated(client: Client, app: ListeningApp) -> None:
    """Up to three forms lie on top of each other; an update wants the current hash if it names one."""
    first = await _open(client, app)
    second = await _open(client, app, method="views.push")
    assert (second["root_view_id"], second["previous_view_id"]) == (first["id"], first["id"])
    await _open(client, app, method="views.push")
    trigger = (await _click(client, app))["trigger_id"]
    assert (await client.api("views.push", trigger_id=trigger, view=MODAL))["error"] == "push_limit_reached"
    named = {"view_id": first["id"], "view": {**MODAL, "callback_id": "next"}}
    updated = await client.api("views.update", hash=first["hash"], **named)
    assert updated["view"]["callback_id"] == "next"
    assert (await client.api("views.update", hash=first["hash"], **named))["error"] == "hash_conflict"
    assert (await client.api("views.update", view_id="VNONE", view=MODAL))["error"] == "not_found"
    assert len((await client.look("state"))["views"]) == 3


async def test_a_submission_carries_what_was_filled_in(client: Client, app: ListeningApp) -> None:
    """`view_submission` has the values on top of the initial ones; an empty acknowledgement closes the form."""
    view = await _open(client, app)
    values = {"reason": {"why": {"type": "plain_text_input", "value": "it is true"}}}
    answer = await client.control("submit", user="UADA", view_id=view["id"], values=values)
    payload = app.received[-1].payload
    assert (payload["type"], payload["user"]["id"]) == ("view_submission", "UADA")
    assert payload["view"]["state"]["values"] == values
    assert payload["view"]["private_metadata"] == "p1"
    assert answer["acked"] is True
    assert (await client.look("state"))["views"] == []


async def test_an_answer_may_keep_the_form_open(client: Client, app: ListeningApp) -> None:
    """`errors`, `update`, `push` and `clear` do to the form what Slack does, and come back in the answer."""
    view = await _open(client, app)
    act = {"user": "UADA", "view_id": view["id"], "values": {}}

    def answering(body: Json) -> None:
        app.answer = lambda _received: web.json_response(body)

    answering({"response_action": "errors", "errors": {"reason": "say more"}})
    assert (await client.control("submit", **act))["errors"] == {"reason": "say more"}
    answering({"response_action": "update", "view": {**MODAL, "callback_id": "two"}})
    assert (await client.control("submit", **act))["view"]["callback_id"] == "two"
    answering({"response_action": "push", "view": MODAL})
    assert (await client.control("submit", **act))["view"]["previous_view_id"] == view["id"]
    answering({"response_action": "update", "view": {"type": "modal"}})
    assert (await client.control("submit", **act))["error"] == "invalid_arguments"
    assert len((await client.look("state"))["views"]) == 2
    answering({"response_action": "clear"})
    assert (await client.control("submit", **act))["response_action"] == "clear"
    assert (await client.look("state"))["views"] == []


async def test_only_its_person_submits_a_form(client: Client, app: ListeningApp) -> None:
    """Another person gets 403, a form that is not there 404, a block that it does not have 422."""
    view = await _open(client, app)
    for status, body in (
        (403, {"user": "UBEN", "view_id": view["id"], "values": {}}),
        (404, {"user": "UADA", "view_id": "VNONE", "values": {}}),
        (422, {"user": "UADA", "view_id": view["id"], "values": {"nope": {}}}),
    ):
        assert (await client.attempt("submit", **body))[0] == status


async def test_a_closed_form_is_told_where_asked_for(client: Client, app: ListeningApp) -> None:
    """A form with `notify_on_close` sends `view_closed`; it is gone then."""
    view = await _open(client, app)
    await client.control("close", user="UADA", view_id=view["id"])
    payload = app.received[-1].payload
    assert (payload["type"], payload["is_cleared"]) == ("view_closed", False)
    assert (await client.look("state"))["views"] == []


async def test_the_home_tab_is_published_and_pressed(client: Client, app: ListeningApp) -> None:
    """A published home is shown with `app_home_opened`, its buttons work, and a stale hash is refused."""
    home = {"type": "home", "blocks": CARD}
    view = (await client.api("views.publish", user_id="UADA", view=home))["view"]
    opened = await client.control("open_home", user="UADA")
    assert (opened["channel"], opened["view_id"]) == ("DADA", view["id"])
    assert (await app.first(1))[0].event["view"]["id"] == view["id"]
    await client.control("click", user="UADA", view_id=view["id"], action_id="go")
    assert app.received[-1].payload["container"] == {"type": "view", "view_id": view["id"]}
    assert (await client.api("views.publish", user_id="UADA", view=home, hash="old"))["error"] == "hash_conflict"
    assert (await client.api("views.publish", user_id="UNONE", view=home))["error"] == "user_not_found"


async def test_a_command_is_a_form(client: Client, app: ListeningApp) -> None:
    """R30: a slash command arrives as a signed form with its whole text, `payload` in it or not, and no thread."""
    text = "what is the payload limit & why?"
    await client.control("command", user="UADA", channel="COPS", command="/1on1", text=text)
    (received,) = app.received
    assert SignatureVerifier(client.workspace.tokens.signing_secret).is_valid_request(received.body, received.headers)
    form = received.payload
    assert (form["command"], form["text"], form["channel_id"]) == ("/1on1", text, "COPS")
    assert (form["user_id"], form["user_name"], form["is_enterprise_install"]) == ("UADA", "ada", "false")
    assert "thread_ts" not in form


async def test_r29_a_command_in_a_thread_is_refused(client: Client, app: ListeningApp) -> None:
    """R29: Slack has no slash commands in threads, and none for people of another team; the app hears nothing."""
    ts = await client.say("UADA", "COPS", "root")
    await client.workspace.settled()
    app.received.clear()
    threaded = await client.control("command", user="UADA", channel="COPS", command="/1on1", text="", thread_ts=ts)
    assert (threaded["ok"], threaded["error"]) == (False, "not_supported_in_threads")
    assert threaded["detail"] == "/1on1 is not supported in threads. Sorry!"
    foreign = await client.control("command", user="USASHA", channel="CPARTNERS", command="/1on1")
    assert foreign["ok"] is False
    assert app.received == []


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        (lambda _received: web.Response(text="hello"), (True, "hello")),
        (lambda _received: web.json_response({"text": "hello"}), (True, "hello")),
        (lambda _received: web.json_response({"text": "hello", "response_type": "in_channel"}), (False, "hello")),
        (lambda _received: web.Response(), None),
        (lambda _received: web.json_response({"text": ""}), None),
        (lambda _received: web.Response(status=500, text="hello"), None),
    ],
)
async def test_what_acknowledges_a_command_is_a_message(
    client: Client, app: ListeningApp, answer: Any, shown: tuple[bool, str] | None
) -> None:
    """Text or JSON in the acknowledgement is shown, privately unless it says otherwise; an error shows nothing."""
    app.answer = answer
    await client.control("command", user="UADA", channel="COPS", command="/1on1", text="")
    messages = await client.messages("COPS", **{"as": "UADA"})
    assert [(m.get("is_ephemeral", False), m["text"]) for m in messages] == ([shown] if shown else [])


async def _respond(client: Client, url: str, **body: Any) -> tuple[int, str]:
    async with client.http.post(url, json=body) as response:
        return response.status, await response.text()


async def test_a_response_url_answers_replaces_and_deletes(client: Client, app: ListeningApp) -> None:
    """A response URL posts privately or to all, replaces the pressed message, deletes it; five times, then never."""
    payload = await _click(client, app)
    url, ts = payload["response_url"], payload["message"]["ts"]
    assert await _respond(client, url, text="private") == (200, "ok")
    assert await _respond(client, url, text="for all", response_type="in_channel") == (200, "ok")
    assert await _respond(client, url, text="replaced", replace_original=True, blocks=[]) == (200, "ok")
    assert [m["text"] for m in await client.messages("COPS", **{"as": "UBEN"})] == ["replaced", "for all"]
    assert await _respond(client, url, delete_original=True) == (200, "ok")
    assert (await _respond(client, url))[0] == 400
    status, text = await _respond(client, url, text="again")
    assert (status, json.loads(text)["error"]) == (404, "used_url")
    assert ts not in {m["ts"] for m in await client.messages("COPS")}
    other = (await _click(client, app))["response_url"]
    await client.control("clock", advance="31m")
    status, text = await _respond(client, other, text="late")
    assert (status, json.loads(text)["error"]) == (404, "expired_url")


async def test_an_ephemeral_message_is_replaced_through_its_url(client: Client, app: ListeningApp) -> None:
    """What chat.update cannot reach, the response URL of its button can."""
    aside = (await client.api("chat.postEphemeral", channel="COPS", user="UADA", text="x", blocks=CARD))["message_ts"]
    await client.control("click", user="UADA", channel="COPS", ts=aside, action_id="go")
    url = app.received[-1].payload["response_url"]
    assert await _respond(client, url, text="done", blocks=[], replace_original=True) == (200, "ok")
    (message,) = await client.messages("COPS", **{"as": "UADA"})
    assert (message["text"], message["is_ephemeral"]) == ("done", True)
