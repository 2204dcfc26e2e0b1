"""Slack's wire text and back: what a person wrote, from what arrived; what cannot ping or forge, from what we say."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_TOKEN = re.compile(r"<([^<>\n]{1,3000})>|&(lt|gt|amp);")
_ENTITIES = {"lt": "<", "gt": ">", "amp": "&"}
_PERSON = re.compile(r"@([UWB][A-Z0-9]+)(?:\|([^<>]*))?")
_CHANNEL = re.compile(r"#([CGD][A-Z0-9]+)(?:\|([^<>]*))?")
_COMMAND = re.compile(r"!([a-z]+)(?:\^([^|<>]*))?(?:\|([^<>]*))?")
_DEPTH = 16


def plain(wire: str) -> tuple[str, dict[str, str]]:
    """Return wire text as the person wrote it, and the people it mentions: id and the name that came along, or the id.

    Unescapes `&lt; &gt; &amp;` once and writes mentions, channels, groups and links in words (R36).
    """
    names: dict[str, str] = {}

    def written(match: re.Match[str]) -> str:
        if match[1] is None:
            return _ENTITIES[match[2]]
        inside: str = match[1]
        if person := _PERSON.fullmatch(inside):
            names[person[1]] = _unescaped(person[2] or "").removeprefix("@") or person[1]
            return f"@{names[person[1]]}"
        if channel := _CHANNEL.fullmatch(inside):
            return f"#{_unescaped(channel[2] or '') or channel[1]}"
        if command := _COMMAND.fullmatch(inside):
            return _command_words(command[1], command[2] or "", _unescaped(command[3] or ""))
        return _link_words(inside)

    return _TOKEN.sub(written, wire), names


def _command_words(name: str, argument: str, label: str) -> str:
    """Return in words what `<!…>` means: a group, everyone, a date."""
    if name in {"subteam", "here", "channel", "everyone"}:
        return f"@{label.removeprefix('@') or (argument if name == 'subteam' else name)}"
    return label or argument or name


def _link_words(inside: str) -> str:
    """Return a link as it was typed: its label alone where that is the address, else both."""
    address, _, label = (_unescaped(part) for part in inside.partition("|"))
    bare = re.sub(r"^(?:https?://|mailto:|tel:)", "", address)
    if not label:
        return bare if address.startswith(("mailto:", "tel:")) else address
    return label if label in {address, bare, bare.rstrip("/")} else f"{label} ({address})"


def _unescaped(text: str) -> str:
    """Return text without Slack's three entities."""
    return re.sub(r"&(lt|gt|amp);", lambda match: _ENTITIES[match[1]], text)


def without_mention(wire: str, users: Sequence[str]) -> str:
    """Return wire text without the mention of one of `users` that addresses it: those at its start, else the first."""
    mention = rf"<@(?:{'|'.join(map(re.escape, users))})(?:\|[^<>]*)?>"
    rest, removed = re.subn(rf"^(?:\s*{mention}[,:;]?)+\s*", "", wire)
    if not removed:
        rest = re.sub(rf"(?<=\s){mention}\s*|\s*{mention}", "", wire, count=1)
    return rest.strip()


def mentions(wire: str, user: str) -> bool:
    """Say whether wire text mentions `user`."""
    return re.search(rf"<@{re.escape(user)}(?:\|[^<>]*)?>", wire) is not None


def escaped(text: str) -> str:
    """Return text so that Slack shows it as it is: it mentions nobody, links nothing and makes no entity (AP4)."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def said(text: str) -> str:
    """Return the agent's own words escaped, but for references to channels, `<#C…>`: Slack shows their names to those
    who may know them, and they ping nobody."""
    return re.sub(r"&lt;#(C[A-Z0-9]{1,30})&gt;", r"<#\1>", escaped(text))


def forwarded(attachments: object) -> str | None:
    """Return the text of messages passed on with a message; None where there is none."""
    if not isinstance(attachments, Sequence) or isinstance(attachments, str):
        return None
    texts = []
    for attachment in attachments:
        if not isinstance(attachment, Mapping):
            continue
        if not (attachment.get("is_msg_unfurl") or attachment.get("is_share") or attachment.get("message_blocks")):
            continue
        text = attachment.get("text")
        if not isinstance(text, str) or not text.strip():
            shown = _block_words(attachment.get("message_blocks"), _DEPTH)
        else:
            shown = plain(text)[0]
        if shown.strip():
            texts.append(shown.strip())
    return "\n\n".join(texts) or None


def _block_words(node: object, depth: int) -> str:
    """Return the words in rich text blocks, however nested, to a depth."""
    if depth == 0:
        return ""
    if isinstance(node, Mapping):
        kind = node.get("type")
        if kind == "text" and isinstance(node.get("text"), str):
            return str(node["text"])
        if kind == "link":
            return str(node.get("text") or node.get("url") or "")
        if kind == "user":
            return f"@{node.get('user_id', '')}"
        inner: list[Any] = [node.get(name) for name in ("message", "blocks", "elements") if node.get(name) is not None]
        words = "".join(_block_words(part, depth - 1) for part in inner)
        return words + "\n" if kind in {"rich_text_section", "rich_text_list"} else words
    if isinstance(node, Sequence) and not isinstance(node, str):
        return "".join(_block_words(part, depth - 1) for part in node)
    return ""
