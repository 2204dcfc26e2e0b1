"""Tickets: the secrets in the addresses that sockets are opened at, good for one connection each."""

from __future__ import annotations

import secrets

from sliceway.workspace.clock import VirtualClock

LIFETIME = 30.0  # seconds; an app connects at once or asks for a new address


class Tickets:
    """Mints tickets and lets each in once."""

    def __init__(self, clock: VirtualClock, *, reusable: bool = False) -> None:
        """Take the time that they expire by; `reusable`: a ticket lets in as often as it is shown."""
        self._clock = clock
        self._reusable = reusable
        self._minted: dict[str, float] = {}

    def mint(self) -> str:
        """Return a new ticket, and forget those that are too old."""
        now = self._clock.now()
        self._minted = {ticket: at for ticket, at in self._minted.items() if now - at <= LIFETIME}
        ticket = secrets.token_hex(16)
        self._minted[ticket] = now
        return ticket

    def take(self, ticket: str) -> bool:
        """Return whether the ticket lets in now; it does not let in again."""
        at = self._minted.get(ticket) if self._reusable else self._minted.pop(ticket, None)
        return at is not None and self._clock.now() - at <= LIFETIME
