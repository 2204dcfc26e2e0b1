"""Small pieces of Slack's wire: the signature, rich text, mentions, what was pressed."""

from __future__ import annotations

from typing import Any

import pytest
from slack_sdk.signature import SignatureVerifier

from sliceway.workspace.choices import merged, state_of
from sliceway.workspace.events import mentions
from sliceway.workspace.interactions import action_of
from sliceway.workspace.rich_text import rich_text
from sliceway.workspace.signing import signature
from sliceway.workspace.transport import Answer, Delivery


@pytest.mark.parametrize("body", [b"", b"payload=%7B%7D", "text=naïve & 日本".encode(), b"\x00\x7f"])
def test_slacks_own_verifier_accepts_the_signature(body: bytes) -> None:
    """The signature of any body is the one that Slack's SDK computes."""
    expected = SignatureVerifier("a secret").generate_signature(timestamp="1700000000", body=body)
    assert signature("a secret", "1700000000", body) == expected


@pytest.mark.parametrize(
    ("text", "mentioned"),
    [
        ("<@UBOT> hi", True),
        ("hi <@UBOT|bot>", True),
        ("&lt;@UBOT&gt; hi", False),
        ("<@UBOTTLE> hi", False),
        ("@UBOT", False),
        ("<#UBOT>", False),
    ],
)
def test_what_is_a_mention(text: str, mentioned: bool) -> None:
    """Only a real token mentions; what was typed with a `<` does not."""
    assert mentions(text, "UBOT") is mentioned


def test_rich_text_keeps_what_was_typed() -> None:
    """Mentions and links become elements, the rest stays text, unescaped once."""
    block = rich_text("a &lt;b&gt; &amp;lt; <@UADA> <https://x.example|x> <!here> <#COPS|ops>", "b1")
    elements = [e for e in block["elements"][0]["elements"] if e != {"type": "text", "text": " "}]
    assert elements == [
        {"type": "text", "text": "a <b> &lt; "},
        {"type": "user", "user_id": "UADA"},
        {"type": "link", "url": "https://x.example", "text": "x"},
        {"type": "broadcast", "range": "here"},
        {"type": "channel", "channel_id": "COPS"},
    ]


OPTION = {"text": {"type": "plain_text", "text": "More"}, "value": "more"}


@pytest.mark.parametrize(
    ("element", "value", "chosen"),
    [
        ({"type": "button", "value": "v1.x.1"}, None, {"value": "v1.x.1"}),
        ({"type": "button", "value": "v1.x.1"}, "v1.x.2", {"value": "v1.x.2"}),
        ({"type": "button"}, None, {}),
        ({"type": "overflow", "options": [OPTION]}, "more", {"selected_option": OPTION}),
        ({"type": "static_select", "options": [OPTION]}, "less", {"selected_option": None}),
        ({"type": "checkboxes", "options": [OPTION]}, "more", {"selected_options": [OPTION]}),
        ({"type": "users_select"}, "UADA", {"selected_user": "UADA"}),
        ({"type": "datepicker"}, "2026-05-04", {"selected_date": "2026-05-04"}),
        ({"type": "plain_text_input"}, "words", {"value": "words"}),
    ],
)
def test_what_was_pressed(element: dict[str, Any], value: str | None, chosen: dict[str, Any]) -> None:
    """Each kind of element reports its choice under its own key."""
    common = {"type": element["type"], "action_id": "a", "block_id": "b", "action_ts": "1.0"}
    assert action_of({**element, "action_id": "a"}, "b", value, "1.0") == common | chosen


def test_a_form_begins_with_its_initial_values() -> None:
    """The state of an untouched form names every input, and what is filled in goes on top."""
    written = {"type": "plain_text_input", "action_id": "t", "initial_value": "draft"}
    chosen = {"type": "static_select", "action_id": "s", "options": [OPTION], "initial_option": OPTION}
    blocks: list[dict[str, Any]] = [
        {"type": "input", "block_id": "i", "element": written},
        {"type": "section", "block_id": "j", "accessory": chosen},
        {"type": "actions", "block_id": "k", "elements": [{"type": "button", "action_id": "b"}]},
    ]
    start = {
        "i": {"t": {"type": "plain_text_input", "value": "draft"}},
        "j": {"s": {"type": "static_select", "selected_option": OPTION}},
    }
    assert state_of(blocks) == start
    final = merged(start, {"i": {"t": {"type": "plain_text_input", "value": "final"}}})
    assert final["i"]["t"]["value"] == "final"
    assert final["j"] == start["j"]


def test_what_a_fault_may_call_a_delivery() -> None:
    """A delivery is matched by its kind, its type, the event's type, or the command."""
    event = Delivery("event", {"type": "event_callback", "event": {"type": "message"}})
    assert event.labels == ("event", "event_callback", "message")
    assert Delivery("command", {"command": "/1on1"}).labels == ("command", "/1on1")


@pytest.mark.parametrize(("body", "read"), [('{"a": 1}', {"a": 1}), ("[1]", {}), ("", {}), ("ok", {})])
def test_an_answer_is_json_only_if_it_is_an_object(body: str, read: dict[str, int]) -> None:
    """What is no JSON object reads as an empty one."""
    assert Answer(status=200, body=body).json == read
