"""Tokens: what a caller shows to be known by (BR2). Pure: the form, the hash, and what may be told of one."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass, field

from sliceway.core.principals import Principal, PrincipalKind
from sliceway.core.records import Record
from sliceway.errors import Unauthorized

_FORM = re.compile(r"slw_([0-9A-Za-z]{26})_([A-Za-z0-9_-]{43})")


@dataclass(frozen=True, slots=True)
class TokenEntry(Record):
    """A token as it may be shown: never its secret, never the hash of it.

    `first_seen`, `last_seen`, `writes` and `denials` are a view of what it did, not a record anyone relies on.
    """

    id: str
    kind: PrincipalKind
    agent: str | None
    teams: tuple[str, ...]
    acts_for: bool
    decides: bool
    slices: tuple[str, ...]
    created_at: str
    expires_at: str | None = None
    rotated_at: str | None = None
    revoked_at: str | None = None
    first_seen: str | None = None
    last_seen: str | None = None
    writes: int = 0
    denials: int = 0

    def principal(self) -> Principal:
        """Return the caller that shows this token."""
        return Principal(
            self.kind, self.agent, frozenset(self.teams), self.acts_for, self.decides, frozenset(self.slices), self.id
        )


@dataclass(frozen=True, slots=True)
class NewToken(Record):
    """A token just made or rotated. `token` is shown this once (BR2), and never by accident (CF3)."""

    token: str = field(repr=False)
    entry: TokenEntry


def token_text(id: str, secret: str) -> str:
    """Return a token as its holder keeps it.

    :param id: 26 letters and digits. :param secret: 43 characters of URL-safe base64, 256 bits from a good source.
    """
    return f"slw_{id}_{secret}"


def token_parts(text: str) -> tuple[str, str]:
    """Return the id and the secret of a token.

    :raises Unauthorized: it has another form; in the very words of a token that is not known.
    """
    found = _FORM.fullmatch(text)
    if found is None:
        raise Unauthorized()
    return found[1], found[2]


def secret_hash(secret: str) -> str:
    """Return what is kept of a secret. It holds 256 random bits, so one round of SHA-256 cannot be guessed back."""
    return hashlib.sha256(secret.encode()).hexdigest()


def is_secret(secret: str, kept: str) -> bool:
    """Say whether a secret is the one whose hash was kept, in a time that tells nothing about it."""
    return hmac.compare_digest(secret_hash(secret), kept)
