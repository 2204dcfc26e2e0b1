"""Time in the workspace."""

from __future__ import annotations

import asyncio

import pytest

from sliceway.errors import InvalidRequest
from sliceway.workspace.clock import VirtualClock, seconds_of
from sliceway.workspace.refusals import SlackRefusal
from sliceway.workspace.response_urls import ResponseUrls
from sliceway.workspace.triggers import Triggers


@pytest.mark.parametrize(("written", "seconds"), [("4s", 4), ("15m", 900), ("72h", 259_200), ("7d", 604_800)])
def test_durations_are_read_as_they_are_written(written: str, seconds: float) -> None:
    """The four units mean what the contract says."""
    assert seconds_of(written) == seconds


@pytest.mark.parametrize("written", ["", "15", "m", "-1s", "1w", "1 m", "1m30s", "١s", "99999999s"])
def test_other_durations_are_refused(written: str) -> None:
    """Anything else is refused with the grammar."""
    with pytest.raises(InvalidRequest, match="4s, 15m, 72h or 7d"):
        seconds_of(written)


def test_timestamps_never_repeat() -> None:
    """Messages of one moment get different timestamps, in order."""
    clock = VirtualClock(lambda: 1_700_000_000.0)
    stamps = [clock.stamp() for _ in range(100)]
    assert stamps == sorted(set(stamps))
    assert stamps[0] == "1700000000.000000"


async def test_sleepers_wake_when_time_is_pushed_forward() -> None:
    """Who sleeps five minutes wakes at once when the clock is advanced by as much, and not before."""
    clock = VirtualClock(lambda: 1000.0)
    sleeper = asyncio.create_task(clock.sleep(300))
    await asyncio.sleep(0)
    clock.advance(299)
    await asyncio.sleep(0)
    assert not sleeper.done()
    clock.advance(1)
    await asyncio.wait_for(sleeper, timeout=5)


def test_a_trigger_opens_one_view_within_three_seconds() -> None:
    """A trigger is taken once, for its person; then it is exchanged; after three seconds it is expired."""
    clock = VirtualClock(lambda: 1000.0)
    triggers = Triggers(clock)
    first, late = triggers.mint("UADA"), triggers.mint("UBEN")
    clock.advance(3)
    assert triggers.exchange(first) == "UADA"
    for trigger, error in ((first, "exchanged_trigger_id"), ("1.2.3", "invalid_trigger_id")):
        with pytest.raises(SlackRefusal, match=error):
            triggers.exchange(trigger)
    clock.advance(0.1)
    with pytest.raises(SlackRefusal, match="expired_trigger_id"):
        triggers.exchange(late)


def test_a_response_url_works_five_times_for_half_an_hour() -> None:
    """The sixth use is `used_url`; after half an hour, or if never minted, it is `expired_url`."""
    clock = VirtualClock(lambda: 1000.0)
    urls = ResponseUrls(clock)
    secret, other = urls.mint("UADA", "COPS"), urls.mint("UADA", "COPS")
    for _ in range(5):
        assert urls.use(secret).user == "UADA"
    with pytest.raises(SlackRefusal, match="used_url"):
        urls.use(secret)
    clock.advance(1801)
    for expired in (other, "nonsense"):
        with pytest.raises(SlackRefusal, match="expired_url"):
            urls.use(expired)
