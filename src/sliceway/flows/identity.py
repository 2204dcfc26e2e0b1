"""Who this gateway's agent is: learned once, at boot, never guessed (ID1-ID9)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from sliceway.core.ids import DEFAULT_AGENT, check_agent_id
from sliceway.errors import ChatError, IdentityError, InvalidAgentId
from sliceway.flows.boot import Sleep, answered
from sliceway.ports import Clock, Me

log = logging.getLogger(__name__)

ENV, AUTH_TEST, STORE, DEFAULT = "env", "auth.test", "store", "default"
"""Where an id can come from (ID6)."""

FATAL = {
    "invalid_auth": "the chat token is wrong: copy it again from the app's page (SLACK_BOT_TOKEN)",
    "not_authed": "no chat token was sent: set SLACK_BOT_TOKEN",
    "account_inactive": "the account behind the chat token was deactivated: install the app again",
    "token_revoked": "the chat token was revoked: install the app again and use its new token",
    "token_expired": "the chat token has expired: install the app again and use its new token",
}
"""What the platform may answer at boot that no retry cures, with the cure (ID5)."""

_ONE_TRY_S = 10.0
_PASSING = (ChatError, TimeoutError)


@dataclass(frozen=True, slots=True)
class Identity:
    """The agent's id and where it was learned: `env`, `auth.test`, `store` or `default`."""

    agent: str
    source: str


def configured_id(value: str | None) -> str | None:
    """Return the id that the environment gives, trimmed; None where it is unset or blank (ID1).

    :raises InvalidAgentId: it is not an agent id, or names nobody (ID8, ID9).
    """
    trimmed = (value or "").strip()
    return check_agent_id(trimmed) if trimmed else None


def local_id(registered: Sequence[str]) -> Identity:
    """Return the identity where neither the environment nor a chat token names one (ID3).

    :param registered: the agents that the store knows.
    :raises IdentityError: the store knows several.
    """
    if len(registered) > 1:
        names = ", ".join(sorted(registered))
        raise IdentityError(
            f"Several agents use this store ({names}); say which one with SLICEWAY_AGENT_ID or --agent."
        )
    return Identity(registered[0], STORE) if registered else Identity(DEFAULT_AGENT, DEFAULT)


class IdentityResolver:
    """Learns the agent's id once; everyone who asks before it is known waits for the same answer (ID6, ID7)."""

    def __init__(
        self,
        *,
        configured: str | None,
        ask: Callable[[], Awaitable[Me]] | None,
        registered: Callable[[], Awaitable[Sequence[str]]],
        teams: int = 1,
        boot_timeout: timedelta,
        clock: Clock,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        """Take the ways an id can be learned; none is tried yet.

        :param configured: `SLICEWAY_AGENT_ID` as it stands. :param ask: who the chat token is, asked of the platform;
            None where no token is configured. :param registered: the agents that the store knows.
        :param teams: in how many teams the agent posts. :param boot_timeout: for how long an unreachable platform is
            asked again.
        """
        self._configured, self._ask, self._registered = configured, ask, registered
        self._teams, self._timeout, self._clock, self._sleep = teams, boot_timeout, clock, sleep
        self._asked: asyncio.Task[Identity] | None = None

    @property
    def known(self) -> Identity | None:
        """The identity, or None while it is not known."""
        asked = self._asked
        if asked is None or not asked.done() or asked.cancelled() or asked.exception() is not None:
            return None
        return asked.result()

    async def resolve(self) -> Identity:
        """Return the identity, learning it at the first call.

        :raises IdentityError: it cannot be learned; the words say why and what to do.
        :raises InvalidAgentId: the configured id is none.
        """
        if self._asked is None:
            self._asked = asyncio.create_task(self._learn(), name="identity")
        return await asyncio.shield(self._asked)

    async def _learn(self) -> Identity:
        """Learn the identity: from the environment, else the platform, else the store."""
        if (given := configured_id(self._configured)) is not None:
            identity = Identity(given, ENV)
        elif self._ask is None:
            identity = local_id(await self._registered())
        elif self._teams > 1:
            raise IdentityError(
                "The agent posts in several teams, where its account has a different id in each: set SLICEWAY_AGENT_ID."
            )
        else:
            identity = Identity(await self._account(self._ask), AUTH_TEST)
        log.info("agent is %s (from %s)", identity.agent, identity.source)
        return identity

    async def _account(self, ask: Callable[[], Awaitable[Me]]) -> str:
        """Return the id of the account that the agent posts as (ID2)."""
        me = await learn_account(ask, boot_timeout=self._timeout, clock=self._clock, sleep=self._sleep)
        try:
            return check_agent_id(me.user)
        except InvalidAgentId as error:
            raise IdentityError(f"The chat platform named the agent in a way that is no id: {error}") from error


async def learn_account(
    ask: Callable[[], Awaitable[Me]], *, boot_timeout: timedelta, clock: Clock, sleep: Sleep = asyncio.sleep
) -> Me:
    """Return the account that the agent posts as, asking until the platform answers (ID4).

    :param boot_timeout: for how long an unreachable platform is asked again, with growing pauses.
    :raises IdentityError: it did not answer in time, or answered that the token is not good (ID5).
    """

    def tell(reason: BaseException | None) -> None:
        log.warning("the chat platform does not say who the agent is (%s); asking again", reason)

    try:
        return await answered(
            partial(_ask_once, ask), passing=_PASSING, boot_timeout=boot_timeout, clock=clock, tell=tell, sleep=sleep
        )
    except _PASSING as error:
        raise IdentityError(
            f"The chat platform did not say who the agent is ({error}). Check the network and "
            "SLACK_API_URL; nothing was written."
        ) from error


async def _ask_once(ask: Callable[[], Awaitable[Me]]) -> Me:
    """Ask the platform once.

    :raises IdentityError: it answered that the token is not good (ID5).
    """
    try:
        async with asyncio.timeout(_ONE_TRY_S):
            return await ask()
    except ChatError as error:
        if (cure := FATAL.get(error.reason)) is not None:
            raise IdentityError(f"The chat platform refuses the agent ({error.reason}): {cure}.") from error
        raise
