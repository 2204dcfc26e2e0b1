"""One message a second and channel, a burst first, on a clock moved by hand (T12)."""

from __future__ import annotations

import pytest

from sliceway.errors import ChatError
from sliceway.ports.chat import PACED
from sliceway.slack.pace import ChannelPace


class Hands:
    """A clock that only waiting moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture
def hands() -> Hands:
    return Hands()


@pytest.fixture
def pace(hands: Hands) -> ChannelPace:
    return ChannelPace(clock=hands, sleep=hands.sleep)


async def refused(pace: ChannelPace, channel: str = "C1") -> float:
    """Ask for a turn that is not given, and return when to come again."""
    with pytest.raises(ChatError) as caught:
        await pace(channel)
    assert caught.value.reason == PACED
    assert caught.value.ambiguous is False
    assert caught.value.retry_after is not None
    return caught.value.retry_after


async def test_t12_a_burst_goes_at_once_and_then_one_a_second(pace: ChannelPace, hands: Hands) -> None:
    """T12: a quiet channel takes five messages at once; each one after that comes a second later."""
    for _ in range(5):
        await pace("C1")
    assert hands.now == 100.0
    for later in (1.0, 2.0, 3.0):
        await pace("C1")
        assert hands.now == 100.0 + later


async def test_t12_a_minute_holds_no_more_than_a_burst_and_sixty(pace: ChannelPace, hands: Hands) -> None:
    """T12: whoever comes again when told to gets a turn, and no minute sees more than the burst and one a second."""
    sent = 0
    while hands.now < 160.0:
        try:
            await pace("C1")
            sent += 1
        except ChatError as error:
            hands.now += error.retry_after or 0.0
    assert 60 <= sent <= 66


async def test_t12_a_full_channel_holds_up_nobody_else(pace: ChannelPace, hands: Hands) -> None:
    """T12: while one channel waits, those who want it are sent away with times a second apart, and another channel's
    message goes at once."""
    pace.hold("C1", 30)
    waits = [await refused(pace) for _ in range(4)]
    assert waits == [30.0, 31.0, 32.0, 33.0]
    await pace("C2")
    assert hands.now == 100.0


async def test_t12_retry_after_is_kept_and_then_forgotten(pace: ChannelPace, hands: Hands) -> None:
    """T12: after `Retry-After` nothing goes before its time; when it has passed, the channel has its turns again."""
    await pace("C1")
    pace.hold("C1", 7)
    assert await refused(pace) == 7.0
    hands.now += 7.0
    await pace("C1")
    assert hands.now == 107.0
