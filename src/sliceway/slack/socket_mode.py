"""Socket Mode: the agent connects to Slack by itself; what comes through goes in by the same door as over HTTP."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp
from slack_bolt.adapter.socket_mode.async_internals import send_async_response
from slack_bolt.adapter.socket_mode.internals import build_headers
from slack_bolt.request.async_request import AsyncBoltRequest
from slack_sdk.socket_mode.aiohttp import SocketModeClient
from slack_sdk.socket_mode.async_client import AsyncBaseSocketModeClient
from slack_sdk.socket_mode.request import SocketModeRequest
from slack_sdk.web.async_client import AsyncWebClient

from sliceway.errors import BootError, ChatError
from sliceway.slack.app import SlackDoor
from sliceway.slack.calls import call, is_direct

SOCKET_CURES = {
    "missing_scope": "give the app-level token the scope connections:write",
    "not_allowed_token_type": "it has to be an app-level token, xapp-…, with the scope connections:write",
    "forbidden_team": "the app is not installed in this workspace",
    "socket_mode_disabled": "turn on Socket Mode in the app's settings",
    "app_not_installed": "install the app",
} | dict.fromkeys(
    ("invalid_auth", "not_authed", "token_revoked", "token_expired", "account_inactive"),
    "make a new app-level token with the scope connections:write (Basic Information)",
)
"""What to do about SLACK_APP_TOKEN where Slack lets nobody connect with it, by Slack's own code."""
_log = logging.getLogger("sliceway.slack.socket")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a connection is believed, in seconds.

    :ivar ping: between two pings. :ivar look: between two looks of the watchdog.
    :ivar stale: without a sign of life after which a new connection is made.
    :ivar give_up: without one after which the process had better be started anew.
    :ivar connect: for one attempt to connect. :ivar boot: for the first connection, attempts and pauses together.
    """

    ping: float = 10.0
    look: float = 5.0
    stale: float = 60.0
    give_up: float = 300.0
    connect: float = 15.0
    boot: float = 120.0


class SlackSocket:
    """One agent's connection. Each envelope is kept and then acknowledged, in a task that a stop waits for (T14)."""

    def __init__(
        self,
        door: SlackDoor,
        client: AsyncWebClient,
        app_token: str,
        *,
        patience: Patience | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Take the door, a client for Slack's address and way there, the app-level token, and the time."""
        self._door, self._web, self._token = door, client, app_token
        self._patience = patience if patience is not None else Patience()
        self._clock, self._sleep = clock, sleep
        self._client: SocketModeClient | None = None
        self._greeted = asyncio.Event()
        self._given_up = asyncio.Event()
        self._taking: set[asyncio.Task[None]] = set()
        self._watchdog: asyncio.Task[None] | None = None
        self._alive_at = clock()
        self._pong: float | None = None
        self._connections = 0
        self._stopping = False

    async def start(self) -> None:
        """Connect; return once Slack has said hello.

        :raises BootError: Slack does not take the token, or did not answer in time.
        """
        until = self._clock() + self._patience.boot
        pause = 1.0
        while True:
            try:
                await self._connect()
                break
            except ChatError as error:
                if cure := SOCKET_CURES.get(error.reason):
                    detail = f"Slack does not let the agent connect ({error.reason}): SLACK_APP_TOKEN: {cure}."
                    raise BootError(detail) from error
                if self._clock() >= until:
                    raise BootError(f"No connection to Slack by Socket Mode: {error.detail}") from error
                _log.warning("no connection to Slack yet; trying again: %s", error.detail)
                await self._sleep(max(pause, error.retry_after or 0.0))
                pause = min(pause * 2, 10.0)
        self._watchdog = asyncio.create_task(self._watch(), name="socket watchdog")

    async def stop(self, deadline_s: float = 5.0) -> None:
        """Take nothing more in, finish and acknowledge what came, then close the connection (OP4, R59)."""
        self._stopping = True
        if self._watchdog is not None:
            self._watchdog.cancel()
            await asyncio.wait([self._watchdog])
        if self._taking:
            await asyncio.wait(self._taking, timeout=deadline_s)
        for task in self._taking:
            task.cancel()
        await self._hang_up()

    async def given_up(self) -> None:
        """Return once the connection is lost for good: the process had better be started anew (R58)."""
        await self._given_up.wait()

    def health(self) -> Mapping[str, Any]:
        """Return whether it is connected, to how many connections of the app, and when it last gave a sign of life."""
        session = self._client.current_session if self._client is not None else None
        age = self._silence()
        connected = self._greeted.is_set() and session is not None and not session.closed
        return {
            "connected": connected and age < self._patience.stale,
            "connections": self._connections,
            "sign_of_life_age_s": round(age, 3),
        }

    async def _connect(self) -> None:
        """Put a fresh connection in the place of the old one, and wait for its hello.

        :raises ChatError: it could not be made.
        """
        await self._hang_up()
        self._greeted.clear()
        said = await call(self._web.apps_connections_open(app_token=self._token), "apps.connections.open")
        quiet = logging.getLogger("sliceway.slack.socket.sdk")
        quiet.setLevel(logging.CRITICAL)  # it logs what was said at level debug, and a trace for each lost connection
        client = SocketModeClient(self._token, quiet, self._web, ping_interval=self._patience.ping)
        client.wss_uri = str(said.get("url", ""))
        if is_direct(client.wss_uri):
            client.proxy = None  # T15: the SDK takes a proxy from the environment, whatever NO_PROXY says
        client.message_listeners.append(self._heard)
        client.socket_mode_request_listeners.append(self._request)
        self._client, self._pong = client, None
        try:
            async with asyncio.timeout(self._patience.connect):
                await client.connect()  # type: ignore[no-untyped-call]
                await self._greeted.wait()
        except TimeoutError as error:
            await self._hang_up()
            raise ChatError("Slack's socket did not say hello in time.", reason="no_answer") from error

    async def _hang_up(self) -> None:
        """Close the connection there is, and what the SDK runs for it."""
        client, self._client = self._client, None
        if client is None:
            return
        await client.close()  # type: ignore[no-untyped-call]
        running = (client.message_processor, client.current_session_monitor, client.message_receiver)
        await asyncio.gather(*(task for task in running if task is not None), return_exceptions=True)

    async def _heard(
        self, _client: AsyncBaseSocketModeClient, message: dict[str, Any], _raw: str | None = None
    ) -> None:
        """Note a sign of life; a hello also says whether the app's events are shared with others (R57)."""
        self._alive_at = self._clock()
        if message.get("type") != "hello":
            return
        self._connections = int(message.get("num_connections") or 1)
        self._greeted.set()
        _log.info("connected to Slack by Socket Mode")
        if self._connections > 1:
            _log.warning(
                "%d connections use this SLACK_APP_TOKEN: each gets only a part of what people say and press. Unless "
                "they are processes of this agent on one desk (SLICEWAY_STATE__URL), stop the others.",
                self._connections,
            )

    async def _request(self, client: AsyncBaseSocketModeClient, request: SocketModeRequest) -> None:
        """Take an envelope in, in a task that nothing forgets; one that comes while stopping is left to Slack."""
        if self._stopping:
            return
        task = asyncio.create_task(self._take(client, request))
        self._taking.add(task)
        task.add_done_callback(self._taken)

    async def _take(self, client: AsyncBaseSocketModeClient, request: SocketModeRequest) -> None:
        """Keep what is in an envelope, then acknowledge it. Without an acknowledgement an event comes again (T13)."""
        payload: object = request.payload
        if not isinstance(payload, dict):
            _log.warning("an envelope of type %s holds no object; left alone", request.type)
            return
        bolt = AsyncBoltRequest(mode="socket_mode", body=payload, headers=build_headers(request))
        answer = await self._door.take(bolt)
        try:
            await send_async_response(client, request, answer, time.time())
        except (aiohttp.ClientError, OSError, RuntimeError, json.JSONDecodeError) as error:
            _log.info("an envelope of type %s was kept, not acknowledged (%s)", request.type, type(error).__name__)

    def _taken(self, task: asyncio.Task[None]) -> None:
        self._taking.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("an envelope could not be taken in (%s); Slack delivers an event again", type(error).__name__)
            _log.debug("an envelope could not be taken in", exc_info=error)

    def _silence(self) -> float:
        """Return the seconds since the last hello, pong or envelope."""
        pong = self._client.last_ping_pong_time if self._client is not None else None
        if pong is not None and pong != self._pong:  # the SDK tells of a pong by nothing but this number
            self._pong = pong
            self._alive_at = self._clock()
        return self._clock() - self._alive_at

    async def _watch(self) -> None:
        """Look at the connection for ever: one that only seems alive is replaced (R58)."""
        while True:
            await self._sleep(self._patience.look)
            silence = self._silence()
            if silence < self._patience.stale:
                continue
            if silence >= self._patience.give_up:
                _log.error("no sign of life from Slack for %.0f s, and no new connection; giving up", silence)
                self._given_up.set()
                return
            _log.warning("no sign of life from Slack for %.0f s; connecting anew", silence)
            try:
                await self._connect()
            except ChatError as error:
                _log.warning("no new connection to Slack; trying again: %s", error.detail)
