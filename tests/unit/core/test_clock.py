"""Times and durations as people and the store write them (FA12, FA13)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sliceway.core.clock import duration_text, duration_words, from_text, parse_duration, parse_time, to_text
from sliceway.errors import InvalidRequest, InvalidTime

GOOD = [
    ("2026-05-04T09:30:00Z", "2026-05-04T09:30:00.000000Z"),
    ("2026-05-04t09:30:00z", "2026-05-04T09:30:00.000000Z"),
    ("2026-05-04 09:30:00Z", "2026-05-04T09:30:00.000000Z"),
    (" 2026-05-04T09:30:00Z ", "2026-05-04T09:30:00.000000Z"),
    ("2026-05-04T09:30:00+02:00", "2026-05-04T07:30:00.000000Z"),
    ("2026-05-04T00:30:00+02:00", "2026-05-03T22:30:00.000000Z"),
    ("2026-05-04T09:30:00-00:00", "2026-05-04T09:30:00.000000Z"),
    ("2026-05-04T09:30:00+23:59", "2026-05-03T09:31:00.000000Z"),
    ("2026-05-04T09:30:00.5Z", "2026-05-04T09:30:00.500000Z"),
    ("2026-05-04T09:30:00.123456789Z", "2026-05-04T09:30:00.123456Z"),
    ("2026-05-04T09:30:00.999999999Z", "2026-05-04T09:30:00.999999Z"),
    ("2024-02-29", "2024-02-29T00:00:00.000000Z"),
    ("0001-01-01", "0001-01-01T00:00:00.000000Z"),
]

BAD = [
    "", " ", "yesterday", "now", "2026", "2026-06", "2026-W23-1", "2026-W23", "2026-123", "20260504",
    "20260504T093000Z",
    "2026-05-04T09:30:00", "2026-05-04T09:30Z", "2026-05-04T24:00:00Z", "2026-05-04T23:59:60Z", "2026-05-04T09:60:00Z",
    "2026-02-29", "2026-02-30T00:00:00Z", "2026-13-01", "2026-00-10", "0000-01-01", "2026-05-04T09:30:00.Z",
    "2026-05-04T09:30:00.1234567890Z", "2026-05-04T09:30:00,5Z", "2026-05-04T09:30:00+0200", "2026-05-04T09:30:00+02",
    "2026-05-04T09:30:00+24:00", "2026-05-04T09:30:00+02:60", "2026-05-04T09:30:00 Z", "2026-05-04T09:30:00UTC",
    "2026-05-04T09:30:00Z\n2026-05-05T09:30:00Z", "٢٠٢٦-٠٥-٠٤", "2026-05-04T09:30:00−02:00", "1777887000",
    "9999-12-31T23:59:59-00:01", "0001-01-01T00:00:00+00:01", "12026-05-04", "-2026-05-04", "2026-05-04\0",
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), GOOD)
def test_fa12_accepted_times(text: str, expected: str) -> None:
    """FA12: RFC 3339 with a zone, fractions to nine digits kept to microseconds, or a plain date."""
    assert to_text(parse_time(text)) == expected


@pytest.mark.parametrize("text", BAD)
def test_fa12_refused_times(text: str) -> None:
    """FA12: everything else is refused with the grammar or the reason, overflow of UTC included."""
    with pytest.raises(InvalidTime) as caught:
        parse_time(text)
    assert (caught.value.code, caught.value.status) == ("invalid_time", 422)
    assert caught.value.detail


def test_fa13_a_plain_date_may_mean_its_end() -> None:
    """FA13: a plain date in `as_of` is the end of that day in UTC; a full time means itself."""
    assert to_text(parse_time("2026-05-04", end_of_day=True)) == "2026-05-04T23:59:59.999999Z"
    assert to_text(parse_time("2026-05-04T09:30:00Z", end_of_day=True)) == "2026-05-04T09:30:00.000000Z"


zones = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
moments = st.datetimes(datetime(1, 1, 3), datetime(9999, 12, 29), timezones=zones | st.just(UTC))  # noqa: DTZ001 - naive on purpose


@given(moments, moments)
def test_texts_sort_as_times_do(one: datetime, other: datetime) -> None:
    """A stored time has one form, gives the same moment back, and texts compare as moments do, in any year."""
    texts = to_text(one), to_text(other)
    assert (from_text(texts[0]), parse_time(texts[0])) == (one, one)
    assert {len(text) for text in texts} == {27}
    assert (texts[0] < texts[1]) == (one < other)


@given(moments)
def test_fa12_what_python_writes_is_read(moment: datetime) -> None:
    """FA12: a moment with any zone, as programs write it, is that moment."""
    assert parse_time(moment.isoformat()) == moment


def test_a_time_without_a_zone_is_never_stored() -> None:
    """A naive time is refused, never read in the machine's own zone."""
    with pytest.raises(ValueError, match="without a zone"):
        to_text(datetime(2026, 5, 4))  # noqa: DTZ001 - naive on purpose


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("4s", 4), ("15m", 900), ("72h", 259_200), ("7d", 604_800), ("0", 0), ("0s", 0), (" 1h ", 3600), ("90m", 5400)],
)
def test_durations(text: str, seconds: int) -> None:
    """A duration is a whole number and s, m, h or d; `0` alone is none at all."""
    assert parse_duration(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "text", ["", "5", "1.5h", "-1h", "1 h", "1w", "1H", "h", "1h30m", "1234567s", "٣h", "1h\n2h", "P1D"]
)
def test_other_durations_are_refused(text: str) -> None:
    """Another spelling is refused in words that show the right one."""
    with pytest.raises(InvalidRequest, match="write 4s, 15m, 72h or 7d"):
        parse_duration(text)


@given(st.integers(0, 999_999), st.sampled_from("smhd"))
def test_a_duration_written_is_read_back(count: int, unit: str) -> None:
    """What is shown of a length of whole seconds means that length, in the largest unit that holds it."""
    length = parse_duration(f"{count}{unit}")
    shown = duration_text(length)
    assert parse_duration(shown) == length
    assert len(shown) <= len(f"{count}{unit}")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("8h", "8 hours"),
        ("1h", "1 hour"),
        ("90m", "90 minutes"),
        ("24h", "1 day"),
        ("1s", "1 second"),
        ("0", "0 seconds"),
    ],
)
def test_people_are_told_a_duration_in_words(text: str, said: str) -> None:
    """What a person reads has the unit's name, in the singular for one."""
    assert duration_words(parse_duration(text)) == said
