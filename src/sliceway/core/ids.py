"""Ids and the names made from them: checked, never mangled, never meeting (ID8-ID11)."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from base64 import b32encode

from sliceway.errors import InvalidAgentId, InvalidRequest

DEFAULT_AGENT = "default"
"""The id of the agent of an empty store without configuration (ID3)."""

NOT_IDENTIFIED = frozenset({"unknown", "unspecified", "anonymous", "none", "null", "default", "mcp_client", "n/a"})
"""Labels that name nobody (ID9); compared in lower case."""

_AGENT_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_PLAIN = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_MAX_NAME = 64
_STEM_LENGTH = 24
_DIGEST_LENGTH = 26
_DISPLAY_LENGTH = 64


def is_text(value: object) -> bool:
    """Say whether a caller gave text: what types promise, a caller without a type checker may not keep."""
    return isinstance(value, str)


def check_agent_id(text: str, *, allow_default: bool = False) -> str:
    """Return the agent id `text`, unchanged.

    :param allow_default: accept `default`, the id of an agent without configuration (ID3).
    :raises InvalidAgentId: it is empty, longer than 64, has other characters than `A-Za-z0-9._-`, or names nobody.
    """
    if not is_text(text) or not _AGENT_ID.fullmatch(text):
        shown = display_name(str(text)) or "(empty)"
        raise InvalidAgentId(
            f"'{shown}' is not an agent id: use 1 to 64 characters of A-Z, a-z, 0-9, dot, underscore and hyphen."
        )
    if text.casefold() in NOT_IDENTIFIED and not (allow_default and text == DEFAULT_AGENT):
        if text.casefold() == DEFAULT_AGENT:
            raise InvalidAgentId(
                f"'{text}' names nobody: an agent without an id is called so. Give it an id of its own "
                "(SLICEWAY_AGENT_ID), or leave that unset: a gateway on Slack then takes the bot's id."
            )
        raise InvalidAgentId(f"'{text}' names nobody; give the agent an id of its own (SLICEWAY_AGENT_ID).")
    return text


def is_identified(label: str) -> bool:
    """Say whether a self-reported label names somebody (ID9)."""
    return bool(label.strip()) and label.strip().casefold() not in NOT_IDENTIFIED


def display_name(text: str) -> str:
    """Return `text` fit for a log line: no control, format or line-breaking characters, at most 64 characters."""
    kept = "".join(
        " " if char.isspace() else char for char in text if char.isspace() or unicodedata.category(char)[0] != "C"
    )
    return " ".join(kept.split())[:_DISPLAY_LENGTH]


def partition_name(kind: str, *parts: str, plain: bool) -> str:
    """Return the slice name of `kind` for `parts`, different for any two different inputs (ID10, ID11).

    :param parts: hashed one by one with their lengths, never joined.
    :param plain: allow the readable form `<kind>-<part>` where the single part has it already.
    :raises InvalidRequest: a part is empty or cannot be encoded.
    """
    if not parts or not all(parts):
        raise InvalidRequest(f"A {kind} slice is named after ids that are not empty.")
    if plain and len(parts) == 1 and _PLAIN.fullmatch(parts[0]) and len(kind) + 1 + len(parts[0]) <= _MAX_NAME:
        return f"{kind}-{parts[0]}"
    digest = hashlib.sha256(kind.encode() + b"\0")
    for part in parts:
        try:
            encoded = part.encode()
        except UnicodeEncodeError:
            raise InvalidRequest(f"A {kind} slice is named after ids that are text in UTF-8.") from None
        digest.update(len(encoded).to_bytes(4, "big") + encoded)
    code = b32encode(digest.digest()).decode().lower()[:_DIGEST_LENGTH]
    return f"{kind}-{_stem(parts[-1])}--{code}"


def _stem(part: str) -> str:
    """Return the readable middle of a hashed name."""
    lowered = "".join(chr(ord(char) + 32) if "A" <= char <= "Z" else char for char in part)
    return re.sub(r"[^a-z0-9]+", "-", lowered)[:_STEM_LENGTH].strip("-") or "x"
