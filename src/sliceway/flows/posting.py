"""What is owed to people, said exactly once: posted under a key, looked up by it before any second try (AP3, T11)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping

from sliceway.core.cards import Message
from sliceway.core.traces import trace_of
from sliceway.core.turns import Place
from sliceway.errors import ChatError, Unauthorized
from sliceway.flows.parts import GatewayConfig, Parts
from sliceway.flows.trouble import NO_TOKEN, is_outage
from sliceway.flows.workers import Workers
from sliceway.ports import CardRef, Desk, Owed
from sliceway.ports.chat import PACED

log = logging.getLogger(__name__)

OwedHandler = Callable[[Owed], Awaitable[float | None]]
"""Does what is owed and returns None; or returns after how many seconds to look again."""

HOPELESS = frozenset(
    {
        "channel_not_found", "not_in_channel", "is_archived", "user_disabled", "cannot_dm_bot", "restricted_action",
        "user_not_found", "user_not_visible", "message_not_found", "cant_update_message", "thread_not_found",
        "msg_too_long", "invalid_thread_ts", "no_text", "invalid_blocks", "messages_tab_disabled",
    }
)  # fmt: skip
"""What the platform answers where no later try can succeed."""

_OUTAGE_TRIES, _FAULT_TRIES, _REFUSED_TRIES = 1000, 20, 5
"""Tries until something is given up: about a night of an outage; fewer where the fault is our own; few where chat
refuses it for a reason that is not known here."""
_LONGEST_WAIT_S, _NO_TOKEN_WAIT_S = 60.0, 30.0


def is_hopeless(error: Exception, attempts: int) -> bool:
    """Say whether chat refuses something for good: for a reason that never passes, or for one that is unknown here and
    was given time and again.

    :param attempts: how many tries failed before this one.
    """
    if not isinstance(error, ChatError) or is_outage(error):
        return False
    return error.reason in HOPELESS or attempts + 1 >= _REFUSED_TRIES


class Poster(Workers[Owed]):
    """Works off what is owed. What chat refuses for good becomes a dead letter with its reason; the rest is tried
    again, and what the agent's token, for chat or for the brain, keeps from being posted is never given up (R62)."""

    name = "poster"

    def __init__(self, desk: Desk, holder: str, config: GatewayConfig, handlers: Mapping[str, OwedHandler]) -> None:
        """Take a handler for each kind of debt."""
        super().__init__(desk, holder, config)
        self._handlers = handlers

    async def take(self) -> Owed | None:
        kinds = tuple(self._handlers)
        return await self._desk.take_owed(holder=self._holder, lease_s=self._config.lease_s, kinds=kinds)

    async def work(self, item: Owed) -> None:
        again = await self._handlers[item.kind](item)
        if again is None:
            await self._desk.settle(item.key)
        else:
            await self._desk.postpone(item.key, seconds=again)

    async def failed(self, item: Owed, error: Exception) -> None:
        if isinstance(error, ChatError) and error.reason == PACED:
            log.debug("%s %s waits for its channel's turn", item.kind, item.key)
            await self._desk.postpone(item.key, seconds=error.retry_after or 1.0, tried=False)
            return
        reason = error.reason if isinstance(error, ChatError) else type(error).__name__
        if reason in NO_TOKEN or isinstance(error, Unauthorized):
            log.error("%s %s waits for a token that works (%s)", item.kind, item.key, reason)
            await self._desk.postpone(item.key, seconds=_NO_TOKEN_WAIT_S, tried=False)
            return
        if is_hopeless(error, item.attempts) or item.attempts + 1 >= _most(error):
            log.error("%s %s cannot be posted (%s); given up: %s", item.kind, item.key, reason, trace_of(error))
            log.debug("%s %s cannot be posted", item.kind, item.key, exc_info=error)
            await self._desk.give_up(item.key, reason)
            return
        wait = min(_LONGEST_WAIT_S, 0.5 * 2 ** min(item.attempts, 7))
        if isinstance(error, ChatError) and error.retry_after is not None:
            wait = max(wait, error.retry_after)
        log.warning("%s %s is not posted yet (%s); again in %.1f s", item.kind, item.key, reason, wait)
        await self._desk.postpone(item.key, seconds=wait)


def _most(error: Exception) -> int:
    """Return how often something is tried that fails like this."""
    return _OUTAGE_TRIES if is_outage(error) else _FAULT_TRIES


async def say_once(parts: Parts, place: Place, message: Message, *, key: str, attempts: int) -> CardRef:
    """Post a message that may have been posted before: after the first try, the place is searched for its key."""
    if attempts and (found := await parts.chat.find(place, key=key)) is not None:
        return found
    return await parts.chat.say(place, message, key=key)
