"""Chat's own spelling as the words it stands for: mentions, links, escapes, emoji and their short names (FR6)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_SLACK = re.compile(r"<([@#!]?)([^<>|\s][^<>|]*)(?:\|([^<>]*))?>")
_ESCAPES = {"&lt;": "<", "&gt;": ">", "&amp;": "&"}
_ESCAPE = re.compile("&(?:lt|gt|amp);")
_EMOJI = re.compile("[\u2122-\u24ff\u25a0-\u2bff\U0001f000-\U0001faff]")
_SHORT = re.compile(r":([a-z0-9_+'-]{1,40}):")
_SKIN = re.compile("[\U0001f3fb-\U0001f3ff]")

_NAMES = {
    "+1": "👍", "thumbsup": "👍", "-1": "👎", "thumbsdown": "👎", "tada": "🎉", "white_check_mark": "✅",
    "heavy_check_mark": "✔", "x": "❌", "warning": "⚠", "rotating_light": "🚨", "bug": "🐛", "fire": "🔥",
    "eyes": "👀", "joy": "😂", "sob": "😭", "heart": "❤", "pray": "🙏", "raised_hands": "🙌", "wave": "👋", "100": "💯",
    "boom": "💥", "zap": "⚡", "lock": "🔒", "unlock": "🔓", "key": "🔑", "bulb": "💡", "memo": "📝", "pushpin": "📌",
    "calendar": "📆", "bell": "🔔", "no_entry": "⛔", "rocket": "🚀", "construction": "🚧", "hourglass": "⌛",
    "arrow_right": "➡", "question": "❓", "exclamation": "❗", "star": "⭐", "bomb": "💣", "package": "📦",
    "computer": "💻", "phone": "☎", "coffee": "☕", "beers": "🍻", "shipit": "🐿", "thinking_face": "🤔", "smile": "😄",
}  # fmt: skip
"""Short names that are not the character's Unicode name with `_` for spaces."""
_SHORT_OF: dict[str, str] = {}
for _name, _char in _NAMES.items():
    _SHORT_OF[_char] = f"{_SHORT_OF[_char]} {_name}" if _char in _SHORT_OF else _name


def _meant(match: re.Match[str]) -> str:
    """Return what a `<…>` of chat says: the label and what it points at, without what only a machine reads."""
    mark, target, label = match[1], match[2], match[3]
    if mark == "!":
        return f" {label or target.partition('^')[0]} "
    if mark == "#" and label:
        return f" {label} {target} "
    return f" {label} {target} " if label else f" {target} "


@lru_cache(maxsize=1 << 12)
def _named(char: str) -> str:
    """Return the words that an emoji is known by."""
    words = f"{unicodedata.name(char, '')} {_SHORT_OF.get(char, '')}".lower().replace("_", " ")
    return f" {char} {' '.join(dict.fromkeys(words.split()))} "


def _short(match: re.Match[str]) -> str:
    name = match[1]
    char = _NAMES.get(name)
    if char is None:
        try:
            char = unicodedata.lookup(name.replace("_", " "))
        except KeyError:
            return match[0]
    return f" {name.replace('_', ' ')} {_named(char)} "


def words_meant(text: str) -> str:
    """Return a text with chat's markup replaced by the words it stands for.

    `<@U1|ann>`, `<#C1|ops>` and `<https://…|label>` say label and target, `&lt;` is `<`, an emoji says its names, and
    `:rocket:` is that emoji too. A text without any of these comes back as it is.
    """
    if "<" in text:
        text = _SLACK.sub(_meant, text)
    if "&" in text:
        text = _ESCAPE.sub(lambda match: _ESCAPES[match[0]], text)
    if ":" in text:
        text = _SHORT.sub(_short, text)
    if not text.isascii() and _EMOJI.search(text) is not None:
        text = _EMOJI.sub(_shown, _SKIN.sub("", text))
    return text


def _shown(match: re.Match[str]) -> str:
    char = match[0]
    return _named(char) if is_emoji(char) else char


def is_emoji(char: str) -> bool:
    """Say whether a character is a picture that a text can be found by, and no other spelling of letters."""
    return unicodedata.category(char) == "So" and not unicodedata.decomposition(char) and bool(_EMOJI.match(char))
