"""Response URLs: five answers within half an hour, without a token, even where the bot is no member."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from sliceway.workspace.clock import VirtualClock
from sliceway.workspace.refusals import SlackRefusal

USES = 5
LIFETIME = 1800.0  # seconds


@dataclass(slots=True)
class ResponseUrl:
    """What a response URL leads to: the person, the channel, and the message that was pressed, if any."""

    user: str
    channel: str
    ts: str | None
    at: float
    uses: int = 0


class ResponseUrls:
    """Mints the secrets in response URLs and counts their uses."""

    def __init__(self, clock: VirtualClock) -> None:
        """Take the time that they expire by."""
        self._clock = clock
        self._minted: dict[str, ResponseUrl] = {}

    def mint(self, user: str, channel: str, ts: str | None = None) -> str:
        """Return the secret part of a new response URL."""
        secret = secrets.token_hex(16)
        self._minted[secret] = ResponseUrl(user, channel, ts, self._clock.now())
        return secret

    def use(self, secret: str) -> ResponseUrl:
        """Return what the URL leads to, and count one use.

        :raises SlackRefusal: `expired_url` (unknown or too old), `used_url` (five times already).
        """
        found = self._minted.get(secret)
        if found is None or self._clock.now() - found.at > LIFETIME:
            raise SlackRefusal("expired_url")
        if found.uses >= USES:
            raise SlackRefusal("used_url")
        found.uses += 1
        return found
