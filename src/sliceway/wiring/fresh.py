"""The time now and new ids, for real."""

from __future__ import annotations

from datetime import UTC, datetime

from ulid import ULID


def now() -> datetime:
    """Return the time now, in UTC."""
    return datetime.now(UTC)


def new_id() -> str:
    """Return an id never returned before."""
    return str(ULID())
