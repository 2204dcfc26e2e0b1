"""Deliveries by socket, as envelopes; and the choice between a socket and the request URL."""

from __future__ import annotations

import json
import uuid

from sliceway.workspace.model import Json
from sliceway.workspace.sockets import Sockets
from sliceway.workspace.transport import Answer, Delivery, HttpTransport, Kind, Parcel, Retry, Transport

ENVELOPES: dict[Kind, str] = {"event": "events_api", "interactive": "interactive", "command": "slash_commands"}


class SocketTransport(Transport):
    """Sends each delivery through one of the app's sockets."""

    def __init__(self, sockets: Sockets) -> None:
        """Take the sockets."""
        self._sockets = sockets

    @property
    def connected(self) -> bool:
        """Whether a socket is open."""
        return len(self._sockets) > 0

    @property
    def expected(self) -> bool:
        """Whether one is open, or was: an app that refreshes its connection closes the old one first (T13)."""
        return self._sockets.expected

    async def reachable(self) -> None:
        """Return once a socket is open, or when it has been waited for long enough."""
        await self._sockets.somebody()

    def pack(self, delivery: Delivery, retry: Retry | None) -> Parcel:
        """Return the envelope, each time with a new id; only events say which repetition they are.

        Slack names but one reason for a repetition here, `timeout`, whatever happened to the connection.
        """
        envelope: Json = {
            "envelope_id": str(uuid.uuid4()),
            "type": ENVELOPES[delivery.kind],
            "payload": delivery.payload,
            "accepts_response_payload": delivery.kind != "event",
        }
        if delivery.kind == "event":
            envelope["retry_attempt"] = retry.number if retry is not None else 0
            envelope["retry_reason"] = "timeout" if retry is not None and retry.number else ""
        return Parcel({}, json.dumps(envelope).encode(), envelope=envelope["envelope_id"])

    async def send(self, parcel: Parcel) -> Answer:
        """Put it on the next socket and wait for the acknowledgement."""
        return await self._sockets.send(parcel)

    async def close(self) -> None:
        """Close the sockets."""
        await self._sockets.close()


class EitherTransport(Transport):
    """By socket where one is open, else to the request URL."""

    def __init__(self, by_socket: SocketTransport, by_http: HttpTransport) -> None:
        """Take both ways."""
        self._by_socket = by_socket
        self._by_http = by_http

    @property
    def connected(self) -> bool:
        """Whether there is anybody at the end of either."""
        return self._by_socket.connected or self._by_http.connected

    @property
    def expected(self) -> bool:
        """Whether there is anybody, or will be again."""
        return self._by_http.connected or self._by_socket.expected

    async def reachable(self) -> None:
        """Return once there is somebody; at a request URL there always is."""
        if not self._by_http.connected:
            await self._by_socket.reachable()

    def pack(self, delivery: Delivery, retry: Retry | None) -> Parcel:
        """Return the delivery for the way that is open now; in a gap between two sockets, for a socket."""
        by_http = self._by_http.connected and not self._by_socket.connected
        return (self._by_http if by_http else self._by_socket).pack(delivery, retry)

    async def send(self, parcel: Parcel) -> Answer:
        """Send it the way it was packed for."""
        return await (self._by_socket if parcel.envelope else self._by_http).send(parcel)

    async def close(self) -> None:
        """Close both."""
        await self._by_socket.close()
        await self._by_http.close()
