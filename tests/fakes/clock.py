"""A clock that a test moves by hand."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class HandClock:
    """Stands still until it is moved."""

    def __init__(self, now: datetime = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)) -> None:
        """Start at a Monday morning."""
        self.now = now

    def __call__(self) -> datetime:
        """Return the time it shows."""
        return self.now

    def forward(self, **length: float) -> None:
        """Move it on, by `timedelta`'s own words."""
        self.now += timedelta(**length)
