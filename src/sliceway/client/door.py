"""The way into a brain elsewhere: one address, one token, kept connections."""

from __future__ import annotations

import ssl
from urllib.parse import urlsplit

import httpx

from sliceway.client.brain import BrainClient
from sliceway.client.patience import Pace, Patience
from sliceway.client.wire import Wire
from sliceway.core.principals import Principal
from sliceway.core.tokens import token_parts
from sliceway.errors import InvalidRequest, Unauthorized
from sliceway.ports.brain import Brain, BrainDoor
from sliceway.ports.time import NewId
from sliceway.settings.values import brain_address, is_loopback

_KEPT = 30.0
"""Seconds that an idle connection is kept for the next call."""


class RemoteDoor(BrainDoor):
    """The way into a brain elsewhere; who calls is known there by the token (BR2)."""

    def __init__(self, client: httpx.AsyncClient, address: str, brain: Brain, patience: Patience) -> None:
        """Take the open client, the address as it may be shown, and the brain that every entry gets."""
        self._client, self._address, self._brain = client, address, brain
        self.patience = patience

    def __repr__(self) -> str:
        """Show the address, never the token (CF3)."""
        return f"RemoteDoor({self._address!r})"

    def enter(self, principal: Principal | None = None) -> Brain:
        """Return the brain as the token's holder has it.

        :raises InvalidRequest: a principal was given.
        """
        if principal is not None:
            raise InvalidRequest("A brain elsewhere knows who calls by the token; enter it without a principal.")
        return self._brain

    async def close(self) -> None:
        """See `BrainDoor.close`."""
        await self._client.aclose()


def open_remote(
    url: str,
    token: str,
    *,
    patience: Patience | None = None,
    pace: Pace | None = None,
    transport: httpx.AsyncBaseTransport | None = None,
    new_id: NewId,
) -> RemoteDoor:
    """Return a door to the brain that is served at `url`. Nothing is sent before the first call.

    :param url: `https://…`; `http://` on this machine alone, for the token travels there.
    :param token: `slw_…`, as `sliceway token create` printed it.
    :param transport: what carries requests instead of a pool of connections.
    :raises InvalidRequest: the address or the token cannot be one.
    """
    try:
        base = brain_address(url).rstrip("/")
    except ValueError as error:
        raise InvalidRequest(f"The address of a brain {error}.") from None
    if not token.isascii() or not token.isprintable() or " " in token or not token:
        raise InvalidRequest("The token of a brain is one word, like slw_…; copy it again.")
    patience, pace = patience or Patience(), pace or Pace()
    client = _client(base, token, patience, transport)
    wire = Wire(client, base, patience, pace)
    brain = BrainClient(wire, patience, token_id=_id_of(token), new_id=new_id)
    return RemoteDoor(client, base, brain, patience)


def _client(base: str, token: str, patience: Patience, transport: httpx.AsyncBaseTransport | None) -> httpx.AsyncClient:
    """Return the client: it follows no redirect, takes no proxy to this machine, and checks certificates (T15)."""
    parts = urlsplit(base)
    # Without https no certificate is ever looked at: an empty list of authorities saves reading the long one.
    verify: ssl.SSLContext | bool = True if parts.scheme == "https" else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    kept = httpx.Limits(
        max_connections=patience.pool_size, max_keepalive_connections=patience.pool_size, keepalive_expiry=_KEPT
    )
    headers = {
        "Authorization": f"Bearer {token}", "Accept": "application/json", "Accept-Encoding": "identity",
        "User-Agent": "sliceway",
    }  # fmt: skip
    return httpx.AsyncClient(
        base_url=base, headers=headers, limits=kept, verify=verify, trust_env=not is_loopback(parts.hostname),
        follow_redirects=False, transport=transport,
    )  # fmt: skip


def _id_of(token: str) -> str | None:
    try:
        return token_parts(token)[0]
    except Unauthorized:
        return None
