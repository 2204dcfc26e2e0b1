"""A message as a person reads it: blocks as lines, ids as names, buttons in brackets."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from typing import Any

Node = Mapping[str, Any]
Names = Callable[[str], str]
"""Returns what people call a person or a channel, given its id."""

_REFERENCE = re.compile(
    r"<([@#])([A-Z0-9]+)(?:\|[^>]*)?>|<(https?://[^|>]+)(?:\|([^>]*))?>|<!date\^\d+\^[^|>]*\|([^>]*)>"
)


def lines_of(message: Node, names: Names) -> list[str]:
    """Return the lines of a message: of its blocks where it has some, else of its text."""
    blocks = message.get("blocks") or []
    if not blocks:
        return _text(str(message.get("text") or ""), names).splitlines()
    found: list[str] = []
    for block in blocks:
        found += [line for line in _block(block, names).splitlines() if line.strip()]
    return found


def _block(block: Node, names: Names) -> str:
    """Return one block as text."""
    match block.get("type"):
        case "header" | "section":
            parts = [block["text"]] if block.get("text") else []
            return "\n".join(_text(str(part["text"]), names) for part in [*parts, *(block.get("fields") or [])])
        case "context":
            return " ".join(_text(str(part.get("text", "")), names) for part in block.get("elements", []))
        case "actions":
            return "  ".join(f"[{part['text']['text']}]" for part in block.get("elements", []) if part.get("text"))
        case "rich_text":
            return "\n".join(_rich(part, names) for part in block.get("elements", []))
    return ""


def _rich(part: Node, names: Names) -> str:
    """Return one part of a rich text."""
    elements = part.get("elements", [])
    if part.get("type") == "rich_text_list":
        return "\n".join("• " + _rich(each, names) for each in elements)
    text = "".join(_element(each, names) for each in elements)
    if part.get("type") in {"rich_text_quote", "rich_text_preformatted"}:
        return "\n".join("> " + line for line in text.splitlines())
    return text


def _element(element: Node, names: Names) -> str:
    """Return one piece of a line."""
    match element.get("type"):
        case "text":
            return str(element["text"])
        case "user":
            return "@" + names(str(element["user_id"]))
        case "channel":
            return "#" + names(str(element["channel_id"]))
        case "link":
            return str(element.get("text") or element["url"])
        case "date":
            return str(element.get("fallback") or "")
        case "emoji":
            return f":{element.get('name')}:"
    return ""


def _text(wire: str, names: Names) -> str:
    """Return wire text as it is shown."""

    def shown(match: re.Match[str]) -> str:
        if match[1]:
            return match[1] + names(match[2])
        return match[4] or match[3] or match[5] or ""

    return html.unescape(_REFERENCE.sub(shown, wire))
