"""The desk: a gateway's own durable state, apart from the brain's. It never shares a transaction with the brain."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from sliceway.core.turns import Lock, Person, Place

OWED_KEPT = timedelta(days=30)
"""How long the key of something owed is kept after it was settled."""


@dataclass(frozen=True, slots=True)
class InboxItem:
    """A delivery that was accepted and waits for its work. `attempts` counts the tries that failed; `error` is what
    the last try was given back with, an outage's included, which is no failure."""

    key: str
    queue: str
    kind: str
    payload: Mapping[str, Any]
    received_at: str
    attempts: int = 0
    error: str = ""

    @property
    def again(self) -> bool:
        """Whether an earlier try may have done some of the work."""
        return self.attempts > 0 or bool(self.error)


@dataclass(frozen=True, slots=True)
class Owed:
    """Something the gateway owes to people: settled once it is certain to have happened."""

    key: str
    kind: str
    payload: Mapping[str, Any]
    due_at: str
    attempts: int = 0


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """What failed too often: its key, kind and error, never its text (OP3)."""

    key: str
    kind: str
    error: str
    at: str


class Desk(ABC):
    """Inbox, what is owed, locks, leases and cursors of one gateway. Every call is durable when it returns."""

    @abstractmethod
    async def put_event(self, *, key: str, queue: str, kind: str, payload: Mapping[str, Any]) -> bool:
        """Keep a delivery; False when `key` is known, from the last 48 hours or waiting: then nothing changes.

        :param queue: items of one queue are taken one after another, in the order they were put.
        """

    @abstractmethod
    async def take_turn(self, *, holder: str, lease_s: float, kinds: tuple[str, ...] = ()) -> InboxItem | None:
        """Take the oldest waiting item whose queue has none taken; None when there is none. An item whose lease ended
        is taken again with one attempt more.

        :param kinds: take only these; empty: any.
        """

    @abstractmethod
    async def finish(self, key: str) -> None:
        """The item's work is done: drop its payload, keep its key for 48 hours."""

    @abstractmethod
    async def fail(self, key: str, error: str, *, dead_after: int = 3, retry_s: float = 0.0) -> bool:
        """The item's work failed: release it for another try, due after `retry_s` seconds, before anything else of
        its queue; or after `dead_after` attempts make it a dead letter, without its payload, and return True."""

    @abstractmethod
    async def delay(self, key: str, error: str, *, retry_s: float) -> None:
        """Something the work needs is out of order: release the item, due after `retry_s` seconds and before anything
        else of its queue, and count no attempt."""

    @abstractmethod
    async def renew(self, item: InboxItem | Owed, *, holder: str, lease_s: float) -> bool:
        """Hold a taken item for so long from now; False when it is no longer the holder's."""

    @abstractmethod
    async def note_turn(self, place: Place, who: Person, turn: str) -> None:
        """Remember, for 30 days, that a turn of this person in this thread changed something: its key, no text."""

    @abstractmethod
    async def turns_in(self, place: Place, who: Person, *, limit: int = 10) -> tuple[str, ...]:
        """Return the keys of a person's noted turns in a thread, newest first; in a plain direct message, where each
        message begins a thread of its own, those of the whole conversation."""

    @abstractmethod
    async def dead_letters(self) -> tuple[DeadLetter, ...]:
        """Return the deliveries that failed too often and the debts that were given up, newest first."""

    @abstractmethod
    async def inbox_depth(self) -> int:
        """Return how many items wait or are being worked on."""

    @abstractmethod
    async def queue_depth(self, queue: str) -> int:
        """Return how many items of one queue wait or are being worked on."""

    @abstractmethod
    async def owe(self, *, key: str, kind: str, payload: Mapping[str, Any], lane: str | None = None) -> bool:
        """Record something owed; False when `key` is owed or was settled already: nothing is owed twice.

        :param lane: items of one lane are taken one after another, in the order they were owed; None: a lane of its
            own.
        """

    @abstractmethod
    async def take_owed(self, *, holder: str, lease_s: float, kinds: tuple[str, ...] = ()) -> Owed | None:
        """Take the oldest due item that nobody holds and that is first in its lane; None when there is none. An item
        whose lease ended is taken again with one attempt more."""

    @abstractmethod
    async def owed_depth(self) -> int:
        """Return how many owed items could be taken now or are being worked on; what is postponed, and what waits
        behind it in its lane, is not counted."""

    @abstractmethod
    async def settle(self, key: str) -> None:
        """It has certainly happened: drop its payload, keep its key."""

    @abstractmethod
    async def give_up(self, key: str, error: str) -> None:
        """It can never happen: make it a dead letter, without its payload, so that its lane goes on."""

    @abstractmethod
    async def postpone(self, key: str, *, seconds: float, tried: bool = True) -> None:
        """It did not happen: release it with one attempt more, due again after `seconds`.

        :param tried: False where nothing was even begun; then no attempt is counted.
        """

    @abstractmethod
    async def lock(self, lock: Lock) -> Lock:
        """Give a thread to a person, or return the lock that stands there already (OO3)."""

    @abstractmethod
    async def lock_at(self, place: Place) -> Lock | None:
        """Return the lock of a thread; None when there is none or it has been idle too long."""

    @abstractmethod
    async def lapsed_at(self, place: Place) -> Lock | None:
        """Return the lock of a thread that has been idle too long and was not ended yet; None when there is none."""

    @abstractmethod
    async def touch(self, place: Place, *, idle_until: str) -> None:
        """The owner spoke: the lock lives until then."""

    @abstractmethod
    async def unlock(self, place: Place) -> Lock | None:
        """End the lock of a thread and return it; None when there was none."""

    @abstractmethod
    async def locks(self, owner: Person | None = None) -> tuple[Lock, ...]:
        """Return the live locks, of one person or all."""

    @abstractmethod
    async def lease(self, name: str, *, holder: str, lease_s: float) -> bool:
        """Hold `name` for so long; True when it is the holder's, anew or still."""

    @abstractmethod
    async def is_held(self, name: str) -> bool:
        """Say whether anybody holds `name` now; nothing changes by asking."""

    @abstractmethod
    async def cursor(self, name: str) -> str | None:
        """Return how far a feed was read; None at first."""

    @abstractmethod
    async def move_cursor(self, name: str, value: str) -> None:
        """Remember how far a feed was read; call it after what followed from it is owed."""

    @abstractmethod
    async def close(self) -> None:
        """Let go of the database."""
