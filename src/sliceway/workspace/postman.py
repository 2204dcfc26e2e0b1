"""Deliveries on their way: in the background, with faults, repeated as Slack repeats them, each one recorded."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass, replace
from typing import Any

from sliceway.workspace.clock import VirtualClock
from sliceway.workspace.faults import Fault, FaultPlan
from sliceway.workspace.transport import Answer, Delivery, Parcel, Retry, Transport

PAUSES = (0.0, 60.0, 300.0)  # seconds before the first, second and third repetition of an event
KEPT = 50_000
HELD_AT_MOST = 1.0  # seconds a reordered delivery waits for another one to pass it


@dataclass(slots=True)
class Sent:
    """A delivery that was sent, and what came back; no answer yet while it is on its way."""

    delivery: Delivery
    parcel: Parcel
    at: float
    answer: Answer | None = None


class Postman:
    """Takes deliveries to the app. Events are repeated until taken; interactions and commands are sent once, unless the
    fault plan has one that was not taken come again (T13)."""

    def __init__(self, transport: Transport, faults: FaultPlan, clock: VirtualClock) -> None:
        """Take the way to the app, what goes wrong on it, and the time that the pauses are counted in."""
        self._transport = transport
        self._faults = faults
        self._clock = clock
        self._tasks: set[asyncio.Task[object]] = set()
        self._first_tries = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._held: list[asyncio.Event] = []
        self._closed = False
        self.sent: deque[Sent] = deque(maxlen=KEPT)

    def post(self, delivery: Delivery) -> None:
        """Send an event in the background; while no app is connected nothing is sent, and nothing kept.

        An app that was connected by socket is waited for: it may be about to connect again.
        """
        if self._transport.expected and not self._closed:
            self._start(self._event(delivery, self._faults.for_delivery(delivery.labels)))

    @property
    def connected(self) -> bool:
        """Whether there is an app to send to."""
        return self._transport.connected

    async def ask(self, delivery: Delivery, retry: Retry | None = None) -> Answer:
        """Send something and return the app's answer. It is not repeated if that fails; where the fault plan says
        `redeliver`, it is, once, and the answer is the one to the repetition.

        :param retry: marks it as a repetition of something sent before.
        """
        if not self._transport.connected:
            return Answer(error="no_app_connected")
        faults = self._faults.for_delivery(delivery.labels)
        if _has(faults, "duplicate"):
            self._start(self._first_try(delivery, [], retry))
        self._begin()
        answer = await self._first_try(delivery, faults, retry)
        if answer.taken or not _has(faults, "redeliver"):
            return answer
        await self._transport.reachable()
        again = self._faults.for_delivery(delivery.labels)
        return await self._carried(delivery, again, Retry(1, answer.error or "http_error"))

    async def settled(self) -> None:
        """Return when no delivery is on its first try; repetitions that wait for their time are not waited for."""
        await self._quiet.wait()

    async def close(self) -> None:
        """Stop: whatever is on its way or waits to be repeated is given up."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._transport.close()

    def _start(self, first_try: Coroutine[Any, Any, object]) -> None:
        self._begin()
        task = asyncio.create_task(first_try)
        self._tasks.add(task)  # the loop itself keeps only weak references
        task.add_done_callback(self._tasks.discard)

    def _begin(self) -> None:
        """Count a first try before it starts, so that `settled` cannot overlook it; `_first_try` counts it out."""
        self._first_tries += 1
        self._quiet.clear()

    async def _first_try(self, delivery: Delivery, faults: list[Fault], retry: Retry | None = None) -> Answer:
        try:
            return await self._carried(delivery, faults, retry)
        finally:
            self._first_tries -= 1
            if not self._first_tries:
                self._quiet.set()

    async def _event(self, delivery: Delivery, faults: list[Fault]) -> None:
        if _has(faults, "duplicate"):
            self._start(self._first_try(delivery, []))
        answer = await self._first_try(delivery, faults)
        for number, pause in enumerate(PAUSES, start=1):
            if answer.taken or answer.headers.get("X-Slack-No-Retry") == "1":
                return
            await self._clock.sleep(pause)
            await self._transport.reachable()
            retry = Retry(number, answer.error or "http_error")
            answer = await self._carried(delivery, self._faults.for_delivery(delivery.labels), retry)

    async def _carried(self, delivery: Delivery, faults: list[Fault], retry: Retry | None) -> Answer:
        for fault in faults:
            if fault.do == "delay" and fault.seconds is not None:
                await self._clock.sleep(fault.seconds)
            if fault.do == "reorder":
                await self._let_one_pass(fault.seconds or HELD_AT_MOST)
        parcel = self._transport.pack(delivery, retry)
        for fault in faults:
            if fault.do == "disconnect":
                parcel = replace(parcel, disconnect=fault.reason)
        record = Sent(delivery, parcel, self._clock.now())
        self.sent.append(record)
        answer = await self._transport.send(parcel)
        if _has(faults, "drop_reply"):
            answer = Answer(error="http_timeout")  # the app did answer; the workspace never hears it
        record.answer = answer
        self._release()
        return answer

    async def _let_one_pass(self, seconds: float) -> None:
        passed = asyncio.Event()
        self._held.append(passed)
        try:
            await asyncio.wait_for(passed.wait(), timeout=seconds)
        except TimeoutError:
            self._held.remove(passed)

    def _release(self) -> None:
        for passed in self._held:
            passed.set()
        self._held.clear()


def _has(faults: list[Fault], deed: str) -> bool:
    return any(fault.do == deed for fault in faults)
