"""How a delivery reaches the app: the port, and signed HTTP as its first implementation."""

from __future__ import annotations

import io
import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlencode

import aiohttp

from sliceway.workspace.clock import VirtualClock
from sliceway.workspace.faults import DisconnectReason
from sliceway.workspace.model import Json
from sliceway.workspace.signing import signature

Kind = Literal["event", "interactive", "command"]
ACK_SECONDS = 3.0  # how long Slack waits for an answer
USER_AGENT = "Slackbot 1.0 (+https://api.slack.com/robots)"
LONGEST_ANSWER = 1_000_000  # bytes of an app's answer that are read


@dataclass(frozen=True, slots=True)
class Delivery:
    """Something for the app: an event in its envelope, an interaction, or a slash command's form."""

    kind: Kind
    payload: Json

    @property
    def labels(self) -> tuple[str, ...]:
        """What a fault plan may call this: the kind, and the type of the event or payload, or the command."""
        inner = self.payload.get("event")
        names = (self.payload.get("type"), inner.get("type") if isinstance(inner, dict) else None)
        return (self.kind, *(str(name) for name in (*names, self.payload.get("command")) if name))


@dataclass(frozen=True, slots=True)
class Retry:
    """Which repetition a delivery is (1-3), and why the one before did not do."""

    number: int
    reason: str


@dataclass(frozen=True, slots=True)
class Parcel:
    """A delivery ready to be sent: what is around it, and its bytes.

    :ivar envelope: the id of the envelope, empty where it goes over HTTP.
    :ivar disconnect: the socket it goes through is told this and closed behind it.
    """

    headers: Mapping[str, str]
    body: bytes
    envelope: str = ""
    disconnect: DisconnectReason | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: a status with a body, or, without a status, why nothing did."""

    status: int | None = None
    body: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    error: str | None = None

    @property
    def taken(self) -> bool:
        """Whether the app acknowledged."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def json(self) -> Json:
        """The body as a JSON object; empty if it is something else."""
        try:
            value = json.loads(self.body)
        except ValueError:
            return {}
        return value if isinstance(value, dict) else {}


class Transport(ABC):
    """A way to the app. It sends what it is given, once; repeating is the caller's business."""

    @property
    @abstractmethod
    def connected(self) -> bool:
        """Whether there is anybody to send to."""

    @property
    def expected(self) -> bool:
        """Whether there is anybody, or will be again soon: events are worth keeping."""
        return self.connected

    async def reachable(self) -> None:  # noqa: B027 - most ways have nothing to wait for
        """Return when a repetition is worth sending: at once, unless the app is about to connect again."""

    @abstractmethod
    def pack(self, delivery: Delivery, retry: Retry | None) -> Parcel:
        """Return the delivery as it will be sent now; a repetition says so."""

    @abstractmethod
    async def send(self, parcel: Parcel) -> Answer:
        """Send it and return what came back in time; network trouble is an answer, never an exception."""

    @abstractmethod
    async def close(self) -> None:
        """Let go of what the transport holds."""


class HttpTransport(Transport):
    """Posts to the app's request URL, signed, on a fresh connection each time.

    Fresh ones, because a bot that was restarted leaves dead connections behind, and an interaction is never repeated.
    """

    def __init__(
        self, url: Callable[[], str | None], secret: str, clock: VirtualClock, *, ack_seconds: float = ACK_SECONDS
    ) -> None:
        """Take where the app is now, the signing secret, the workspace's clock, and how long to wait."""
        self._ack_seconds = ack_seconds
        self._url = url
        self._secret = secret
        self._clock = clock
        self._session: aiohttp.ClientSession | None = None

    @property
    def connected(self) -> bool:
        """Whether the app has a request URL."""
        return self._url() is not None

    def pack(self, delivery: Delivery, retry: Retry | None) -> Parcel:
        """Return the body in the encoding of its kind, and the headers with its signature."""
        body, content_type = _encoded(delivery)
        timestamp = str(int(self._clock.outside()))
        headers = {
            "Content-Type": content_type,
            "User-Agent": USER_AGENT,
            "X-Slack-Request-Timestamp": timestamp,
            "X-Slack-Signature": signature(self._secret, timestamp, body),
        }
        if retry is not None:
            headers |= {"X-Slack-Retry-Num": str(retry.number), "X-Slack-Retry-Reason": retry.reason}
        return Parcel(headers, body)

    async def send(self, parcel: Parcel) -> Answer:
        """Post it; what stands in the way is named as Slack's retry reason names it."""
        url = self._url()
        if url is None:
            return Answer(error="connection_failed")
        try:
            async with self._open_session().post(
                url, data=io.BytesIO(parcel.body), headers=parcel.headers, allow_redirects=False
            ) as response:
                body = (await response.content.read(LONGEST_ANSWER)).decode(errors="replace")
                return Answer(status=response.status, body=body, headers=response.headers.copy())
        except TimeoutError:
            return Answer(error="http_timeout")
        except (aiohttp.ClientError, OSError, ValueError):
            return Answer(error="connection_failed")

    async def close(self) -> None:
        """Close the HTTP client."""
        if self._session is not None:
            await self._session.close()

    def _open_session(self) -> aiohttp.ClientSession:
        if self._session is None:
            self._session = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(force_close=True, limit=0),
                timeout=aiohttp.ClientTimeout(total=self._ack_seconds),
                cookie_jar=aiohttp.DummyCookieJar(),
                trust_env=False,
            )
        return self._session


def _encoded(delivery: Delivery) -> tuple[bytes, str]:
    if delivery.kind == "event":
        return json.dumps(delivery.payload).encode(), "application/json"
    form = delivery.payload if delivery.kind == "command" else {"payload": json.dumps(delivery.payload)}
    return urlencode(form).encode(), "application/x-www-form-urlencoded"
