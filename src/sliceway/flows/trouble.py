"""Running something whose failure is somebody else's to judge, and what failures mean."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

from sliceway.errors import ChatError, Unauthorized, Unavailable

NO_TOKEN = frozenset(
    {"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired", "org_login_required"}
)
"""What chat answers while the agent has no token that works: an admin installs the app again, and all goes on."""
_NOT_NOW = NO_TOKEN | {
    "no_answer", "unreachable", "ratelimited", "rate_limited", "internal_error", "fatal_error", "service_unavailable",
    "request_timeout", "team_added_to_org", "accesslimited",
}  # fmt: skip


BRAIN_AWAY = (Unavailable, Unauthorized)
"""What a brain's absence shows as: it does not answer, or does not let this gateway in any more. Neither is the fault
of what was asked, and somebody ends it: it is waited for."""
NOT_LET_IN = (
    "the brain does not take this gateway's token: it is wrong, was revoked or rotated, or its time is over; set "
    "SLICEWAY_BRAIN__TOKEN to one that is good and start the gateway anew"
)
"""What whoever runs the gateway is told where the brain refuses its token."""


def is_outage(error: Exception) -> bool:
    """Say whether an error is the brain's or chat's not answering now: nothing is wrong with what was asked, so it is
    tried again for long. So is what a proxy says in chat's place, and that the agent's token is no good (R62)."""
    if isinstance(error, BRAIN_AWAY):
        return True
    if not isinstance(error, ChatError):
        return False
    later = error.ambiguous or error.retry_after is not None
    return later or error.reason in _NOT_NOW or error.reason.startswith("http_")


def why_words(error: Exception) -> str:
    """Return why something failed, as a sentence for the person who asked for it."""
    if isinstance(error, Unavailable):
        return "My memory could not be reached."
    if isinstance(error, Unauthorized):
        return "My memory does not let me in any more; whoever runs me has to give me a new token for it."
    if isinstance(error, ChatError):
        if error.reason in NO_TOKEN:
            return "The chat platform does not take my token any more; an admin has to install me again."
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
