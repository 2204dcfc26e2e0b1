"""A client whose server is a table of answers and whose time stands still unless it is let go on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from datetime import timedelta

import httpx
import pytest
import respx

from sliceway.client import Patience, open_remote
from sliceway.client.patience import Pace
from sliceway.ports import Brain
from tests.fakes.clock import HandClock, ids

ADDRESS = "http://127.0.0.1:4242"
TOKEN = "slw_01ARZ3NDEKTSV4RRFFQ69G5FAV_" + "s" * 43
LISTING: dict[str, object] = {"items": [], "next_cursor": None}
AUTHOR = {"agent": "ada", "token_id": None, "surface": "api"}
RECEIPT = {
    "slice": "agent-ada", "slug": "n", "version": 1, "action": "store", "author": AUTHOR, "event_id": "E1", "at": "t",
}  # fmt: skip
WRITTEN = {"outcome": "written", "receipts": [RECEIPT]}


@dataclass
class Time:
    """Time that passes only where the client lets some pass."""

    clock: HandClock
    now: float = 0.0
    slept: list[float] = field(default_factory=list)

    async def sleep(self, seconds: float) -> None:
        """Note how long was waited."""
        self.slept.append(seconds)
        self.now += seconds
        self.clock.advance(timedelta(seconds=seconds))

    @property
    def pace(self) -> Pace:
        """What the client is given."""
        return Pace(lambda: self.now, self.sleep, self.clock)


@pytest.fixture
def time(clock: HandClock) -> Time:
    """The time that the client lives in."""
    return Time(clock)


@pytest.fixture
def server() -> Iterator[respx.MockRouter]:
    """The server, answer by answer."""
    with respx.mock(base_url=ADDRESS, assert_all_called=False) as router:
        yield router


@pytest.fixture
async def brain(server: respx.MockRouter, time: Time) -> AsyncIterator[Brain]:
    """The brain behind it, as an agent has it."""
    async with open_remote(ADDRESS, TOKEN, patience=Patience(retries=3), pace=time.pace, new_id=ids()) as door:
        yield door.enter()


def problem(status: int, code: str, detail: str = "no", **facts: object) -> httpx.Response:
    """Return a problem document as the server writes it."""
    body = {**facts, "type": f"urn:sliceway:error:{code}", "title": "x", "status": status, "code": code}
    return httpx.Response(
        status, json={**body, "detail": detail}, headers={"content-type": "application/problem+json"}
    )  # fmt: skip
