"""Slack's request signature, version `v0`: HMAC-SHA256 over the version, the time and the raw body.

Source: Slack, "Verifying requests from Slack".
"""

from __future__ import annotations

import hashlib
import hmac


def signature(secret: str, timestamp: str, body: bytes) -> str:
    """Return the `X-Slack-Signature` of a body sent at `timestamp` (Unix seconds, as text)."""
    base = b"v0:" + timestamp.encode() + b":" + body
    return "v0=" + hmac.new(secret.encode(), base, hashlib.sha256).hexdigest()
