"""What Slack takes in a `rich_text` block, written down from its reference, apart from the code under test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

CONTAINERS = {"rich_text_section", "rich_text_preformatted", "rich_text_quote"}
NEEDS: dict[str, dict[str, type]] = {
    "text": {"text": str},
    "link": {"url": str},
    "user": {"user_id": str},
    "channel": {"channel_id": str},
    "date": {"timestamp": int, "format": str},
}


def rich_text_problems(blocks: list[dict[str, Any]]) -> list[str]:
    """Return everything wrong with the rich text among blocks."""
    return [problem for block in blocks if block["type"] == "rich_text" for problem in _block(block)]


def _block(block: dict[str, Any]) -> Iterator[str]:
    if not block["elements"]:
        yield "a rich_text block has no elements"
    for container in block["elements"]:
        if container["type"] not in CONTAINERS:
            yield f"{container['type']} is no container"
        if not container["elements"]:
            yield f"{container['type']} has no elements"
        for element in container["elements"]:
            yield from _element(element)


def _element(element: dict[str, Any]) -> Iterator[str]:
    needs = NEEDS.get(element["type"])
    if needs is None:
        yield f"{element['type']} is no element that a card needs"
        return
    for name, kind in needs.items():
        value = element.get(name)
        if not isinstance(value, kind) or value == "":
            yield f"{element['type']} has no {name}"
        elif isinstance(value, str) and len(value) > 3000:
            yield f"{element['type']}.{name} has {len(value)} characters"
    if "style" in element and element["style"] != {"bold": True}:
        yield "a style that cards do not use"
    if element["type"] == "link" and not element["url"].startswith(("http://", "https://")):
        yield "a link that is none of the web's"


def words(node: Any) -> str:
    """Return all that a reader sees in blocks, as one text."""
    if isinstance(node, list):
        return "".join(map(words, node))
    if isinstance(node, dict):
        if isinstance(node.get("text"), str):
            return str(node["text"])
        return "".join(words(node[name]) for name in ("text", "elements", "element", "label", "blocks") if name in node)
    return ""
