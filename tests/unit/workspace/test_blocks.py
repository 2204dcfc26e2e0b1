"""Slack's limits on blocks and views, one row each."""

from __future__ import annotations

from typing import Any

import pytest

from sliceway.workspace.blocks import check_blocks
from sliceway.workspace.view_shapes import check_view

Json = dict[str, Any]


def text(length: int = 1, kind: str = "plain_text") -> Json:
    """Return a text object of so many characters."""
    return {"type": kind, "text": "x" * length}


def section(length: int = 1) -> Json:
    """Return a section with so much text."""
    return {"type": "section", "text": text(length, "mrkdwn")}


def button(**more: Any) -> Json:
    """Return a button."""
    return {"type": "button", "text": text(), "action_id": "go", **more}


def actions(*elements: Json) -> Json:
    """Return a row of elements."""
    return {"type": "actions", "elements": list(elements)}


def options(count: int, *, label: int = 1, value: int = 1) -> list[Json]:
    """Return so many options."""
    return [{"text": text(label), "value": "v" * value} for _ in range(count)]


def menu(kind: str, count: int) -> Json:
    """Return a menu with so many options."""
    return actions({"type": kind, "action_id": "m", "options": options(count)})


def row(count: int) -> Json:
    """Return a row of so many buttons."""
    return actions(*(button(action_id=f"b{n}") for n in range(count)))


def confirm(title: int = 1, body: int = 1, yes: int = 1) -> Json:
    """Return a button that asks again, with texts of these lengths."""
    question = {"title": text(title), "text": text(body), "confirm": text(yes), "deny": text()}
    return actions(button(confirm=question))


AT_THE_LIMIT = {
    "50 blocks": [section()] * 50,
    "section text": [section(3000)],
    "ten fields": [{"type": "section", "fields": [text(2000)] * 10}],
    "header": [{"type": "header", "text": text(150)}],
    "25 buttons": [row(25)],
    "context": [{"type": "context", "elements": [text(kind="mrkdwn")] * 10}],
    "button text": [actions(button(text=text(75)))],
    "button value": [actions(button(value="v" * 2000))],
    "action_id": [actions(button(action_id="a" * 255))],
    "block_id": [{**section(), "block_id": "b" * 255}],
    "overflow": [menu("overflow", 5)],
    "select": [menu("static_select", 100)],
    "option": [actions({"type": "static_select", "action_id": "m", "options": options(1, label=75, value=150)})],
    "confirm": [confirm(100, 300, 30)],
    "markdown": [{"type": "markdown", "text": "x" * 12_000}],
    "divider": [{"type": "divider"}],
    "nothing": [],
}
OVER_THE_LIMIT = {
    "/blocks": [section()] * 51,
    "/blocks/0/text/text": [section(3001)],
    "/blocks/0/fields": [{"type": "section", "fields": [text()] * 11}],
    "/blocks/0/fields/0/text": [{"type": "section", "fields": [text(2001)]}],
    "/blocks/1/text/text": [section(), {"type": "header", "text": text(151)}],
    "/blocks/0/text/type": [{"type": "header", "text": text(kind="mrkdwn")}],
    "/blocks/0/elements": [row(26)],
    "/blocks/0/elements/0/text/text": [actions(button(text=text(76)))],
    "/blocks/0/elements/0/value": [actions(button(value="v" * 2001))],
    "/blocks/0/elements/0/action_id": [actions(button(action_id="a" * 256))],
    "/blocks/0/elements/1/action_id": [actions(button(), button())],
    "/blocks/0/elements/0/style": [actions(button(style="blue"))],
    "/blocks/0/block_id": [{**section(), "block_id": "b" * 256}],
    "/blocks/1/block_id": [{**section(), "block_id": "b"}, {**section(), "block_id": "b"}],
    "/blocks/0/elements/0/options": [menu("overflow", 6)],
    "/blocks/0/elements/0/options/0/value": [
        actions({"type": "static_select", "action_id": "m", "options": options(1, value=151)})
    ],
    "/blocks/0/elements/0/confirm/title/text": [confirm(title=101)],
    "/blocks/0/elements/0/confirm/text/text": [confirm(body=301)],
    "/blocks/0/elements/0/confirm/confirm/text": [confirm(yes=31)],
    "/blocks/0/text": [{"type": "markdown", "text": "x" * 12_001}],
    "/blocks/0/type": [{"type": "carousel"}],
    "/blocks/0": [{"type": "section"}],
    "/blocks/0/elements/0/type": [actions({"type": "lever", "action_id": "x"})],
}


@pytest.mark.parametrize("blocks", AT_THE_LIMIT.values(), ids=AT_THE_LIMIT)
def test_blocks_at_the_limit_pass(blocks: list[Json]) -> None:
    """What is exactly as large as Slack allows is taken."""
    assert check_blocks(blocks) == []


@pytest.mark.parametrize(("pointer", "blocks"), OVER_THE_LIMIT.items(), ids=OVER_THE_LIMIT)
def test_blocks_over_the_limit_are_refused_with_a_pointer(pointer: str, blocks: list[Json]) -> None:
    """What is one larger, or malformed, is refused, with a JSON pointer to it."""
    (error,) = check_blocks(blocks)
    assert error.endswith(f"[json-pointer:{pointer}]")


def test_the_words_are_slacks() -> None:
    """The length of a section is refused in the words that Slack uses."""
    assert check_blocks([section(3001)]) == ["must be less than 3001 characters [json-pointer:/blocks/0/text/text]"]


@pytest.mark.parametrize("blocks", ["text", {"type": "section"}, None, 7])
def test_blocks_that_are_no_list_are_refused(blocks: object) -> None:
    """Anything but a list is refused without a crash."""
    assert check_blocks(blocks) == ["must be an array [json-pointer:/blocks]"]


@pytest.mark.parametrize("junk", [None, 7, "x", [], {}, {"type": 7}, {"type": ["section"]}, {"type": "actions"}])
def test_odd_values_inside_are_refused(junk: object) -> None:
    """A block of a wrong form is a refusal, never a crash."""
    assert check_blocks([junk])


def modal(**more: Any) -> Json:
    """Return a modal."""
    return {"type": "modal", "title": text(24), "blocks": [section()], **more}


FORM = {"type": "input", "block_id": "b", "label": text(), "element": {"type": "plain_text_input", "action_id": "a"}}


@pytest.mark.parametrize(
    "view",
    [
        modal(),
        modal(submit=text(24), close=text(24), private_metadata="m" * 3000, blocks=[FORM]),
        modal(blocks=[section()] * 100),
        {"type": "home", "blocks": []},
    ],
)
def test_views_at_the_limit_pass(view: Json) -> None:
    """A view that is exactly as large as Slack allows is taken."""
    assert check_view(view) == []


@pytest.mark.parametrize(
    ("pointer", "view"),
    [
        ("/view/title/text", modal(title=text(25))),
        ("/view/title", modal(title=None)),
        ("/view/submit/text", modal(submit=text(25))),
        ("/view/close/text", modal(close=text(25))),
        ("/view/private_metadata", modal(private_metadata="m" * 3001)),
        ("/view/blocks", modal(blocks=[section()] * 101)),
        ("/view/blocks", modal(blocks=None)),
        ("/view/blocks/0/text/text", modal(blocks=[section(3001)])),
        ("/view/submit", modal(blocks=[FORM])),
        ("/view", "a view"),
    ],
)
def test_views_over_the_limit_are_refused_with_a_pointer(pointer: str, view: Any) -> None:
    """A view that is one larger, or incomplete, is refused, with a JSON pointer into it."""
    (error,) = check_view(view)
    assert error.endswith(f"[json-pointer:{pointer}]")
