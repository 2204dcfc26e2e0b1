"""Deliveries in order within a thread and side by side across threads, on a real desk."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from sliceway.errors import Unavailable
from sliceway.flows.dispatch import Dispatcher
from sliceway.flows.parts import GatewayConfig
from sliceway.ports import Desk, InboxItem
from sliceway.store.desk import open_desk
from tests.fakes.clock import HandClock
from tests.fakes.waiting import until

CONFIG = GatewayConfig(tick_s=0.02, lease_s=60.0)


class Handler:
    """Holds every item until it is let go, and remembers the order."""

    def __init__(self) -> None:
        """Begin with nothing let go."""
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.doors: dict[str, asyncio.Event] = {}
        self.changed = asyncio.Condition()

    async def __call__(self, item: InboxItem) -> None:
        """Begin, wait for the door, end."""
        await self._note(self.begun, item.key)
        await self.door(item.key).wait()
        await self._note(self.ended, item.key)

    def door(self, key: str) -> asyncio.Event:
        """Return what an item waits for."""
        return self.doors.setdefault(key, asyncio.Event())

    async def _note(self, where: list[str], key: str) -> None:
        async with self.changed:
            where.append(key)
            self.changed.notify_all()

    async def until(self, where: list[str], *keys: str) -> None:
        """Wait until every key is there."""
        async with self.changed, asyncio.timeout(10):
            await self.changed.wait_for(lambda: set(keys) <= set(where))


@pytest.fixture
def clock() -> HandClock:
    """A clock moved by hand."""
    return HandClock()


@pytest.fixture
async def desk(tmp_path: Path, clock: HandClock) -> AsyncIterator[Desk]:
    """A real desk."""
    desk = await open_desk(f"sqlite:///{tmp_path}/desk.db", clock=clock)
    yield desk
    await desk.close()


async def put(desk: Desk, key: str, queue: str, kind: str = "turn") -> None:
    """Put one delivery."""
    assert await desk.put_event(key=key, queue=queue, kind=kind, payload={})


async def empty(desk: Desk) -> None:
    """Wait until nothing waits or runs."""

    async def is_empty() -> bool:
        return await desk.inbox_depth() == 0

    await until(is_empty)


async def test_t14_a_thread_keeps_its_order_and_threads_do_not_wait_for_each_other(desk: Desk) -> None:
    """T14: the second message of a thread begins when the first has ended; another thread's begins at once."""
    handler = Handler()
    for key, queue in (("a1", "a"), ("a2", "a"), ("b1", "b")):
        await put(desk, key, queue)
    turns = Dispatcher(desk, "h", CONFIG, name="turns", handlers={"turn": handler})
    turns.start()
    await handler.until(handler.begun, "a1", "b1")
    assert "a2" not in handler.begun
    handler.door("a1").set()
    await handler.until(handler.begun, "a2")
    for key in ("a2", "b1"):
        handler.door(key).set()
    await handler.until(handler.ended, "a1", "a2", "b1")
    await empty(desk)
    await turns.stop(5)


async def test_clicks_never_wait_behind_a_turn(desk: Desk) -> None:
    """However many turns run, a click is taken by workers of its own."""
    slow, quick = Handler(), Handler()
    narrow = GatewayConfig(tick_s=0.02, lease_s=60.0, at_most=1)
    turns = Dispatcher(desk, "h", narrow, name="turns", handlers={"turn": slow})
    clicks = Dispatcher(desk, "h", narrow, name="clicks", handlers={"click": quick})
    for number in range(3):
        await put(desk, f"t{number}", f"q{number}")
    turns.start()
    clicks.start()
    await slow.until(slow.begun, "t0")
    await put(desk, "c", "c", "click")
    clicks.kick()
    quick.door("c").set()
    await quick.until(quick.ended, "c")
    assert slow.begun == ["t0"]
    for number in range(3):
        slow.door(f"t{number}").set()
    await empty(desk)
    await turns.stop(5)
    await clicks.stop(5)


async def test_after_three_failures_the_thread_goes_on(desk: Desk, clock: HandClock) -> None:
    """A message that fails three times is a dead letter, its person is told once, and the next is handled."""
    told: list[str] = []
    tries: list[int] = []
    handled = asyncio.Event()

    async def handler(item: InboxItem) -> None:
        if item.key == "bad":
            tries.append(item.attempts)
            raise LookupError("a bug")
        handled.set()

    async def tell(item: InboxItem, error: Exception) -> None:
        told.append(item.key)

    await put(desk, "bad", "a")
    await put(desk, "good", "a")
    turns = Dispatcher(desk, "h", CONFIG, name="turns", handlers={"turn": handler}, on_dead=tell)
    turns.start()

    async def goes_on() -> bool:
        clock.forward(seconds=1)
        turns.kick()
        return handled.is_set()

    await until(goes_on)
    await empty(desk)
    await turns.stop(5)
    assert tries == [0, 1, 2]
    assert told == ["bad"]
    (dead,) = await desk.dead_letters()
    assert (dead.key, dead.error) == ("bad", "LookupError")


async def test_an_outage_is_a_failure_only_to_what_a_person_waits_for(desk: Desk, clock: HandClock) -> None:
    """A click that finds the brain down for half a minute is given up, so that its person hears of it; an observation
    waits until the brain is back."""
    seen: list[str] = []
    told: list[str] = []

    async def handler(item: InboxItem) -> None:
        seen.append(item.key)
        if seen.count("o") < 8:
            raise Unavailable

    async def tell(item: InboxItem, error: Exception) -> None:
        told.append(item.key)

    await put(desk, "c", "c", "click")
    await put(desk, "o", "o", "observed")
    both = {"click": handler, "observed": handler}
    quick = Dispatcher(desk, "h", CONFIG, name="quick", handlers=both, on_dead=tell, awaited=("click",))
    quick.start()

    async def is_over() -> bool:
        clock.forward(seconds=11)
        quick.kick()
        return await desk.inbox_depth() == 0

    await until(is_over)
    await quick.stop(5)
    assert (told, seen.count("o")) == (["c"], 8)
    assert [dead.key for dead in await desk.dead_letters()] == ["c"]


async def test_a_message_whose_process_died_three_times_is_not_tried_for_ever(desk: Desk, clock: HandClock) -> None:
    """What kills the process each time becomes a dead letter too, without being handled again."""
    handler = Handler()
    await put(desk, "deadly", "a")
    for _ in range(3):
        assert await desk.take_turn(holder="dies", lease_s=1)
        clock.forward(seconds=2)
    turns = Dispatcher(desk, "h", CONFIG, name="turns", handlers={"turn": handler})
    turns.start()
    await empty(desk)
    await turns.stop(5)
    assert handler.begun == []
    assert [dead.error for dead in await desk.dead_letters()] == ["died_working"]


async def test_op4_a_stop_lets_what_runs_finish_and_leaves_the_rest(desk: Desk) -> None:
    """OP4: what runs finishes, what was not begun stays on the desk, and nothing is lost."""
    handler = Handler()
    await put(desk, "a1", "a")
    await put(desk, "a2", "a")
    turns = Dispatcher(desk, "h", CONFIG, name="turns", handlers={"turn": handler})
    turns.start()
    await handler.until(handler.begun, "a1")
    stopping = asyncio.create_task(turns.stop(10))
    await asyncio.sleep(0)
    handler.door("a1").set()
    await stopping
    assert handler.ended == ["a1"]
    assert handler.begun == ["a1"]
    assert await desk.inbox_depth() == 1


async def test_op4_what_is_too_slow_for_the_deadline_is_taken_again(desk: Desk, clock: HandClock) -> None:
    """OP4: a turn cut off by the deadline stays on the desk and runs again, known to be a second try."""
    handler = Handler()
    await put(desk, "a1", "a")
    turns = Dispatcher(desk, "h", CONFIG, name="turns", handlers={"turn": handler})
    turns.start()
    await handler.until(handler.begun, "a1")
    await turns.stop(0.01)
    assert handler.ended == []
    clock.forward(seconds=61)
    again = await desk.take_turn(holder="next", lease_s=5)
    assert again is not None
    assert again.attempts == 1
