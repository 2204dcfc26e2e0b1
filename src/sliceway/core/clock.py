"""Times as the product writes and reads them: UTC, microseconds, RFC 3339; durations as `15m`."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from sliceway.errors import InvalidRequest, InvalidTime

_RFC3339 = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?([Zz]|[+-]\d\d:[0-5]\d)", re.ASCII
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_DURATION = re.compile(r"(\d{1,6})(s|m|h|d)", re.ASCII)
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days"}


def to_text(moment: datetime) -> str:
    """Return `moment` in UTC with exactly four digits of year and six of fraction, so that texts sort as times do.

    :raises ValueError: it has no zone.
    """
    if moment.tzinfo is None:
        raise ValueError("a time without a zone is no moment")
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def from_text(text: str) -> datetime:
    """Return the moment that `to_text` wrote."""
    return datetime.fromisoformat(text).astimezone(UTC)


def minute_words(text: str) -> str:
    """Return a moment that `to_text` wrote as people read it, to the minute: "4 May 2026, 09:30 UTC"."""
    at = from_text(text)
    return f"{at.day} {at:%B %Y, %H:%M} UTC"


def parse_time(text: str, *, end_of_day: bool = False) -> datetime:
    """Return the moment that a caller gave (FA12).

    :param text: RFC 3339 with a zone, fractions to 9 digits kept to microseconds; or a plain date.
    :param end_of_day: a plain date means the last microsecond of that day in UTC, else its first.
    :raises InvalidTime: anything else, or a time that UTC cannot hold.
    """
    cleaned = text.strip()
    if _DATE.fullmatch(cleaned):
        try:
            day = date.fromisoformat(cleaned)
        except ValueError:
            raise InvalidTime(f"'{cleaned}' is no day of the calendar.") from None
        return datetime.combine(day, time.max if end_of_day else time.min, UTC)
    if (match := _RFC3339.fullmatch(cleaned)) is None:
        raise InvalidTime()
    year, month, day_, hour, minute, second, fraction, zone = match.groups()
    if hour == "24":  # some versions of Python read it as the next day's 00
        raise InvalidTime()
    offset = "+00:00" if zone in "Zz" else zone
    micro = (fraction or "").ljust(6, "0")[:6]
    try:
        moment = datetime.fromisoformat(f"{year}-{month}-{day_}T{hour}:{minute}:{second}.{micro}{offset}")
        return moment.astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidTime() from None


def parse_duration(text: str) -> timedelta:
    """Return the length that `4s`, `15m`, `72h`, `7d` or `0` says.

    :raises InvalidRequest: it is written otherwise.
    """
    cleaned = text.strip()
    if cleaned == "0":
        return timedelta()
    if (match := _DURATION.fullmatch(cleaned)) is None:
        raise InvalidRequest(f"'{cleaned[:40]}' is not a duration; write 4s, 15m, 72h or 7d.")
    return timedelta(**{_UNITS[match[2]]: int(match[1])})


def duration_text(length: timedelta) -> str:
    """Return `length` as `parse_duration` reads it, in the largest unit that holds it whole."""
    seconds = int(length.total_seconds())
    for unit, size in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds and seconds % size == 0:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"


def duration_words(length: timedelta) -> str:
    """Return `length` as people say it, `8 hours`, in the largest unit that holds it whole."""
    text = duration_text(length)
    count, noun = text[:-1], {"d": "day", "h": "hour", "m": "minute", "s": "second"}[text[-1]]
    return f"{count} {noun}" if count == "1" else f"{count} {noun}s"
