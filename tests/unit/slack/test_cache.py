"""Answers kept for a short while."""

from __future__ import annotations

import asyncio

import pytest

from sliceway.errors import ChatError
from sliceway.slack.cache import Answer, ShortMemory


class Question:
    """A question that counts how often it is asked, on a clock that stands still."""

    def __init__(self) -> None:
        """Start at nothing."""
        self.now = 0.0
        self.asked = 0
        self.fails = False
        self.gate = asyncio.Event()
        self.gate.set()
        self.memory: ShortMemory[str, int] = ShortMemory(self.ask, lambda: self.now)

    async def ask(self, key: str) -> Answer[int]:
        """Answer with the number of times asked; what begins with a dash is believed for a second only."""
        self.asked += 1
        number = self.asked
        await self.gate.wait()
        if self.fails:
            raise ChatError("no answer")
        return Answer(number, 1.0 if key.startswith("-") else 60.0)


async def test_r39_an_answer_is_believed_as_long_as_it_says() -> None:
    """R39: an answer holds for its time, one that found nothing for a shorter one."""
    question = Question()
    assert [await question.memory.get("a"), await question.memory.get("-b")] == [1, 2]
    question.now = 2.0
    assert [await question.memory.get("a"), await question.memory.get("-b")] == [1, 3]
    question.now = 60.0
    assert await question.memory.get("a") == 4


async def test_a_failing_question_is_not_remembered() -> None:
    """A failure reaches everyone who waits, and the next asks again."""
    question = Question()
    question.fails = True
    for answer in await asyncio.gather(question.memory.get("a"), question.memory.get("a"), return_exceptions=True):
        assert isinstance(answer, ChatError)
    question.fails = False
    assert await question.memory.get("a") == 2


async def test_what_is_forgotten_while_it_is_asked_is_not_kept() -> None:
    """An answer that was under way when something changed serves who waits, and nobody after."""
    question = Question()
    question.gate.clear()
    waiting = asyncio.ensure_future(question.memory.get("a"))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    question.memory.forget(lambda key: key == "a")
    question.gate.set()
    assert await waiting == 1
    assert await question.memory.get("a") == 2


async def test_one_who_stops_waiting_stops_nobody_else() -> None:
    """Cancelling one of those who wait leaves the question to the others."""
    question = Question()
    question.gate.clear()
    first, second = (asyncio.ensure_future(question.memory.get("a")) for _ in range(2))
    await asyncio.sleep(0)
    first.cancel()
    question.gate.set()
    assert await second == 1
    with pytest.raises(asyncio.CancelledError):
        await first
