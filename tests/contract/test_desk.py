"""What every desk promises, written against the port: on a file, and on PostgreSQL beside a brain's tables."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import pytest

from sliceway.core.turns import Lock, Person, Place, PlaceKind
from sliceway.ports import Clock, Desk
from sliceway.store.desk import open_desk
from tests.fakes.clock import HandClock

Open = Callable[[Clock], Awaitable[Desk]]
ANN = Person("T1", "U1", name="Ann")
ROOM = Place("slack", "T1", "C1", thread="1.0")
DM = Place("slack", "T1", "D1", thread="5.0", kind=PlaceKind.IM)


@pytest.fixture
def clock() -> HandClock:
    """A clock moved by hand."""
    return HandClock()


@pytest.fixture
def opened(desk_address: str) -> Open:
    """Opens the same desk again and again."""

    async def again(clock: Clock) -> Desk:
        return await open_desk(desk_address, clock=clock)

    return again


@pytest.fixture
async def desk(opened: Open, clock: HandClock) -> AsyncIterator[Desk]:
    """A desk with nothing on it."""
    desk = await opened(clock)
    yield desk
    await desk.close()


async def put(desk: Desk, key: str, queue: str = "q") -> bool:
    """Put one delivery."""
    return await desk.put_event(key=key, queue=queue, kind="turn", payload={"text": f"text of {key}"})


async def test_r1_a_known_key_is_put_once(desk: Desk, clock: HandClock) -> None:
    """R1: the same delivery again, waiting or done for less than 48 hours, changes nothing; later it is new."""
    assert await put(desk, "a")
    assert not await put(desk, "a")
    await desk.take_turn(holder="h", lease_s=5)
    await desk.finish("a")
    clock.forward(hours=47)
    assert not await put(desk, "a")
    clock.forward(hours=2)
    assert await put(desk, "a")


async def test_items_of_a_queue_are_taken_in_order_and_queues_go_side_by_side(desk: Desk) -> None:
    """A queue gives its next item when the one before is finished; other queues do not wait for it."""
    for key, queue in (("a1", "a"), ("a2", "a"), ("b1", "b")):
        await put(desk, key, queue)
    first, second = [await desk.take_turn(holder="h", lease_s=5) for _ in "ab"]
    assert first is not None
    assert second is not None
    assert (first.key, second.key) == ("a1", "b1")
    assert first.payload == {"text": "text of a1"}
    assert await desk.take_turn(holder="h", lease_s=5) is None
    await desk.finish("a1")
    third = await desk.take_turn(holder="h", lease_s=5)
    assert third is not None
    assert third.key == "a2"


async def test_br6_an_item_whose_lease_ended_is_taken_again_before_its_followers(desk: Desk, clock: HandClock) -> None:
    """BR6: a turn whose process died is taken again, with one attempt more, and before later ones of its thread."""
    await put(desk, "a1")
    await put(desk, "a2")
    await desk.take_turn(holder="dead", lease_s=5)
    clock.forward(seconds=6)
    again = await desk.take_turn(holder="alive", lease_s=5)
    assert again is not None
    assert (again.key, again.attempts) == ("a1", 1)


async def test_a_renewed_lease_holds(desk: Desk, clock: HandClock) -> None:
    """Whoever renews keeps the item; whoever lost it is told."""
    await put(desk, "a")
    item = await desk.take_turn(holder="h", lease_s=5)
    assert item is not None
    clock.forward(seconds=4)
    assert await desk.renew(item, holder="h", lease_s=5)
    clock.forward(seconds=4)
    assert await desk.take_turn(holder="other", lease_s=5) is None
    clock.forward(seconds=2)
    assert await desk.take_turn(holder="other", lease_s=5) is not None
    assert not await desk.renew(item, holder="h", lease_s=5)


async def test_after_three_failures_an_item_is_a_dead_letter_and_its_queue_goes_on(
    desk: Desk, clock: HandClock
) -> None:
    """OP3: what failed three times shows key, kind and error, no text, and the next of its thread is taken."""
    await put(desk, "a1")
    await put(desk, "a2")
    for attempt in range(3):
        item = await desk.take_turn(holder="h", lease_s=5)
        assert item is not None
        assert (item.key, item.attempts) == ("a1", attempt)
        assert await desk.fail("a1", "unavailable", retry_s=1) == (attempt == 2)
        assert (await desk.take_turn(holder="h", lease_s=5) is None) == (attempt < 2)
        clock.forward(seconds=1)
    (dead,) = await desk.dead_letters()
    assert (dead.key, dead.kind, dead.error) == ("a1", "turn", "unavailable")
    assert await desk.inbox_depth() == 1


async def test_nothing_is_owed_twice(desk: Desk, clock: HandClock) -> None:
    """AP3: one key is owed once, whether it waits, is held or was settled; an ended lease gives it out again."""
    assert await desk.owe(key="k", kind="card", payload={"id": "p"})
    assert not await desk.owe(key="k", kind="card", payload={"id": "p"})
    held = await desk.take_owed(holder="h", lease_s=5)
    assert held is not None
    assert held.payload == {"id": "p"}
    clock.forward(seconds=6)
    again = await desk.take_owed(holder="h2", lease_s=5)
    assert again is not None
    assert again.attempts == 1
    await desk.settle("k")
    assert not await desk.owe(key="k", kind="card", payload={"id": "p"})
    assert await desk.take_owed(holder="h", lease_s=5) is None


async def test_what_is_given_up_is_a_dead_letter_and_frees_its_lane(desk: Desk) -> None:
    """OP3: what is owed and given up shows its key, kind and reason, is not owed again, and holds nothing back."""
    for key in ("x1", "x2"):
        await desk.owe(key=key, kind="reply", payload={"text": "wombat"}, lane="x")
    await desk.give_up("x1", "is_archived")
    (letter,) = await desk.dead_letters()
    assert (letter.key, letter.kind, letter.error) == ("x1", "reply", "is_archived")
    assert not await desk.owe(key="x1", kind="reply", payload={}, lane="x")
    held = await desk.take_owed(holder="h", lease_s=5)
    assert held is not None
    assert held.key == "x2"


async def test_asking_who_holds_a_name_changes_nothing(desk: Desk, clock: HandClock) -> None:
    """A name is held while its lease runs; to ask neither takes nor prolongs it."""
    assert not await desk.is_held("n")
    assert await desk.lease("n", holder="a", lease_s=5)
    assert await desk.is_held("n")
    clock.forward(seconds=5)
    assert not await desk.is_held("n")
    assert await desk.lease("n", holder="b", lease_s=5)


async def test_a_lane_keeps_its_order_through_a_postponement(desk: Desk, clock: HandClock) -> None:
    """What is postponed holds back its own lane and no other."""
    for key, lane in (("x1", "x"), ("x2", "x"), ("y1", "y")):
        await desk.owe(key=key, kind="reply", payload={}, lane=lane)
    first = await desk.take_owed(holder="h", lease_s=5)
    assert first is not None
    assert first.key == "x1"
    await desk.postpone("x1", seconds=30)
    assert await desk.owed_depth() == 1
    second = await desk.take_owed(holder="h", lease_s=5)
    assert second is not None
    assert second.key == "y1"
    assert await desk.take_owed(holder="h", lease_s=5) is None
    clock.forward(seconds=31)
    third = await desk.take_owed(holder="h", lease_s=5)
    assert third is not None
    assert (third.key, third.attempts) == ("x1", 1)


async def test_only_the_kinds_asked_for_are_given(desk: Desk) -> None:
    """A worker of one kind of debt is not given another."""
    await desk.owe(key="a", kind="card", payload={})
    await desk.owe(key="b", kind="reply", payload={})
    item = await desk.take_owed(holder="h", lease_s=5, kinds=("reply",))
    assert item is not None
    assert item.key == "b"


async def test_oo3_a_lock_lives_until_it_is_idle(desk: Desk, clock: HandClock) -> None:
    """OO3: a thread's lock keeps owner, place, where it began and since when; a touch prolongs it; idle, it is gone."""
    at, until = "2026-05-04T09:30:00.000000Z", "2026-05-04T17:30:00.000000Z"
    lock = Lock(ANN, DM, began_in=ROOM, since=at, idle_until=until)
    assert await desk.lock(lock) == lock
    other = Lock(Person("T1", "U2"), DM, since=at, idle_until=until)
    assert await desk.lock(other) == lock
    assert await desk.locks(ANN) == (lock,)
    assert await desk.locks(Person("T1", "U2")) == ()
    await desk.touch(DM, idle_until="2026-05-04T20:00:00.000000Z")
    clock.forward(hours=9)
    standing = await desk.lock_at(DM)
    assert standing is not None
    assert standing.owner == ANN
    assert standing.began_in == ROOM
    assert await desk.lapsed_at(DM) is None
    clock.forward(hours=2)
    assert await desk.lock_at(DM) is None
    lapsed = await desk.lapsed_at(DM)
    assert lapsed is not None
    assert lapsed.owner == ANN
    assert await desk.unlock(DM) is None
    assert await desk.lapsed_at(DM) is None


async def test_leases_and_cursors(desk: Desk, clock: HandClock) -> None:
    """A name has one holder until its lease ends; a cursor is what was last put there."""
    assert await desk.lease("feed", holder="a", lease_s=5)
    assert not await desk.lease("feed", holder="b", lease_s=5)
    assert await desk.lease("feed", holder="a", lease_s=5)
    clock.forward(seconds=6)
    assert await desk.lease("feed", holder="b", lease_s=5)
    assert await desk.cursor("changes") is None
    await desk.move_cursor("changes", "7")
    await desk.move_cursor("changes", "9")
    assert await desk.cursor("changes") == "9"


async def test_the_turns_of_a_thread_are_remembered_by_person(desk: Desk) -> None:
    """A thread's turns come back newest first, for that person alone; a plain direct message is one conversation."""
    for turn in ("t1", "t2", "t2"):
        await desk.note_turn(ROOM, ANN, turn)
    await desk.note_turn(ROOM, Person("T1", "U2"), "t3")
    assert await desk.turns_in(ROOM, ANN) == ("t2", "t1")
    await desk.note_turn(DM, ANN, "d1")
    later = Place("slack", "T1", "D1", thread="6.0", kind=PlaceKind.IM)
    assert await desk.turns_in(later, ANN) == ("d1",)


async def test_everything_is_there_after_a_reopening(opened: Open, clock: HandClock) -> None:
    """Every call is durable when it returns."""
    desk = await opened(clock)
    await put(desk, "a")
    await desk.owe(key="k", kind="card", payload={"id": "p"})
    await desk.lock(Lock(ANN, DM, idle_until="2026-05-04T17:30:00.000000Z"))
    await desk.move_cursor("changes", "7")
    await desk.close()
    desk = await opened(clock)
    item, debt = await desk.take_turn(holder="h", lease_s=5), await desk.take_owed(holder="h", lease_s=5)
    assert item is not None
    assert item.payload == {"text": "text of a"}
    assert debt is not None
    assert debt.payload == {"id": "p"}
    assert await desk.lock_at(DM) is not None
    assert await desk.cursor("changes") == "7"
    await desk.close()


async def test_what_an_outage_delays_counts_no_attempt(desk: Desk, clock: HandClock) -> None:
    """What is delayed or not even begun keeps its count of attempts, is due later, and tells that it runs again."""
    await put(desk, "a1")
    assert (await desk.take_turn(holder="h", lease_s=9)) is not None
    await desk.delay("a1", "unavailable", retry_s=5)
    assert await desk.take_turn(holder="h", lease_s=9) is None
    clock.forward(seconds=6)
    item = await desk.take_turn(holder="h", lease_s=9)
    assert item is not None
    assert (item.attempts, item.again) == (0, True)
    await desk.owe(key="x", kind="reply", payload={})
    for tried, attempts in ((False, 0), (True, 1)):
        assert await desk.take_owed(holder="h", lease_s=9)
        await desk.postpone("x", seconds=0, tried=tried)
        owed = await desk.take_owed(holder="h", lease_s=9)
        assert owed is not None
        assert owed.attempts == attempts
        await desk.postpone("x", seconds=0, tried=False)
