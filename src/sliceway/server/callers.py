"""Who calls: the principal that the shown token stands for, read anew for each request (BR2), and how often they may.

A token that is good is always looked up, so nobody's guesses lock it out. Refused calls share one bucket; while that is
empty, tokens not lately seen to be good are looked up one at a time: guessing is slow, whatever the number of guessers.
"""

from __future__ import annotations

import asyncio
import hashlib
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

from sliceway.core.principals import Principal
from sliceway.errors import RateLimited, Unauthorized
from sliceway.flows.metrics import Metrics
from sliceway.server.buckets import Buckets, whole_seconds

PrincipalOf = Callable[[str], Awaitable[Principal]]
"""Returns whom a token stands for, by its row as it is now. Raises Unauthorized."""
MOST_POLLS = 32
"""Long polls that one token may have open."""

_BEARER = re.compile(r"bearer +([\x21-\x7e]{1,512})", re.IGNORECASE | re.ASCII)
_REFUSED = b""


def bearer(headers: Sequence[str]) -> str:
    """Return the token in the `Authorization` headers of a request.

    :raises Unauthorized: there is none, more than one, or another scheme.
    """
    found = _BEARER.fullmatch(headers[0]) if len(headers) == 1 else None
    if found is None:
        raise Unauthorized()
    return found[1]


class Callers:
    """The door of the server."""

    def __init__(
        self, principal_of: PrincipalOf, *, rate: float, now: Callable[[], float], metrics: Metrics
    ) -> None:  # fmt: skip
        """Let each token make `rate` calls a second; `now` returns seconds that only grow."""
        self._principal_of = principal_of
        self._of_tokens = Buckets(rate, now=now)
        self._of_refused = Buckets(rate, now=now)
        self._metrics = metrics
        self._one_at_a_time = asyncio.Lock()
        self._polls: Counter[bytes] = Counter()

    async def caller(self, headers: Sequence[str]) -> Principal:
        """Return who shows these `Authorization` headers, and count the call.

        :raises Unauthorized: nobody that is known. :raises RateLimited: too many calls with this token, or too many
            that were refused.
        """
        try:
            token = bearer(headers)
            key = _key(token)
            if key in self._of_tokens:
                self._count(self._of_tokens.wait(key))
                return await self.again(token)
            if self._of_refused.wait(_REFUSED, take=False):
                async with self._one_at_a_time:
                    principal = await self._principal_of(token)
            else:
                principal = await self._principal_of(token)
        except Unauthorized:
            self._metrics.count("tokens_refused")
            self._count(self._of_refused.wait(_REFUSED))
            raise
        self._of_tokens.wait(key)
        return principal

    async def again(self, token: str) -> Principal:
        """Return whom a token stands for by now.

        :raises Unauthorized: nobody any more.
        """
        try:
            return await self._principal_of(token)
        except Unauthorized:
            self._of_tokens.forget(_key(token))
            raise

    def poll_begins(self, token: str) -> None:
        """Count an open long poll.

        :raises RateLimited: the token has too many.
        """
        if self._polls[_key(token)] >= MOST_POLLS:
            raise RateLimited(f"At most {MOST_POLLS} long polls are open with one token.", retry_after=1)
        self._polls[_key(token)] += 1

    def poll_ends(self, token: str) -> None:
        """Count it no more."""
        key = _key(token)
        self._polls[key] -= 1
        if not self._polls[key]:
            del self._polls[key]

    @property
    def open_polls(self) -> int:
        """How many long polls are open."""
        return self._polls.total()

    def _count(self, wait: float) -> None:
        if wait:
            self._metrics.count("rate_limited")
            raise RateLimited(retry_after=whole_seconds(wait))


def _key(token: str) -> bytes:
    """Return what a token is remembered by: not the token itself, which a dump of the memory would show."""
    return hashlib.sha256(token.encode()).digest()
