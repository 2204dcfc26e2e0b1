"""A whole gateway in this process: real brain, desk, flows and Slack side, against a running workspace."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import aiohttp

from sliceway.brain.local import open_local
from sliceway.core.principals import Principal
from sliceway.core.turns import Click, Command
from sliceway.flows.gateway import Gateway, Ports
from sliceway.flows.identity import IdentityResolver
from sliceway.flows.parts import GatewayConfig
from sliceway.ports import Brain, BrainDoor, Desk, NewId
from sliceway.ports.chat import Me
from sliceway.ports.inbound import Inbound, Observed
from sliceway.slack.app import Wiring
from sliceway.slack.calls import client_for
from sliceway.slack.chat import SlackChat
from sliceway.store.desk import open_desk
from tests.contract.over_http import Served
from tests.contract.workspace_client import Client, Json, workspace_client
from tests.e2e.slack_ways import REMOTE, Arrangement, Transport, connected
from tests.fakes.clock import ids as counted
from tests.fakes.rig import PlainHooks, ScriptedAgent
from tests.fakes.scripts import by_words
from tests.fakes.waiting import is_worked_off, until

AGENT, TEAM = "ada", "THARBOR"


def now() -> datetime:
    """Return the time."""
    return datetime.now(UTC)


@dataclass
class Whole:
    """The parts of one test, and what people do and see."""

    slack: Client
    folder: Path
    door: BrainDoor
    chat: SlackChat
    ids: NewId
    agent: ScriptedAgent
    desk: Desk
    gateway: Gateway

    @property
    def brain(self) -> Brain:
        """The brain as the gateway enters it."""
        return self.door.enter(Principal.gateway(AGENT, teams=[TEAM], acts_for=True, decides=True))

    @property
    def operator(self) -> Brain:
        """The brain as the operator enters it."""
        return self.door.enter(Principal.operator("op"))

    async def restart(self) -> None:
        """Stop the gateway with whatever it was doing, and start another on the same desk."""
        await self.gateway.stop(0.0)
        self.gateway = gateway_of(self.door, self.desk, self.chat, self.agent, self.ids)
        await self.gateway.start()

    async def quiet(self) -> None:
        """Wait until everything that was said, pressed or owed is done."""
        await self.slack.workspace.settled()
        await until(lambda: is_worked_off(self.desk, self.brain))

    async def until_so(self, look: Callable[[], Awaitable[Sequence[Any]]], count: int) -> None:
        """Wait until there are so many of something."""

        async def enough() -> bool:
            return len(await look()) >= count

        await until(enough)

    async def say(self, user: str, channel: str, text: str, **more: str) -> str:
        """Say something, wait for what follows, and return its timestamp."""
        ts = await self.slack.say(user, channel, text, **more)
        await self.quiet()
        return ts

    async def press(self, user: str, card: Json, label: str) -> None:
        """Press the button with this label, and wait for what follows."""
        await self.click(user, card, label)
        await self.quiet()

    async def click(self, user: str, card: Json, label: str) -> None:
        """Press the button with this label, and wait for no more than the acknowledgement."""
        (row,) = [block for block in card["blocks"] if block["type"] == "actions"]
        (action,) = [one["action_id"] for one in row["elements"] if one["text"]["text"] == label]
        pressed = await self.slack.control("click", user=user, channel=card["channel"], ts=card["ts"], action_id=action)
        assert pressed["acked"] is True

    async def deliveries(self) -> list[Json]:
        """Return what was delivered to the gateway."""
        given: list[Json] = (await self.slack.look("deliveries"))["deliveries"]
        return given

    async def thread(self, channel: str, root: str, **query: str) -> list[Json]:
        """Return the replies in a thread."""
        found = await self.slack.messages(channel, thread_ts=root, **query)
        return [{**message, "channel": channel} for message in found[1:]]

    async def cards(self, channel: str, root: str, **query: str) -> list[Json]:
        """Return the cards and records among the replies in a thread."""
        return [message for message in await self.thread(channel, root, **query) if is_card(message)]


class _Current(Inbound):
    """Hands everything to the gateway that runs now."""

    def __init__(self, whole: Whole) -> None:
        """Take what holds the gateway."""
        self._whole = whole

    async def event(self, *, key: str, queue: str, kind: str, payload: Mapping[str, Any]) -> bool:
        return await self._whole.gateway.event(key=key, queue=queue, kind=kind, payload=payload)

    async def click(self, click: Click) -> Mapping[str, str]:
        return await self._whole.gateway.click(click)

    async def command(self, command: Command) -> str | None:
        return await self._whole.gateway.command(command)

    async def observe(self, observed: Observed) -> None:
        await self._whole.gateway.observe(observed)

    async def throttled(self, team: str) -> None:
        await self._whole.gateway.throttled(team)


def is_card(message: Json) -> bool:
    """Say whether a message is a card or a record."""
    return any(block["type"] == "header" for block in message.get("blocks") or ())


def gateway_of(door: BrainDoor, desk: Desk, chat: SlackChat, agent: ScriptedAgent, ids: NewId) -> Gateway:
    """Return a gateway over these parts."""

    async def nobody() -> tuple[str, ...]:
        return ()

    identity = IdentityResolver(
        configured=AGENT, ask=None, registered=nobody, boot_timeout=timedelta(seconds=1), clock=now
    )
    principal = Principal.gateway(AGENT, teams=[TEAM], acts_for=True, decides=True)
    ports = Ports(desk, chat, agent, PlainHooks(), now, ids, lambda _known: door.enter(principal))
    return Gateway(ports, identity, GatewayConfig(tick_s=0.01))


@asynccontextmanager
async def whole_gateway(folder: Path, arrangement: Arrangement, **policy: Any) -> AsyncIterator[Whole]:
    """Open a workspace and a whole gateway in an empty folder; Mia and Max manage."""
    transport: Transport = "socket" if arrangement == "socket" else "http"
    async with workspace_client() as slack, aiohttp.ClientSession() as session:
        ids, agent, tokens = counted(), ScriptedAgent(by_words), slack.workspace.tokens
        store = await open_local(f"sqlite:///{folder}/brain.db", sync="normal", clock=now, new_id=ids)
        door: BrainDoor = store
        if arrangement == REMOTE:
            door = served = Served(store)
            await served.serve()
        desk = await open_desk(f"sqlite:///{folder}/desk.db", clock=now, sync="normal")
        client = client_for(tokens.bot, slack.workspace.api_url, session)
        chat = SlackChat(client)
        me: Me = await chat.me()
        whole = Whole(slack, folder, door, chat, ids, agent, desk, gateway_of(door, desk, chat, agent, ids))
        await whole.operator.set_policy(**{"managers": ["UMIA", "UMAX"], "teams": [TEAM], **policy})
        inbound = _Current(whole)
        wiring = Wiring(tokens.signing_secret, lambda: me, client, inbound, chat.heard, chat.forget)
        await whole.gateway.start()
        try:
            async with connected(slack, wiring, transport):
                yield whole
        finally:
            await whole.gateway.stop(5.0)
            await desk.close()
            await door.close()
