"""Cursors that reveal nothing: neither counts nor gaps nor names (BR13, BR16). Pure.

A cursor is sealed with the store's own key and a nonce made of its content, so it cannot be read, forged or altered,
and the same place in a list is the same text.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any

from sliceway.core.ledger import canonical
from sliceway.errors import FieldError, InvalidRequest

_NONCE = 16
_BLOCK = 48
MAX_CURSOR = 16_384
"""Characters that a cursor given back may have."""


def seal_cursor(key: bytes, purpose: str, place: Any) -> str:
    """Return the cursor for a place in the list `purpose`; `place` is plain JSON without floats."""
    body = canonical({"at": place})
    body += b" " * (-len(body) % _BLOCK)
    nonce = _mac(key, b"nonce", purpose.encode() + b"\0" + body)[:_NONCE]
    return _text(nonce + _masked(key, nonce, body))


def open_cursor(key: bytes, purpose: str, cursor: str, *, field: str = "cursor") -> Any:
    """Return the place that `seal_cursor` sealed.

    :raises InvalidRequest: it is no cursor of this list and store.
    """
    try:
        sealed = urlsafe_b64decode(cursor.encode("ascii") + b"=" * (-len(cursor) % 4))
    except ValueError:
        sealed = b""
    nonce, hidden = sealed[:_NONCE], sealed[_NONCE:]
    body = _masked(key, nonce, hidden)
    made = _mac(key, b"nonce", purpose.encode() + b"\0" + body)[:_NONCE]
    if not hidden or not hmac.compare_digest(nonce, made) or _text(sealed) != cursor:
        raise InvalidRequest(
            errors=[FieldError(field, "invalid_request", "it is not a cursor that this list gave; begin without one")]
        )
    return json.loads(body)["at"]


def _text(sealed: bytes) -> str:
    """Return the one spelling of a sealed place."""
    return urlsafe_b64encode(sealed).rstrip(b"=").decode()


def _mac(key: bytes, what: bytes, message: bytes) -> bytes:
    return hmac.new(key, b"cursor\0" + what + b"\0" + message, hashlib.sha256).digest()


def _masked(key: bytes, nonce: bytes, body: bytes) -> bytes:
    """Return `body` under the key stream of a nonce; twice is the body again."""
    stream = b"".join(_mac(key, b"stream", nonce + number.to_bytes(4, "big")) for number in range(len(body) // 32 + 1))
    return bytes(left ^ right for left, right in zip(body, stream, strict=False))
