"""A gateway put together: one agent on Slack, served."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp
from aiohttp import web

from sliceway.errors import BootError, ChatError
from sliceway.flows.gateway import Gateway, Ports
from sliceway.flows.identity import Identity, IdentityResolver, learn_account
from sliceway.flows.parts import GatewayConfig
from sliceway.plugins import Plugins
from sliceway.ports import Me
from sliceway.settings import Settings
from sliceway.slack.app import SlackDoor
from sliceway.slack.app import Wiring as SlackWiring
from sliceway.slack.calls import client_for
from sliceway.slack.chat import SlackChat
from sliceway.slack.socket_mode import Patience, SlackSocket
from sliceway.store.desk import open_desk
from sliceway.web.connections import Bounds
from sliceway.web.guard import LOOPBACK
from sliceway.web.health import health_application
from sliceway.web.serving import bound, port_of, served
from sliceway.wiring.fresh import new_id, now
from sliceway.wiring.gateway_brain import GatewayBrain, gateway_brain


@dataclass
class RunningGateway:
    """A gateway that is being served."""

    url: str
    identity: Identity | None = None
    gateway: Gateway | None = None
    door: SlackDoor | None = None
    brain: GatewayBrain | None = None
    socket: SlackSocket | None = None

    async def ready(self) -> Mapping[str, Any]:
        """Return the facts of readiness (OP2); before the agent's id is known there is not much to say (ID4)."""
        if self.gateway is None:
            waits = self.brain.waits if self.brain is not None else None
            return {"ready": False, "agent": None, "why": waits or "the agent's id is not known yet"}
        facts = await self.gateway.ready()
        if self.brain is not None:
            facts = await self.brain.told(facts)
        if self.door is not None:
            facts["signatures"] = dict(self.door.signatures)
        if self.socket is None:
            return facts
        connection = self.socket.health()
        return {**facts, "socket": connection, "ready": facts["ready"] and connection["connected"]}

    async def serve_until(self, stopped: asyncio.Event) -> None:
        """Return once it is to stop.

        :raises ChatError: the connection to Slack is lost for good; a new process may have better luck (R58).
        """
        stopping = asyncio.ensure_future(stopped.wait())
        losing = asyncio.ensure_future(self.socket.given_up()) if self.socket is not None else None
        try:
            await asyncio.wait({stopping} | ({losing} if losing else set()), return_when=asyncio.FIRST_COMPLETED)
        finally:
            lost = losing is not None and losing.done()
            for task in (stopping, losing):
                if task is not None:
                    task.cancel()
        if lost:
            raise ChatError("The connection to Slack is lost and could not be made again; start the gateway anew.")

    async def metrics(self) -> str:
        """Return what the gateway counted, as Prometheus reads it; nothing before it runs (OP2)."""
        return await self.gateway.metrics() if self.gateway is not None else ""

    async def from_slack(self, request: web.Request) -> web.Response:
        """Answer what Slack posts; while the agent does not know itself, Slack is asked to come again."""
        if self.door is None:
            return web.Response(status=503, text="The agent takes no messages now: it is starting or stopping.")
        return await self.door.handle(request)


@asynccontextmanager
async def running_gateway(
    settings: Settings, plugins: Plugins, *, host: str, port: int
) -> AsyncIterator[RunningGateway]:
    """Serve one agent on Slack while the context is open: it is ready when the context is entered.

    It connects by Socket Mode where there is an app token; with a signing secret it takes requests over HTTP.

    :param settings: checked for Slack already. :param host: where to listen. :param port: 0 for any free one.
    :raises BootError: it cannot listen or connect, or the agent's id cannot be learned.
    :raises Unavailable: the store or the desk cannot be used.
    """
    async with AsyncExitStack() as stack:
        agent = plugins.make_agent()
        brain = await stack.enter_async_context(gateway_brain(settings))
        listener = bound(port, host)
        running = RunningGateway(f"http://{host}:{port_of(listener)}", brain=brain)
        hosts = LOOPBACK | {host, *settings.server.hosts}
        app = health_application(running.ready, running.from_slack, running.metrics, hosts=hosts)
        session = await stack.enter_async_context(aiohttp.ClientSession())
        chat = _chat(settings, session)
        await stack.enter_async_context(served(app, listener, bounds=Bounds(most=settings.server.connections)))

        me = await learn_account(chat.me, boot_timeout=settings.identity.boot_timeout, clock=now)
        resolver = _identity(settings, me)
        identity = await resolver.resolve()
        entered = await brain.enter(identity.agent, me)
        desk = await open_desk(
            settings.desk_url(identity.agent), clock=now, agent=identity.agent, sync=settings.store.sync,
            pool_size=settings.state.pool_size, statement_timeout=settings.store.statement_timeout.total_seconds(),
        )  # fmt: skip
        stack.push_async_callback(desk.close)
        ports = Ports(
            desk=desk, chat=chat, agent=agent, hooks=plugins, clock=now, new_id=new_id, enter=lambda _known: entered,
        )  # fmt: skip
        config = GatewayConfig(
            approvals_channel=settings.approvals.channel,
            display=me.name or None,
            decides=brain.decides,
            idle_after=settings.one_on_one.idle_after,
        )
        gateway = Gateway(ports, resolver, config)
        running.identity = await brain.begun(gateway.start)
        stack.push_async_callback(gateway.stop, settings.server.drain.total_seconds())
        client = client_for(_token(settings), settings.slack.api_url, session)
        running.door = SlackDoor(
            SlackWiring(
                signing_secret=_secret(settings),
                me=lambda: me,
                client=client,
                inbound=gateway,
                heard=chat.heard,
                changed=chat.forget,
            )
        )
        running.gateway = gateway
        if settings.slack.app_token is not None:
            token = settings.slack.app_token.get_secret_value()
            socket = SlackSocket(running.door, client, token, patience=_patience(settings))
            stack.push_async_callback(socket.stop)
            running.socket = socket
            await socket.start()
        yield running
        running.door = None


def _identity(settings: Settings, me: Me) -> IdentityResolver:
    """Return what decides the agent's id: the environment, else the account (ID1, ID2)."""

    async def account() -> Me:
        return me

    async def nobody() -> tuple[str, ...]:  # an account always says who the agent is: no store is asked (ID3)
        return ()

    return IdentityResolver(
        configured=settings.agent_id,
        ask=account,
        registered=nobody,
        boot_timeout=settings.identity.boot_timeout,
        clock=now,
    )


def _chat(settings: Settings, session: aiohttp.ClientSession) -> SlackChat:
    """Return Slack's Web API with the token that posts; the bot's own beside a person's, for the self-filter (T7)."""
    client = client_for(_token(settings), settings.slack.api_url, session)
    others = []
    if settings.slack.user_token is not None and settings.slack.bot_token is not None:
        others.append(client_for(settings.slack.bot_token.get_secret_value(), settings.slack.api_url, session))
    return SlackChat(client, others=others)


def _token(settings: Settings) -> str:
    """Return the token that posts; the settings were checked to hold one."""
    token = settings.slack.posting_token
    if token is None:
        raise BootError("A gateway on Slack needs SLACK_BOT_TOKEN; to try it without Slack, run: sliceway demo")
    return token


def _secret(settings: Settings) -> str | None:
    """Return the signing secret; with an app token there need not be one."""
    secret = settings.slack.signing_secret
    return secret.get_secret_value() if secret is not None else None


def _patience(settings: Settings) -> Patience:
    """Return how long the first connection is tried: as long as the agent's id is."""
    return Patience(boot=settings.identity.boot_timeout.total_seconds())
