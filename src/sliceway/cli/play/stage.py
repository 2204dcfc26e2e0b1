"""The stage of a play: a local workspace in this process, a gateway in its own, one store."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import aiohttp

from sliceway.cli.play.backstage import Stagehands
from sliceway.cli.play.held import usable
from sliceway.cli.play.landings import BrainLandings
from sliceway.cli.play.people import People
from sliceway.cli.play.processes import GatewayProcess, command_line
from sliceway.wiring import open_brain, running_workspace

Transport = Literal["http", "socket"]


@dataclass(frozen=True)
class Stage:
    """What a play has: the people, the gateway that runs now, and the environment that both processes share."""

    url: str
    key: str
    page_url: str
    people: People
    gateway: GatewayProcess
    environment: Mapping[str, str]
    store_url: str
    transport: Transport = "http"

    async def command_line(self, *arguments: str) -> Any:
        """Run a verb on the same store and return its answer."""
        return await command_line(*arguments, environment=self.environment)

    async def begin(self) -> None:
        """Start the gateway and, unless it connects by itself, tell the workspace where it listens."""
        await self.gateway.start()
        if self.transport == "http":
            await self.people.point_at(f"{self.gateway.url}/slack/events")

    async def crash_and_restart(self) -> None:
        """Kill the gateway as a crash would, and start it again."""
        await self.gateway.kill()
        await self.begin()


@asynccontextmanager
async def open_stage(
    data: Path,
    *,
    port: int = 0,
    settings: Mapping[str, str] | None = None,
    begin: bool = True,
    keep: Path | None = None,
    transport: Transport = "http",
) -> AsyncIterator[Stage]:
    """Open a workspace and a gateway on the store in `data`, and end both afterwards.

    :param port: the workspace's, 0 for any.
    :param settings: more of the gateway's environment.
    :param begin: start the gateway at once.
    :param keep: the file that keeps what was said; without it each workspace begins anew.
    :param transport: how the workspace reaches the gateway: by requests, or by Socket Mode.
    :raises ProcessFailed: the gateway does not start.
    :raises BootError: the folder or the port cannot be used.
    """
    store_url = _store_in(data)
    landings, hands = BrainLandings(), Stagehands()
    async with (
        running_workspace(port=port, landings=landings, keep=keep, backstage=hands) as workspace,
        open_brain(store_url, embed="none") as door,  # it looks on; the gateway embeds
        aiohttp.ClientSession() as session,
    ):
        landings.enter(door)
        people = People(session, workspace.url, workspace.key)
        await people.meet()
        environment = {
            "SLICEWAY_STORE__URL": store_url,
            "SLICEWAY_POLICY__MANAGERS": ",".join(people.all("manager")),
            "SLACK_BOT_TOKEN": workspace.tokens.bot,
            **_proofs(workspace.tokens.app, workspace.tokens.signing_secret, transport),
            "SLACK_API_URL": workspace.api_url,
            **(settings or {}),
        }
        stage = Stage(
            url=workspace.url,
            key=workspace.key,
            page_url=workspace.page_url,
            people=people,
            gateway=GatewayProcess(environment, data / "gateway.log"),
            environment=environment,
            store_url=store_url,
            transport=transport,
        )
        try:
            if begin:
                await stage.begin()
            hands.enter(door, stage.gateway, stage.begin)
            yield stage
        finally:
            await hands.leave()
            await stage.gateway.stop()


def _proofs(app_token: str, signing_secret: str, transport: Transport) -> dict[str, str]:
    """Return what the gateway connects with, or knows the workspace's requests by."""
    return {"SLACK_APP_TOKEN": app_token} if transport == "socket" else {"SLACK_SIGNING_SECRET": signing_secret}


def _store_in(data: Path) -> str:
    """Make the folder and return the address of the store in it."""
    return f"sqlite:///{usable(data).absolute() / 'brain.db'}"
