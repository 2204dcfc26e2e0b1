"""How views look on Slack's wire, and what Slack refuses in them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sliceway.workspace.blocks import VIEW_BLOCKS, check_blocks
from sliceway.workspace.choices import merged, state_of
from sliceway.workspace.elements import check_text
from sliceway.workspace.model import Json, View, Workspace

TITLE = 24
PRIVATE_METADATA = 3000
CALLBACK_ID = 255
EXTERNAL_ID = 255
_FIELDS = ("title", "close", "submit")


def check_view(view: Any) -> list[str]:
    """Return everything wrong with a view, in Slack's words; empty if Slack would take it."""
    if not isinstance(view, dict):
        return ["must provide an object [json-pointer:/view]"]
    return [*_head(view), *check_blocks(view.get("blocks"), "/view/blocks", VIEW_BLOCKS)]


def _head(view: Json) -> Iterator[str]:
    kind = view.get("type")
    if kind not in ("modal", "home"):
        yield "must be one of modal, home [json-pointer:/view/type]"
    for name in _FIELDS:
        if view.get(name) is not None or (kind == "modal" and name == "title"):
            yield from check_text(view.get(name), f"/view/{name}", TITLE, plain=True)
    blocks = view.get("blocks")
    inputs = isinstance(blocks, list) and any(isinstance(b, dict) and b.get("type") == "input" for b in blocks)
    if kind == "modal" and inputs and view.get("submit") is None:
        yield "submit is required when blocks contain an input [json-pointer:/view/submit]"
    for name, most in (
        ("private_metadata", PRIVATE_METADATA),
        ("callback_id", CALLBACK_ID),
        ("external_id", EXTERNAL_ID),
    ):
        value = view.get(name)
        if value is not None and not (isinstance(value, str) and len(value) <= most):
            yield f"must be less than {most + 1} characters [json-pointer:/view/{name}]"


def view_shape(workspace: Workspace, view: View) -> Json:
    """Return a view as answers and payloads carry it."""
    content = view.content
    return {
        "id": view.id,
        "team_id": workspace.home.id,
        "type": view.type,
        "blocks": content["blocks"],
        "private_metadata": content.get("private_metadata", ""),
        "callback_id": content.get("callback_id", ""),
        "external_id": content.get("external_id", ""),
        "state": {"values": merged(state_of(content["blocks"]), view.values)},
        "hash": view.hash,
        "title": content.get("title"),
        "close": content.get("close"),
        "submit": content.get("submit"),
        "clear_on_close": content.get("clear_on_close", False),
        "notify_on_close": content.get("notify_on_close", False),
        "previous_view_id": view.previous_view_id,
        "root_view_id": view.root_view_id,
        "app_id": workspace.app.id,
        "app_installed_team_id": workspace.home.id,
        "bot_id": workspace.app.bot_id,
    }
