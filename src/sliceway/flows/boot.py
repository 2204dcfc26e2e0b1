"""Asking again at boot what does not answer yet, with growing pauses, until its time is over (ID4)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Protocol, TypeVar

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, wait_exponential_jitter

from sliceway.ports import Clock

Answer = TypeVar("Answer")


class Sleep(Protocol):
    """Waits; a test's returns at once."""

    async def __call__(self, seconds: float, /) -> None:
        """Wait for so many seconds."""


async def answered(
    ask: Callable[[], Awaitable[Answer]],
    *,
    passing: tuple[type[Exception], ...],
    boot_timeout: timedelta,
    clock: Clock,
    tell: Callable[[BaseException | None], None],
    sleep: Sleep = asyncio.sleep,
) -> Answer:
    """Return what `ask` returns, asking again after each error that may pass.

    :param passing: the errors that may pass by themselves; another one goes through at once.
    :param boot_timeout: how long it is asked again; then the last error goes through.
    :param tell: told of the error before each pause.
    """
    until = clock() + boot_timeout

    def is_over(_state: RetryCallState) -> bool:
        return clock() >= until

    def waits(state: RetryCallState) -> None:
        tell(state.outcome.exception() if state.outcome is not None else None)

    retrying = AsyncRetrying(
        retry=retry_if_exception_type(passing),
        wait=wait_exponential_jitter(multiplier=0.2, max=10),
        stop=is_over,
        sleep=sleep,
        before_sleep=waits,
        reraise=True,
    )
    result: Answer = await retrying(ask)
    return result
