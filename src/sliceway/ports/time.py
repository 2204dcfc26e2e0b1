"""Time and new ids arrive from outside, so that tests can hold them still."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

Clock = Callable[[], datetime]
"""Returns the time now, in UTC."""

NewId = Callable[[], str]
"""Returns an id never returned before: 26 characters of Crockford base32, in order of creation (a ULID)."""

NewSecret = Callable[[], str]
"""Returns 43 characters of URL-safe base64: 256 bits from the system's own randomness, never returned before."""
