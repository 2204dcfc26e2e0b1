"""Who calls is read anew each time; too many calls and too many guesses wait."""

from __future__ import annotations

import asyncio

import pytest

from sliceway.core.principals import Principal
from sliceway.errors import RateLimited, Unauthorized
from sliceway.flows.metrics import Metrics
from sliceway.server.callers import MOST_POLLS, Callers, bearer
from tests.unit.server.test_buckets import Seconds

ADA = Principal.agent("ada")


class Table:
    """A small table of tokens, which counts its readers."""

    def __init__(self) -> None:
        """Know one token."""
        self.known = {"good": ADA}
        self.read: list[str] = []
        self.at_once = self.most_at_once = 0

    async def principal_of(self, token: str) -> Principal:
        """Return whom a token stands for."""
        self.read.append(token)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        await asyncio.sleep(0)
        self.at_once -= 1
        if token not in self.known:
            raise Unauthorized()
        return self.known[token]


def made(table: Table, clock: Seconds, rate: float = 5) -> Callers:
    """Return a door over a table."""
    return Callers(table.principal_of, rate=rate, now=clock, metrics=Metrics())


@pytest.mark.parametrize(
    "headers",
    [[], ["Bearer"], ["Bearer "], ["Basic eDp5"], ["good"], ["Bearer good", "Bearer good"], ["Bearer a b"],
     ["Bearer gööd"], ["Bearer " + "x" * 513], ["Bearer good\n"], [" Bearer good"]],
)  # fmt: skip
def test_br2_an_odd_header_is_no_token(headers: list[str]) -> None:
    """BR2: none, two, another scheme, or what no token looks like is `unauthorized`."""
    with pytest.raises(Unauthorized):
        bearer(headers)


@pytest.mark.parametrize("header", ["Bearer good", "bearer good", "BEARER  good"])
def test_the_scheme_is_any_case(header: str) -> None:
    """RFC 9110: the name of a scheme is case-insensitive."""
    assert bearer([header]) == "good"


async def test_br2_the_token_is_read_on_every_request() -> None:
    """BR2: what is revoked is refused on the very next call."""
    table = Table()
    callers = made(table, Seconds())
    assert await callers.caller(["Bearer good"]) is ADA
    assert await callers.caller(["Bearer good"]) is ADA
    assert table.read == ["good", "good"]
    table.known.clear()
    with pytest.raises(Unauthorized):
        await callers.caller(["Bearer good"])


async def test_too_many_calls_with_one_token_wait() -> None:
    """A token has a burst of twice its rate; what is over it is told when to come again, and costs no look-up."""
    table, clock = Table(), Seconds()
    callers = made(table, clock)
    for _ in range(10):
        await callers.caller(["Bearer good"])
    with pytest.raises(RateLimited) as refused:
        await callers.caller(["Bearer good"])
    assert refused.value.facts["retry_after"] == 1
    assert len(table.read) == 10
    clock.now += 1
    assert await callers.caller(["Bearer good"]) is ADA


async def test_guesses_wait_and_lock_nobody_out() -> None:
    """Refused calls share a bucket; while it is empty a good token is let in all the same, seen before or not."""
    table, clock = Table(), Seconds()
    callers = made(table, clock)
    for number in range(10):
        with pytest.raises(Unauthorized):
            await callers.caller([f"Bearer guess{number}"])
    for headers in ([], ["Bearer another"]):
        with pytest.raises(RateLimited):
            await callers.caller(headers)
    assert await callers.caller(["Bearer good"]) is ADA
    assert await callers.caller(["Bearer good"]) is ADA


async def test_while_there_are_many_guesses_one_is_looked_up_at_a_time() -> None:
    """However many guess at once, they take one look-up's worth of the store."""
    table = Table()
    callers = made(table, Seconds())
    guesses = [callers.caller([f"Bearer guess{number}"]) for number in range(10)]
    await asyncio.gather(*guesses, return_exceptions=True)
    table.most_at_once = 0
    more = [callers.caller([f"Bearer more{number}"]) for number in range(50)]
    await asyncio.gather(*more, return_exceptions=True)
    assert table.most_at_once == 1


async def test_long_polls_of_one_token_are_counted() -> None:
    """One token has so many long polls open, and no more; an ended one makes room."""
    callers = made(Table(), Seconds())
    for _ in range(MOST_POLLS):
        callers.poll_begins("good")
    with pytest.raises(RateLimited):
        callers.poll_begins("good")
    callers.poll_begins("other")
    callers.poll_ends("good")
    callers.poll_begins("good")
    assert callers.open_polls == MOST_POLLS + 1
