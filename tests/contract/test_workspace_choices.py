"""What is chosen, ticked and written in Block Kit's elements, and how the app is told of it."""

from __future__ import annotations

from typing import Any

import pytest
from aiohttp import web

from sliceway.workspace.elements import KINDS
from tests.contract.workspace_app import ListeningApp
from tests.contract.workspace_client import Client, Json
from tests.contract.workspace_fixtures import app as app
from tests.contract.workspace_fixtures import client as client


def option(value: str) -> Json:
    """Return one option of a menu."""
    return {"text": {"type": "plain_text", "text": f"Choice {value}"}, "value": value}


OPTIONS = [option("1"), option("2"), option("3")]
GROUPS = [{"label": {"type": "plain_text", "text": "Some"}, "options": OPTIONS}]
RICH = {
    "type": "rich_text",
    "elements": [{"type": "rich_text_section", "elements": [{"type": "text", "text": "words"}]}],
}
# Of each kind: what it begins with, what is chosen, what the app then reads beside `type`, and what it reads at first.
CHOICES: list[tuple[str, Json, Any, Json, Json]] = [
    ("static_select", {"options": OPTIONS}, "2", {"selected_option": option("2")}, {"selected_option": None}),
    ("static_select", {"option_groups": GROUPS}, "3", {"selected_option": option("3")}, {"selected_option": None}),
    ("radio_buttons", {"options": OPTIONS, "initial_option": option("1")}, "2", {"selected_option": option("2")},
     {"selected_option": option("1")}),
    ("checkboxes", {"options": OPTIONS, "initial_options": [option("3")]}, ["1", "2"],
     {"selected_options": [option("1"), option("2")]}, {"selected_options": [option("3")]}),
    ("checkboxes", {"options": OPTIONS}, [], {"selected_options": []}, {"selected_options": []}),
    ("multi_static_select", {"options": OPTIONS}, ["1", "3"], {"selected_options": [option("1"), option("3")]},
     {"selected_options": []}),
    ("users_select", {"initial_user": "UBEN"}, "UMIA", {"selected_user": "UMIA"}, {"selected_user": "UBEN"}),
    ("channels_select", {}, "COPS", {"selected_channel": "COPS"}, {"selected_channel": None}),
    ("conversations_select", {}, "COPS", {"selected_conversation": "COPS"}, {"selected_conversation": None}),
    ("multi_users_select", {"initial_users": ["UADA"]}, ["UBEN", "UMIA"], {"selected_users": ["UBEN", "UMIA"]},
     {"selected_users": ["UADA"]}),
    ("multi_channels_select", {}, ["COPS"], {"selected_channels": ["COPS"]}, {"selected_channels": []}),
    ("multi_conversations_select", {}, "COPS", {"selected_conversations": ["COPS"]}, {"selected_conversations": []}),
    ("datepicker", {"initial_date": "2026-01-02"}, "2026-05-04", {"selected_date": "2026-05-04"},
     {"selected_date": "2026-01-02"}),
    ("timepicker", {}, "09:30", {"selected_time": "09:30"}, {"selected_time": None}),
    ("datetimepicker", {}, "1767323400", {"selected_date_time": 1767323400}, {"selected_date_time": None}),
    ("plain_text_input", {"initial_value": "x"}, "words", {"value": "words"}, {"value": "x"}),
    ("email_text_input", {}, "a@b.example", {"value": "a@b.example"}, {"value": None}),
    ("url_text_input", {}, "https://a.example", {"value": "https://a.example"}, {"value": None}),
    ("number_input", {"is_decimal_allowed": False}, "7", {"value": "7"}, {"value": None}),
    ("rich_text_input", {}, "words", {"rich_text_value": RICH}, {"rich_text_value": None}),
    ("file_input", {}, None, {"files": []}, {"files": []}),
]  # fmt: skip
NOT_CHOSEN = {"button", "image", "overflow", "workflow_button"}
FROM_THE_APP = {"external_select", "multi_external_select"}


def test_every_kind_of_element_has_its_row() -> None:
    """No kind that the workspace takes is left out of what these tests ask."""
    assert {kind for kind, *_ in CHOICES} | NOT_CHOSEN | FROM_THE_APP == KINDS


def blocks_with(kind: str, more: Json) -> list[Json]:
    """Return blocks with one element that is told of at once, and a button."""
    element = {"type": kind, "action_id": "it", **more}
    label = {"type": "plain_text", "text": "It"}
    button = {"type": "button", "action_id": "go", "text": {"type": "plain_text", "text": "Go"}}
    return [
        {"type": "input", "block_id": "one", "label": label, "element": element, "dispatch_action": True},
        {"type": "actions", "block_id": "two", "elements": [button]},
    ]


@pytest.mark.parametrize(("kind", "more", "chosen", "told", "first"), CHOICES)
async def test_what_is_chosen_in_a_message_is_told_as_slack_tells_it(
    client: Client, app: ListeningApp, kind: str, more: Json, chosen: Any, told: Json, first: Json
) -> None:
    """The action and `state.values` have what was chosen, a later press of a button beside it still does, and somebody
    else's state has only what it began with."""
    posted = await client.api("chat.postMessage", channel="COPS", text="card", blocks=blocks_with(kind, more))
    assert posted["ok"], posted
    where = {"channel": "COPS", "ts": posted["ts"]}
    await client.control("click", user="UADA", action_id="it", value=chosen, **where)
    payload = app.received[-1].payload
    assert payload["actions"][0].items() >= {"type": kind, "block_id": "one", **told}.items()
    state = {"one": {"it": {"type": kind, **told}}}
    assert payload["state"]["values"] == state
    await client.control("click", user="UADA", action_id="go", **where)
    assert app.received[-1].payload["state"]["values"] == state
    await client.control("click", user="UBEN", action_id="go", **where)
    assert app.received[-1].payload["state"]["values"] == {"one": {"it": {"type": kind, **first}}}


@pytest.mark.parametrize(("kind", "more", "chosen", "told", "first"), CHOICES)
async def test_what_is_chosen_in_a_form_is_in_its_submission(
    client: Client, app: ListeningApp, kind: str, more: Json, chosen: Any, told: Json, first: Json
) -> None:
    """Opened, a form holds what it began with; what is chosen in it is in that action's view and in its submission."""
    view = {
        "type": "modal", "title": {"type": "plain_text", "text": "Form"}, "blocks": blocks_with(kind, more),
        "submit": {"type": "plain_text", "text": "Send"},
    }  # fmt: skip
    trigger = client.workspace.hub.triggers.mint("UADA")
    opened = await client.api("views.open", trigger_id=trigger, view=view)
    assert opened["view"]["state"]["values"] == {"one": {"it": {"type": kind, **first}}}
    shown = opened["view"]["id"]
    await client.control("click", user="UADA", view_id=shown, action_id="it", value=chosen)
    state = {"one": {"it": {"type": kind, **told}}}
    assert app.received[-1].payload["view"]["state"]["values"] == state
    await client.control("submit", user="UADA", view_id=shown)
    assert app.received[-1].payload["view"]["state"]["values"] == state


async def test_what_was_only_filled_in_is_told_with_the_next_press(client: Client, app: ListeningApp) -> None:
    """Fields that tell the app nothing by themselves come with `values`, until the message has them no more."""
    blocks = blocks_with("plain_text_input", {})
    ts = (await client.api("chat.postMessage", channel="COPS", text="card", blocks=blocks))["ts"]
    written = {"one": {"it": {"type": "plain_text_input", "value": "so"}}}
    gone = {"gone": {"it": {"type": "plain_text_input", "value": "no"}}}
    where = {"user": "UADA", "channel": "COPS", "ts": ts, "action_id": "go"}
    await client.control("click", **where, values={**written, **gone})
    assert app.received[-1].payload["state"]["values"] == written
    await client.api("chat.update", channel="COPS", ts=ts, text="card", blocks=blocks[1:])
    await client.control("click", **where)
    assert app.received[-1].payload["state"]["values"] == {}
    status, answer = await client.attempt("click", **where, values={"one": "so"})
    assert (status, answer["error"]) == (422, "invalid_request")


def found_by(kind: str) -> list[Json]:
    """Return blocks with a menu whose options the app is asked for."""
    element = {"type": kind, "action_id": "it", "min_query_length": 1}
    return [{"type": "actions", "block_id": "one", "elements": [element]}]


@pytest.mark.parametrize("answer", [{"options": OPTIONS}, {"option_groups": GROUPS}])
@pytest.mark.parametrize(
    ("kind", "chosen", "told"),
    [
        ("external_select", "2", {"selected_option": option("2")}),
        ("multi_external_select", ["1", "3"], {"selected_options": [option("1"), option("3")]}),
    ],
)
async def test_the_app_is_asked_for_the_options_of_a_menu(
    client: Client, app: ListeningApp, kind: str, chosen: Any, told: Json, answer: Json
) -> None:
    """What was typed reaches the app as `block_suggestion`; what it answers is offered, and can be chosen then, by that
    person alone."""
    ts = (await client.api("chat.postMessage", channel="COPS", text="card", blocks=found_by(kind)))["ts"]
    where = {"channel": "COPS", "ts": ts, "action_id": "it"}
    app.answer = lambda _: web.json_response(answer)
    offered = await client.control("suggest", user="UADA", value="Cho", **where)
    assert offered["options"] == OPTIONS
    asked = app.received[-1].payload
    wanted = {"type": "block_suggestion", "action_id": "it", "block_id": "one", "value": "Cho"}
    assert asked.items() >= wanted.items()
    assert (asked["container"]["message_ts"], asked["message"]["ts"], asked["user"]["id"]) == (ts, ts, "UADA")
    await client.control("click", user="UADA", value=chosen, **where)
    assert app.received[-1].payload["actions"][0].items() >= told.items()
    assert app.received[-1].payload["state"]["values"] == {"one": {"it": {"type": kind, **told}}}
    await client.control("click", user="UBEN", value=chosen, **where)
    action = app.received[-1].payload["actions"][0]
    assert [action[name] for name in told] == [[] if kind.startswith("multi") else None]


async def test_a_menu_in_a_form_asks_too_and_wrong_answers_are_said(client: Client, app: ListeningApp) -> None:
    """In a view the payload has the view; what is no list of options, an app that is away and what is no such menu each
    have their words."""
    view = {
        "type": "modal", "title": {"type": "plain_text", "text": "Form"},
        "blocks": [*found_by("external_select"), *blocks_with("static_select", {"options": OPTIONS})[1:]],
    }  # fmt: skip
    shown = await client.api("views.open", trigger_id=client.workspace.hub.triggers.mint("UADA"), view=view)
    where = {"user": "UADA", "view_id": shown["view"]["id"]}
    app.answer = lambda _: web.json_response({"options": []})
    assert (await client.control("suggest", action_id="it", value="", **where))["options"] == []
    assert app.received[-1].payload["view"]["id"] == where["view_id"]
    app.answer = lambda _: web.json_response({"options": [{"text": "plain"}]})
    assert (await client.control("suggest", action_id="it", **where))["error"] == "invalid_options"
    app.answer = lambda _: web.Response(status=500)
    assert (await client.control("suggest", action_id="it", **where))["error"] == "dispatch_failed"
    assert (await client.attempt("suggest", action_id="go", **where))[0] == 422
    assert (await client.attempt("suggest", action_id="other", **where))[0] == 404
    assert (await client.attempt("suggest", action_id="it", user="UBEN", view_id=where["view_id"]))[0] == 403
