"""Running something whose failure is somebody else's to judge, and what failures mean."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from sliceway.errors import ChatError, Unavailable

_NOT_NOW = frozenset(
    {"no_answer", "unreachable", "ratelimited", "internal_error", "fatal_error", "service_unavailable"}
)


def is_outage(error: Exception) -> bool:
    """Say whether an error is the brain's or chat's not answering now: nothing is wrong with what was asked, so it is
    tried again for long."""
    if isinstance(error, Unavailable):
        return True
    if not isinstance(error, ChatError):
        return False
    later = error.ambiguous or error.retry_after is not None
    return later or error.reason in _NOT_NOW or error.reason.startswith("http_5")


def why_words(error: Exception) -> str:
    """Return why something failed, as a sentence for the person who asked for it."""
    if isinstance(error, Unavailable):
        return "My memory could not be reached."
    if isinstance(error, ChatError):
        return "The chat platform did not let me look up who asked, or where."
    return "A fault of mine stopped it each time; the log of the gateway names it."


async def trouble_of(work: Awaitable[object]) -> Exception | None:
    """Await `work` and return what it raised, None where it did not; a cancellation goes through."""
    (result,) = await asyncio.gather(work, return_exceptions=True)
    if isinstance(result, Exception):
        return result
    if isinstance(result, BaseException):
        raise result
    return None
