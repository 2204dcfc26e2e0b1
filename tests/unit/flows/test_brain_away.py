"""The brain is away, or lets the gateway in no more: what was accepted waits for it, and who waits is told."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from sliceway.errors import SlicewayError, Unauthorized, Unavailable
from sliceway.flows.dispatch import Dispatcher
from sliceway.flows.parts import GatewayConfig
from sliceway.flows.posting import Poster
from sliceway.flows.trouble import is_outage, trouble_of, why_words
from sliceway.flows.workers import Workers
from sliceway.ports import Desk, InboxItem, Owed
from sliceway.store.desk import open_desk
from tests.fakes.clock import HandClock
from tests.fakes.rig import Rig
from tests.fakes.scripts import by_words

CONFIG = GatewayConfig(lease_s=600.0)
TRIES = 25
"""More than what is our own fault is given when it is owed."""
MANY = 70
"""Tries, more than an outage of chat is given."""


@pytest.fixture
async def desk(tmp_path: Path, clock: HandClock) -> AsyncIterator[Desk]:
    """A desk of its own."""
    opened = await open_desk(f"sqlite:///{tmp_path}/desk.db", clock=clock, sync="normal")
    yield opened
    await opened.close()


class Away:
    """Work that fails so many times for the brain's absence, and is done then."""

    def __init__(self, error: SlicewayError, times: int, *, tells: bool) -> None:
        """Fail with `error`; without the brain nobody can be told either, unless `tells`."""
        self.error, self.left, self.tells = error, times, tells
        self.done: list[str] = []
        self.told: list[str] = []

    async def __call__(self, item: InboxItem) -> None:
        """Do it, or fail."""
        if self.left:
            self.left -= 1
            raise self.error
        self.done.append(item.key)

    async def tell(self, _item: InboxItem, error: Exception) -> None:
        """Tell whom it concerns, where that is possible."""
        if not self.tells:
            raise self.error
        self.told.append(why_words(error))


async def rounds(worker: Workers[Any], clock: HandClock, most: int) -> None:
    """Have a worker do its work, time passing whenever nothing is due, so many times at most."""
    for _ in range(most):
        item = await worker.take()
        if item is None:
            clock.forward(seconds=30)
        elif (trouble := await trouble_of(worker.work(item))) is not None:
            await worker.failed(item, trouble)


async def run(desk: Desk, clock: HandClock, away: Away, kind: str) -> None:
    """Have it worked on until it is done or dead."""
    await desk.put_event(key="k", queue="q", kind=kind, payload={})
    worker = Dispatcher(
        desk, "h", CONFIG, name="work", handlers={"turn": away, "click": away}, on_dead=away.tell, awaited=("click",)
    )
    await rounds(worker, clock, 4 * MANY)
    assert await desk.inbox_depth() == 0


@pytest.mark.parametrize(("error", "tells"), [(Unauthorized(), True), (Unauthorized(), False), (Unavailable(), False)])
async def test_op4_a_message_waits_for_the_brain_as_long_as_it_takes(
    desk: Desk, clock: HandClock, error: SlicewayError, tells: bool
) -> None:
    """OP3, OP4: a turn outlasts a token that is refused, and a brain away for so long that nobody can even be told; it
    is no dead letter, and is done once."""
    away = Away(error, MANY, tells=tells)
    await run(desk, clock, away, "turn")
    assert (away.done, away.told) == (["k"], [])
    assert await desk.dead_letters() == ()


async def test_op4_a_brain_that_is_back_for_the_telling_hears_of_it(desk: Desk, clock: HandClock) -> None:
    """OP3: where whom it concerns can be told, a message that failed for half an hour ends with that, once."""
    away = Away(Unavailable(), 10**6, tells=True)
    await run(desk, clock, away, "turn")
    assert (away.done, len(away.told)) == ([], 1)
    assert [letter.error for letter in await desk.dead_letters()] == ["unavailable"]


@pytest.mark.parametrize("error", [Unauthorized(), Unavailable()])
async def test_a_click_is_told_soon(desk: Desk, clock: HandClock, error: SlicewayError) -> None:
    """OP4: who presses a button is told after a few tries that it did not count, and why."""
    away = Away(error, MANY, tells=True)
    await run(desk, clock, away, "click")
    assert (away.done, len(away.told)) == ([], 1)
    assert "memory" in away.told[0]
    assert len(await desk.dead_letters()) == 1


async def test_r62_what_is_owed_waits_for_a_token(desk: Desk, clock: HandClock) -> None:
    """R62, OP3: a card or an answer that is owed while the brain refuses the token is never given up."""
    tries = []

    async def refused(item: Owed) -> None:
        tries.append(item.attempts)
        if len(tries) < TRIES:
            raise Unauthorized

    await desk.owe(key="k", kind="card", payload={}, lane=None)
    await rounds(Poster(desk, "h", CONFIG, {"card": refused}), clock, 4 * TRIES)
    assert len(tries) == TRIES
    assert set(tries) == {0}
    assert await desk.dead_letters() == ()


async def test_fr7_a_refused_token_is_no_refusal_of_what_was_asked(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """FR7, BR2: a turn whose tool call meets a refused token is not answered with a refusal; it runs again, and is
    answered once when the token is taken."""
    rig.agent.script = by_words
    left = [3]
    real = type(rig.brain).write_pages

    async def refused(brain: object, **given: object) -> object:
        if left[0]:
            left[0] -= 1
            raise Unauthorized
        return await real(brain, **given)  # type: ignore[arg-type]

    monkeypatch.setattr(type(rig.brain), "write_pages", refused)
    await rig.say("U1", "save build 2301", wait=False)
    await rig.retried()
    assert [said.text.partition(":")[0] for said in rig.chat.said] == ["written"]
    assert left == [0]


async def test_op2_a_refused_token_is_told_by_readiness(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """OP2: a gateway whose token is refused is not ready, and says why with the cure."""

    async def refused(_brain: object) -> None:
        raise Unauthorized

    monkeypatch.setattr(type(rig.brain), "whoami", refused)
    facts = await rig.gateway.ready()
    assert (facts["ready"], facts["brain"]["code"]) == (False, "unauthorized")
    assert "SLICEWAY_BRAIN__TOKEN" in facts["brain"]["why"]


def test_a_refused_token_is_an_outage_and_told_as_one() -> None:
    """FR7: that the brain lets nobody in is an outage, told as what it is."""
    assert is_outage(Unauthorized())
    assert "let me in" in why_words(Unauthorized())
