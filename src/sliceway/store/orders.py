"""What follows what in the slices of one store, kept from one read to the next.

Which slices are looked at is a session's matter: nothing is found here but under the head of a slice's chain, which
only who may read the slice can have read. What follows what is made of the events of that chain alone, so under its
head it is never out of date.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import NamedTuple

from sliceway.core.neighbours import Order

MOST_BYTES = 64 * 1024 * 1024
"""Of all slices together, eight for each event of one: those used longest ago go first."""


class Head(NamedTuple):
    """Where the chain of a slice stands: how many events it has, and the hash of the last."""

    seq: int
    hash: str


class Orders:
    """What follows what in slices, the latest used kept."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """Hold nothing yet, and at most so many bytes."""
        self._most = most_bytes
        self._kept: OrderedDict[str, tuple[Head, Order, int]] = OrderedDict()
        self._held = 0
        self._lock = threading.Lock()

    @property
    def held_bytes(self) -> int:
        """How many bytes are held."""
        return self._held

    def known(self, heads: Mapping[str, Head]) -> dict[str, Order]:
        """Return what is kept of slices whose chains stand so."""
        found = {}
        with self._lock:
            for name, head in heads.items():
                kept = self._kept.get(name)
                if kept is not None and kept[0] == head:
                    self._kept.move_to_end(name)
                    found[name] = kept[1]
        return found

    def keep(self, heads: Mapping[str, Head], orders: Mapping[str, Order]) -> None:
        """Keep what follows what in slices whose chains stand so, in place of what was kept of them."""
        with self._lock:
            for name, one in orders.items():
                self._let_go(name)
                size = one.size
                if size <= self._most:
                    self._kept[name] = heads[name], one, size
                    self._held += size
            while self._held > self._most:
                self._let_go(next(iter(self._kept)))

    def forget(self, name: str) -> None:
        """Keep nothing of a slice: what was kept under the same head may have been read of rows that did not follow
        from its chain."""
        with self._lock:
            self._let_go(name)

    def _let_go(self, name: str) -> None:
        gone = self._kept.pop(name, None)
        if gone is not None:
            self._held -= gone[2]
