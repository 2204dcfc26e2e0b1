"""Thirty rounds of `kill -9` under load: prints what was written, and fails on nothing but a loss."""

from __future__ import annotations

import random
import time
from collections import Counter

import pytest

from tests.e2e.erasing_killed import TARGETS, assert_nothing_is_left, finished, killed, written
from tests.e2e.killing import House, assert_all_is_there_once, killed_under_load

ROUNDS = 30


@pytest.mark.bench
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("house", "servers"), [("sqlite", 1), ("sqlite", 2), ("postgres", 1), ("postgres", 2)], indirect=["house"]
)
async def test_thirty_kills(house: House, servers: int) -> None:
    """BR12 CL1: what a client heard of is there exactly once, whenever a server is killed, be it one or two on a store;
    here every commit waits for the disk, as it does by default."""
    began = time.monotonic()
    taken = await killed_under_load(house, rounds=ROUNDS, servers=servers, seed=int(began), sync="full")
    await assert_all_is_there_once(house, taken)
    told = f"{len(taken.pages)} pages, {len(taken.hot)} versions of one page, {len(taken.shared)} approvals"
    spent = time.monotonic() - began
    print(
        f"\n{ROUNDS} kills, {servers} server(s) on {house.engine}, seed {int(began)}, {spent:.0f} s: {told} heard of, "
        f"all there once; {taken.repeated} calls made anew by their callers"
    )


@pytest.mark.bench
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("target", sorted(TARGETS))
@pytest.mark.parametrize("house", ["sqlite", "postgres"], indirect=True)
async def test_thirty_erasures_killed(house: House, target: str) -> None:
    """BR10: thirty erasures, each killed at another moment, are finished by who comes next; prints how far."""
    seed = int(time.monotonic())
    drawn, states = random.Random(seed), Counter[str]()
    for turn in range(ROUNDS):
        await written(house, target)
        states[killed(house, target, drawn)] += 1
        await finished(house, target, by_keeper=turn % 2 == 0)
        await assert_nothing_is_left(house)
    print(f"\n{ROUNDS} erasures of a {target} killed on {house.engine}, seed {seed}: {dict(states)}; nothing left")
