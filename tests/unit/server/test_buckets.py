"""So many calls a second and a burst, in bounded memory."""

from __future__ import annotations

from sliceway.server.buckets import Buckets, whole_seconds


class Seconds:
    """A clock in seconds that stands until it is moved."""

    def __init__(self) -> None:
        """Begin at an odd time."""
        self.now = 1234.5

    def __call__(self) -> float:
        """Return the time."""
        return self.now


def test_a_burst_then_the_rate() -> None:
    """Twice the rate at once, then as many as time brings back; a refused call costs nothing."""
    clock = Seconds()
    buckets = Buckets(10, now=clock)
    assert [bool(buckets.wait(b"a")) for _ in range(21)] == [False] * 20 + [True]
    assert 0 < buckets.wait(b"a") <= 0.1
    clock.now += 0.5
    assert [bool(buckets.wait(b"a")) for _ in range(6)] == [False] * 5 + [True]
    clock.now += 3600
    assert [bool(buckets.wait(b"a")) for _ in range(21)] == [False] * 20 + [True]


def test_one_callers_calls_cost_no_other() -> None:
    """Each caller has a bucket of its own."""
    buckets = Buckets(1, now=Seconds())
    assert [bool(buckets.wait(b"a")) for _ in range(3)] == [False, False, True]
    assert not buckets.wait(b"b")


def test_looking_takes_nothing() -> None:
    """A look at a bucket leaves it as it is, and remembers nobody."""
    buckets = Buckets(1, now=Seconds())
    assert [buckets.wait(b"a", take=False) for _ in range(9)] == [0.0] * 9
    assert len(buckets) == 0


def test_memory_is_bounded_however_many_call() -> None:
    """The caller that was away the longest is forgotten first."""
    buckets = Buckets(1, now=Seconds(), most=100)
    for number in range(1000):
        buckets.wait(b"%d" % number)
    assert len(buckets) == 100
    assert b"999" in buckets
    assert b"899" not in buckets


def test_a_wait_is_told_in_whole_seconds() -> None:
    """`Retry-After` is never 0."""
    assert [whole_seconds(wait) for wait in (0.001, 1.0, 1.2)] == [1, 1, 2]
