"""Answers kept for a short while: each asked for once at a time, and what was not found kept shorter (R39)."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")

LARGEST = 10_000
"""Answers kept at most; the one unused for longest goes first."""


@dataclass(frozen=True, slots=True)
class Answer(Generic[Value]):
    """What was learned, and for how many seconds it may be believed."""

    value: Value
    seconds: float


class ShortMemory(Generic[Key, Value]):
    """A cache over a question that costs a call. A failing question is not remembered."""

    def __init__(self, ask: Callable[[Key], Awaitable[Answer[Value]]], clock: Callable[[], float]) -> None:
        """Take the question, and a clock in seconds that never goes back."""
        self._ask = ask
        self._clock = clock
        self._kept: OrderedDict[Key, tuple[float, Value]] = OrderedDict()
        self._asking: dict[Key, asyncio.Task[Answer[Value]]] = {}

    async def get(self, key: Key) -> Value:
        """Return the answer for `key`; those who ask at the same time wait for one call."""
        kept = self._kept.get(key)
        if kept is not None and self._clock() < kept[0]:
            self._kept.move_to_end(key)
            return kept[1]
        task = self._asking.get(key)
        if task is None:
            task = asyncio.ensure_future(self._learn(key))
            task.add_done_callback(lambda done: done.cancelled() or done.exception())
            self._asking[key] = task
        return (await asyncio.shield(task)).value

    async def _learn(self, key: Key) -> Answer[Value]:
        """Ask, and keep the answer unless it was forgotten meanwhile."""
        mine = asyncio.current_task()
        try:
            answer = await self._ask(key)
            if self._asking.get(key) is mine:
                self._kept[key] = (self._clock() + answer.seconds, answer.value)
                while len(self._kept) > LARGEST:
                    self._kept.popitem(last=False)
            return answer
        finally:
            if self._asking.get(key) is mine:
                del self._asking[key]

    def forget(self, which: Callable[[Key], bool]) -> None:
        """Drop the answers for which something changed; a question under way is not kept either."""
        for key in [key for key in self._kept if which(key)]:
            del self._kept[key]
        for key in [key for key in self._asking if which(key)]:
            del self._asking[key]
