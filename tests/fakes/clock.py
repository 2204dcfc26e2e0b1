"""A clock and ids that a test holds in its hand."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import count

from sliceway.core.clock import parse_duration, to_text
from sliceway.ports import NewId

_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


class HandClock:
    """A `Clock` that stands still until it is moved."""

    def __init__(self, start: datetime = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)) -> None:
        """Begin at `start`."""
        self.now = start

    def __call__(self) -> datetime:
        """Return the time now."""
        return self.now

    @property
    def text(self) -> str:
        """The time now as the store writes it."""
        return to_text(self.now)

    def advance(self, length: str | timedelta) -> datetime:
        """Move on by a `timedelta` or by what `15m` or `72h` says; return the new time."""
        self.now += length if isinstance(length, timedelta) else parse_duration(length)
        return self.now

    def forward(self, **length: float) -> datetime:
        """Move on, by `timedelta`'s own words; return the new time."""
        return self.advance(timedelta(**length))


def ids(start: int = 1) -> NewId:
    """Return a `NewId` that counts from `start`, in the form of a ULID."""
    numbers: Iterator[int] = count(start)

    def new_id() -> str:
        number, text = next(numbers), ""
        for _ in range(26):
            number, digit = divmod(number, 32)
            text = _CROCKFORD[digit] + text
        return text

    return new_id
