"""`kill -9` in the middle of forgetting: the next process forgets the rest (BR10)."""

from __future__ import annotations

import random

import pytest

from tests.e2e.erasing_killed import TARGETS, assert_nothing_is_left, finished, killed, written
from tests.e2e.killing import House

_BY_KEEPER = {("sqlite", "person"), ("sqlite", "page"), ("postgres", "slice")}
"""The others are finished by the same command; `tests/bench/test_crashes.py` has thirty of each."""


@pytest.mark.parametrize("target", sorted(TARGETS))
@pytest.mark.parametrize("house", ["sqlite", "postgres"], indirect=True)
async def test_br10_an_erasure_that_is_killed_is_finished_by_who_comes_next(house: House, target: str) -> None:
    """BR10: killed once it had begun, it is finished by the keeper of the next process, or by the same command again;
    after that no row, file or export holds a word of it, and the record verifies."""
    await written(house, target)
    killed(house, target, random.Random(target))
    await finished(house, target, by_keeper=(house.engine, target) in _BY_KEEPER)
    await assert_nothing_is_left(house)
