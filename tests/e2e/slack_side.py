"""The Slack side of a gateway against a running workspace, with what arrives kept for the tests to look at."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import io
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import aiohttp

from sliceway.core.turn_codec import turn_from_json
from sliceway.core.turns import Click, Command, Turn
from sliceway.ports.chat import Me
from sliceway.ports.inbound import Inbound, Observed
from sliceway.slack.app import Wiring
from sliceway.slack.calls import client_for
from sliceway.slack.chat import SlackChat
from sliceway.slack.socket_mode import Patience
from tests.contract.workspace_client import Client, workspace_client
from tests.e2e.slack_ways import Transport, Way, connected


@dataclass
class Kept(Inbound):
    """An inbound that keeps a turn once for each key, as the desk does."""

    turns: dict[str, Turn] = field(default_factory=dict)
    queues: dict[str, str] = field(default_factory=dict)
    offered: list[str] = field(default_factory=list)
    clicks: list[Click] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    observed: list[Observed] = field(default_factory=list)
    held_back: list[str] = field(default_factory=list)
    wrong: dict[str, str] = field(default_factory=dict)
    on_click: Callable[[Click], Any] | None = None
    failing: int = 0
    _changed: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def event(self, *, key: str, queue: str, kind: str, payload: Mapping[str, Any]) -> bool:
        """Keep a turn, unless it is known or this inbound is told to fail."""
        if self.failing:
            self.failing -= 1
            raise OSError("the disk is full")
        self.offered.append(key)
        new = key not in self.turns
        if new:
            self.turns[key] = turn_from_json(payload)
            self.queues[key] = queue
        await self._note()
        return new

    async def click(self, click: Click) -> Mapping[str, str]:
        """Keep a click."""
        self.clicks.append(click)
        if self.on_click is not None:
            await self.on_click(click)
        await self._note()
        return self.wrong

    async def command(self, command: Command) -> str | None:
        """Keep a command, and say so."""
        self.commands.append(command)
        return f"heard: {command.text}"

    async def observe(self, observed: Observed) -> None:
        """Keep what was observed."""
        self.observed.append(observed)
        await self._note()

    async def throttled(self, team: str) -> None:
        """Keep whose events are withheld."""
        self.held_back.append(team)

    async def _note(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def until(self, true: Callable[[], bool]) -> None:
        """Return once something is true of what was kept."""
        async with self._changed:
            await asyncio.wait_for(self._changed.wait_for(true), timeout=10)


@dataclass(frozen=True)
class Side:
    """Everything of one Slack side: the workspace's client, the inbound, the chat, the way in."""

    slack: Client
    kept: Kept
    chat: SlackChat
    me: Me
    way: Way
    secret: str
    http: aiohttp.ClientSession

    async def raw(self, body: bytes, **headers: str) -> tuple[int, str]:
        """Post a body, signed unless the headers say otherwise."""
        stamp = str(int(time.time()))
        signed = hmac.new(self.secret.encode(), b"v0:" + stamp.encode() + b":" + body, hashlib.sha256).hexdigest()
        sent = {
            "X-Slack-Request-Timestamp": stamp,
            "X-Slack-Signature": f"v0={signed}",
            "Content-Type": "application/json",
            **headers,
        }
        async with self.http.post(self.way.url, data=io.BytesIO(body), headers=sent) as response:
            return response.status, await response.text()


@asynccontextmanager
async def slack_side(
    transport: Transport, *, known: bool = True, patience: Patience | None = None
) -> AsyncIterator[Side]:
    """Open a workspace with a Slack side connected to it.

    :param known: the agent knows its own account.
    :param patience: how long a socket is believed.
    """
    async with workspace_client() as slack, aiohttp.ClientSession() as session:
        tokens = slack.workspace.tokens
        client = client_for(tokens.bot, slack.workspace.api_url, session)
        chat, kept = SlackChat(client), Kept()
        me = await chat.me()
        wiring = Wiring(tokens.signing_secret, lambda: me if known else None, client, kept, chat.heard, chat.forget)
        async with connected(slack, wiring, transport, patience) as way:
            yield Side(slack, kept, chat, me, way, tokens.signing_secret, session)
