"""The `rich_text` block that Slack's own clients send beside the text of what a person typed."""

from __future__ import annotations

import re

from sliceway.workspace.model import Json

_TOKEN = re.compile(r"<([@#!])([A-Za-z0-9^]+)(?:\|([^>]*))?>|<((?:https?|mailto):[^|>]+)(?:\|([^>]*))?>")


def rich_text(text: str, block_id: str) -> Json:
    """Return the block for wire text: mentions and links as elements, the rest as plain text, unescaped."""
    elements: list[Json] = []
    at = 0
    for token in _TOKEN.finditer(text):
        _add_text(elements, text[at : token.start()])
        elements.append(_element(token))
        at = token.end()
    _add_text(elements, text[at:])
    section = {"type": "rich_text_section", "elements": elements}
    return {"type": "rich_text", "block_id": block_id, "elements": [section]}


def unescaped(text: str) -> str:
    """Return wire text as it was typed."""
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def _element(token: re.Match[str]) -> Json:
    mark, name, _, url, label = token.groups()
    if url:
        return {"type": "link", "url": unescaped(url), **({"text": unescaped(label)} if label else {})}
    if mark == "@":
        return {"type": "user", "user_id": name}
    if mark == "#":
        return {"type": "channel", "channel_id": name}
    if name in ("here", "channel", "everyone"):
        return {"type": "broadcast", "range": name}
    return {"type": "text", "text": token.group()}


def _add_text(elements: list[Json], text: str) -> None:
    if text:
        elements.append({"type": "text", "text": unescaped(text)})
