"""Lists as Block Kit: many entries, each with what can be pressed, within Slack's limits (R42, AP4)."""

from __future__ import annotations

from sliceway.core.cards import Button, CardText, Fact, Item, Message
from sliceway.slack.blocks import message_body
from tests.unit.slack.test_blocks import json_objects


def entry(number: int, text: str = "all of it") -> Item:
    """Return an entry of a list."""
    buttons = tuple(Button(action, action.title(), f"v1.P{number}.1") for action in ("review", "approve", "deny"))
    facts = (Fact("Asked by", people=("UADA",)), Fact("Waits until", at="2026-05-07T09:00:00.000000Z"))
    return Item(f"Save to shared? {number}", facts, (CardText("team/rota", "Rota", text),), ("odd",), buttons)


def test_r42_more_entries_than_a_message_holds_are_cut_at_its_limit() -> None:
    """R42: whatever is listed, a message has at most fifty blocks, and each entry keeps its own buttons."""
    more = (Button("more", "Show more", "v1.P20.1"),)
    blocks = message_body(Message("Waiting", items=tuple(entry(number) for number in range(60)), buttons=more))[
        "blocks"
    ]
    assert len(blocks) <= 50
    rows = [block["elements"] for block in blocks if block["type"] == "actions"]
    assert [row[0]["value"] for row in rows[:3]] == ["v1.P0.1", "v1.P1.1", "v1.P2.1"]
    assert rows[-1][0]["action_id"] == "sliceway:more"


def test_ap4_an_entry_can_ping_nobody_and_forge_nothing() -> None:
    """AP4: people's text in an entry is shown as it is: no mention, no link, no mark of Slack's."""
    body = message_body(Message("Waiting", items=(entry(1, "<!channel> <@UBEN> *bold* <https://x.example|press>"),)))
    kinds = {part["type"] for part in json_objects(body["blocks"]) if "type" in part}
    assert "mrkdwn" in kinds  # the agent's own heading
    assert not kinds & {"broadcast", "link", "usergroup"}
    texts = [part["text"] for part in json_objects(body["blocks"]) if part.get("type") == "text"]
    assert "<!channel> <@UBEN> *bold* <https://x.example|press>" in texts
    assert [part["user_id"] for part in json_objects(body["blocks"]) if part.get("type") == "user"] == ["UADA"]
