"""Trigger ids: each opens one view, within three seconds of what the person did."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from sliceway.workspace.clock import VirtualClock
from sliceway.workspace.refusals import SlackRefusal

LIFETIME = 3.0  # seconds
_KEPT = 10_000


@dataclass(slots=True)
class _Trigger:
    user: str
    at: float
    used: bool = False


class Triggers:
    """Mints trigger ids and takes each back once."""

    def __init__(self, clock: VirtualClock) -> None:
        """Take the time that they expire by."""
        self._clock = clock
        self._minted: dict[str, _Trigger] = {}

    def mint(self, user: str) -> str:
        """Return a new trigger id for something that `user` did now."""
        if len(self._minted) >= _KEPT:
            del self._minted[next(iter(self._minted))]
        trigger_id = f"{secrets.randbelow(10**12)}.{secrets.randbelow(10**12)}.{secrets.token_hex(16)}"
        self._minted[trigger_id] = _Trigger(user, self._clock.now())
        return trigger_id

    def exchange(self, trigger_id: str) -> str:
        """Return whose trigger it is, and use it up.

        :raises SlackRefusal: `invalid_trigger_id`, `exchanged_trigger_id`, `expired_trigger_id`.
        """
        trigger = self._minted.get(trigger_id)
        if trigger is None:
            raise SlackRefusal("invalid_trigger_id")
        if trigger.used:
            raise SlackRefusal("exchanged_trigger_id")
        if self._clock.now() - trigger.at > LIFETIME:
            raise SlackRefusal("expired_trigger_id")
        trigger.used = True
        return trigger.user
