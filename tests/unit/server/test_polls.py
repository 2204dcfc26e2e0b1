"""Long polls look again at their token, and end when the server stops."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from sliceway.core.proposals import Change, Changes, State
from sliceway.errors import Unauthorized
from sliceway.ports import Brain
from sliceway.server.polls import polled
from tests.unit.server.test_buckets import Seconds

NOTHING = Changes((), "c0")
SOMETHING = Changes((Change("p1", "shared", 1, State.PENDING, "2026-01-01T00:00:00Z"),), "c1")


class Feed:
    """A feed that finds something once it is told to, with nobody to wait for."""

    def __init__(self) -> None:
        """Have nothing yet."""
        self.asked: list[dict[str, Any]] = []
        self.waiting, self.found = asyncio.Event(), asyncio.Event()

    async def changes(self, **fields: Any) -> Changes:
        """Wait for something, or say what there is."""
        self.asked.append(fields)
        if fields.get("wait"):
            self.waiting.set()
            await self.found.wait()
        return SOMETHING if self.found.is_set() else NOTHING


class Looks:
    """What a token stands for, look by look; the time between two looks passes at once."""

    def __init__(self, clock: Seconds, *answers: Brain | None) -> None:
        """Answer the looks in turn: after the last, the token is revoked."""
        self.clock, self.answers = clock, list(answers)

    async def again(self) -> Brain | None:
        """Look at the token."""
        if not self.answers:
            raise Unauthorized()
        return self.answers.pop(0)

    async def sleep(self, seconds: float) -> None:
        """Let the time pass."""
        await asyncio.sleep(0)
        self.clock.now += seconds


def brain(feed: Feed) -> Brain:
    """Return the feed as the brain that it is a part of."""
    return cast("Brain", feed)


async def poll(feed: Feed, looks: Looks, *, stopping: asyncio.Event | None = None) -> Changes:
    """Poll a feed for 30 seconds."""
    return await polled(
        brain(feed), {"after": "c", "wait": 30.0}, again=looks.again, stopping=stopping or asyncio.Event(),
        now=looks.clock, sleep=looks.sleep,
    )  # fmt: skip


async def test_br2_an_open_stream_looks_at_its_token_every_two_seconds() -> None:
    """BR2: a token that is revoked meanwhile ends the wait after two seconds at most, as `unauthorized`."""
    clock, feed = Seconds(), Feed()
    began = clock.now
    with pytest.raises(Unauthorized):
        await poll(feed, Looks(clock))
    assert clock.now - began == 2.0
    with pytest.raises(Unauthorized):
        await poll(feed, Looks(clock, None, None, None))
    assert clock.now - began == 2.0 + 4 * 2.0


async def test_a_look_at_the_token_is_no_look_at_the_feed() -> None:
    """However often the token is looked at, the brain is asked once, and waits by itself as long as was said."""
    feed, clock = Feed(), Seconds()
    with pytest.raises(Unauthorized):
        await poll(feed, Looks(clock, *[None] * 9))
    assert feed.asked == [{"after": "c", "wait": 30.0}]


async def test_br2_a_token_that_changed_goes_on_with_what_it_is_now() -> None:
    """BR2: from the look on that finds other rights, it is they that decide what is seen, for the time that is left."""
    before, after, clock = Feed(), Feed(), Seconds()
    after.found.set()
    assert await poll(before, Looks(clock, None, brain(after))) == SOMETHING
    assert after.asked == [{"after": "c", "wait": 26.0}]


async def test_what_is_found_ends_a_poll_at_once() -> None:
    """The wait ends with the change."""
    feed = Feed()
    feed.found.set()
    assert await poll(feed, Looks(Seconds())) == SOMETHING


async def test_op4_a_stop_ends_a_poll_at_once_with_what_there_is() -> None:
    """OP4: nobody waits for a server that stops; the answer is a good one, with a cursor to go on from."""
    feed, stopping = Feed(), asyncio.Event()
    stopping.set()
    assert await poll(feed, Looks(Seconds()), stopping=stopping) == NOTHING
    assert feed.asked[-1] == {"after": "c"}
