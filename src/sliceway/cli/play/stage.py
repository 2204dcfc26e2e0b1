"""The stage of a play: a local workspace in this process, a gateway in its own, one store."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import aiohttp

from sliceway.cli.play.people import People
from sliceway.cli.play.processes import GatewayProcess, command_line
from sliceway.errors import BootError
from sliceway.wiring import running_workspace

Transport = Literal["http", "socket"]


@dataclass(frozen=True)
class Stage:
    """What a play has: the people, the gateway that runs now, and the environment that both processes share."""

    url: str
    key: str
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
    transport: Transport = "http",
) -> AsyncIterator[Stage]:
    """Open a workspace and a gateway on the store in `data`, and end both afterwards.

    :param port: the workspace's, 0 for any.
    :param settings: more of the gateway's environment.
    :param begin: start the gateway at once.
    :param transport: how the workspace reaches the gateway: by requests, or by Socket Mode.
    :raises ProcessFailed: the gateway does not start.
    :raises BootError: the folder or the port cannot be used.
    """
    store_url = _store_in(data)
    async with running_workspace(port=port) as workspace, aiohttp.ClientSession() as session:
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
            people=people,
            gateway=GatewayProcess(environment, data / "gateway.log"),
            environment=environment,
            store_url=store_url,
            transport=transport,
        )
        try:
            if begin:
                await stage.begin()
            yield stage
        finally:
            await stage.gateway.stop()


def _proofs(app_token: str, signing_secret: str, transport: Transport) -> dict[str, str]:
    """Return what the gateway connects with, or knows the workspace's requests by."""
    return {"SLACK_APP_TOKEN": app_token} if transport == "socket" else {"SLACK_SIGNING_SECRET": signing_secret}


def _store_in(data: Path) -> str:
    """Make the folder, for its owner alone, and return the address of the store in it.

    :raises BootError: it cannot be made, or not be written to.
    """
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BootError(f"The folder {data} cannot be made: {error.strerror}. Name another one with --data.") from None
    if not os.access(data, os.W_OK | os.X_OK):
        raise BootError(f"The folder {data} cannot be written to. Check its owner, or name another one with --data.")
    return f"sqlite:///{data.absolute() / 'brain.db'}"
