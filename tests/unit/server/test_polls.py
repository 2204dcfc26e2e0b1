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
    """A feed whose waits take no time, and which may hold one for ever."""

    def __init__(self, clock: Seconds, *, found_at: float = float("inf"), for_ever: bool = False) -> None:
        """Find something from a time on."""
        self.clock = clock
        self.found_at = clock.now + found_at
        self.for_ever = for_ever
        self.asked: list[dict[str, Any]] = []
        self.waiting = asyncio.Event()

    async def changes(self, **fields: Any) -> Changes:
        """Let the wait pass, and say what there is."""
        self.asked.append(fields)
        if fields.get("wait") and self.for_ever:
            self.waiting.set()
            await asyncio.Event().wait()
        self.clock.now += fields.get("wait", 0.0)
        return SOMETHING if self.clock.now >= self.found_at else NOTHING


async def poll(feed: Feed, *, wait: float, stopping: asyncio.Event, again: Any = None) -> Changes:
    """Poll a feed."""

    async def same() -> Brain:
        return cast("Brain", feed)

    return await polled(
        cast("Brain", feed), {"after": "c", "wait": wait}, again=again or same, stopping=stopping, now=feed.clock
    )


async def test_br2_an_open_stream_looks_at_its_token_every_two_seconds() -> None:
    """BR2: a token that is revoked meanwhile ends the wait after two seconds at most, as `unauthorized`."""
    feed = Feed(Seconds())
    began = feed.clock.now

    async def revoked() -> Brain:
        raise Unauthorized()

    with pytest.raises(Unauthorized):
        await poll(feed, wait=30, stopping=asyncio.Event(), again=revoked)
    assert feed.clock.now - began == 2.0


async def test_a_poll_waits_as_long_as_it_was_told_and_no_longer() -> None:
    """The waits add up to what was asked for; what is found ends it early."""
    feed = Feed(Seconds())
    assert await poll(feed, wait=5, stopping=asyncio.Event()) == NOTHING
    assert [each["wait"] for each in feed.asked] == [2.0, 2.0, 1.0]
    found = Feed(Seconds(), found_at=3)
    assert await poll(found, wait=60, stopping=asyncio.Event()) == SOMETHING
    assert len(found.asked) == 2


async def test_op4_a_stop_ends_a_poll_at_once_with_what_there_is() -> None:
    """OP4: nobody waits for a server that stops; the answer is a good one, with a cursor to go on from."""
    feed, stopping = Feed(Seconds(), for_ever=True), asyncio.Event()
    waits = asyncio.ensure_future(poll(feed, wait=60, stopping=stopping))
    await feed.waiting.wait()
    stopping.set()
    assert await asyncio.wait_for(waits, 5) == NOTHING
    assert feed.asked[-1] == {"after": "c"}
