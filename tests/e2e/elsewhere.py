"""A gateway and a brain's server as they are put together for real, both in this process, each started and ended
alone."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sliceway.brain.local import LocalDoor, open_local
from sliceway.core.principals import Principal
from sliceway.plugins import load_all
from sliceway.ports import Brain
from sliceway.settings import load_settings
from sliceway.web.serving import bound, port_of
from sliceway.wiring import RunningGateway, now, running_brain, running_gateway
from tests.contract.workspace_client import Client, workspace_client
from tests.e2e.slack_gateway import TEAM
from tests.fakes.clock import ids
from tests.fakes.waiting import until

ADA, BOT = "ada", "USLICEWAY"


def free_port() -> int:
    """Return a port on which nothing listens."""
    listener = bound(0)
    port = port_of(listener)
    listener.close()
    return port


@dataclass
class Office:
    """A workspace, and the store of a brain that is served at one address whenever it is."""

    slack: Client
    folder: Path
    store: LocalDoor
    port: int

    @property
    def operator(self) -> Brain:
        """The brain as whoever holds the store has it."""
        return self.store.enter(Principal.operator("op"))

    @property
    def url(self) -> str:
        """Where the brain is served."""
        return f"http://127.0.0.1:{self.port}"

    async def token(self, agent: str = ADA, **rights: Any) -> tuple[str, str]:
        """Make a gateway's token with every right, unless said otherwise; return its id and itself."""
        given = {"kind": "gateway", "agent": agent, "teams": [TEAM], "acts_for": True, "decides": True, **rights}
        made = await self.operator.create_token(**{name: value for name, value in given.items() if value is not None})
        return made.entry.id, made.token

    @asynccontextmanager
    async def served(self) -> AsyncIterator[None]:
        """Serve the brain while the context is open."""
        env = {
            "SLICEWAY_STORE__URL": f"sqlite:///{self.folder}/brain.db", "SLICEWAY_SERVER__DRAIN": "1s",
            "SLICEWAY_EMBED__MODEL": "none",
        }  # fmt: skip
        async with running_brain(load_settings(env=env), host="127.0.0.1", port=self.port):
            yield

    def environment(self, token: str, agent: str = ADA, **more: str) -> Mapping[str, str]:
        """Return the settings of a gateway."""
        return {
            "SLICEWAY_AGENT_ID": agent, "SLICEWAY_BRAIN__URL": self.url, "SLICEWAY_BRAIN__TOKEN": token,
            "SLICEWAY_BRAIN__DEADLINE": "1s", "SLICEWAY_BRAIN__RETRIES": "0",
            "SLICEWAY_STATE__URL": f"sqlite:///{self.folder}/desk-{agent}.db", "SLICEWAY_IDENTITY__BOOT_TIMEOUT": "30s",
            "SLICEWAY_SERVER__DRAIN": "1s", "SLACK_BOT_TOKEN": self.slack.workspace.tokens.bot,
            "SLACK_SIGNING_SECRET": self.slack.workspace.tokens.signing_secret,
            "SLACK_API_URL": self.slack.workspace.api_url, **more,
        }  # fmt: skip

    @asynccontextmanager
    async def gateway(
        self, token: str, agent: str = ADA, *, port: int = 0, **more: str
    ) -> AsyncIterator[RunningGateway]:
        """Run a gateway while the context is open, and have the workspace reach it."""
        settings, plugins = load_all(env=self.environment(token, agent, **more), on_slack=True)
        async with running_gateway(settings, plugins, host="127.0.0.1", port=port) as running:
            self.slack.workspace.connect(f"{running.url}/slack/events")
            try:
                yield running
            finally:
                self.slack.workspace.connect(None)

    async def ready(self, gateway_url: str) -> tuple[int, dict[str, Any]]:
        """Ask a gateway whether it is ready; 0 where nothing listens yet."""
        try:
            async with self.slack.http.get(f"{gateway_url}/readyz") as answer:
                return answer.status, await answer.json()
        except OSError:
            return 0, {}

    async def answers(self, channel: str, root: str) -> list[str]:
        """Return what the agent said in a thread."""
        return [str(one["text"]) for one in (await self.slack.messages(channel, thread_ts=root))[1:]]

    async def answered(self, channel: str, root: str, count: int = 1) -> list[str]:
        """Wait until the agent said so many things in a thread, and return them."""

        async def enough() -> bool:
            return len(await self.answers(channel, root)) >= count

        await until(enough)
        return await self.answers(channel, root)


@asynccontextmanager
async def office(folder: Path) -> AsyncIterator[Office]:
    """Open a workspace and a store in which Mia and Max manage; nothing is served yet."""
    async with AsyncExitStack() as stack:
        slack = await stack.enter_async_context(workspace_client())
        store = await open_local(f"sqlite:///{folder}/brain.db", sync="normal", clock=now, new_id=ids())
        await stack.enter_async_context(store)
        await store.enter(Principal.operator("op")).set_policy(managers=["UMIA", "UMAX"], teams=[TEAM])
        yield Office(slack, folder, store, free_port())


@asynccontextmanager
async def ended(task: asyncio.Task[Any]) -> AsyncIterator[None]:
    """End a task with the context."""
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
