"""How the tests talk to a running workspace: as the app, over the Web API, and as people, over the control API."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import aiohttp

from sliceway.workspace.faults import Fault
from sliceway.workspace.options import Options
from sliceway.workspace.server import DEFAULT, RunningWorkspace, running_workspace

Json = dict[str, Any]
APP = "<@USLICEWAY>"


@dataclass(frozen=True)
class Client:
    """One HTTP client of one running workspace."""

    workspace: RunningWorkspace
    http: aiohttp.ClientSession

    async def api(self, method: str, /, _token: str | None = None, **arguments: Any) -> Json:
        """Call the Web API as the app does, with a JSON body and its bot token."""
        headers = {"Authorization": f"Bearer {_token or self.workspace.tokens.bot}"}
        async with self.http.post(self.workspace.api_url + method, headers=headers, json=arguments) as response:
            body: Json = await response.json()
            return body

    async def control(self, verb: str, /, **body: Any) -> Json:
        """Do something as a person; the answer has to be HTTP 200."""
        status, answer = await self.attempt(verb, **body)
        assert status == 200, answer
        return answer

    async def attempt(self, verb: str, /, **body: Any) -> tuple[int, Json]:
        """Do something as a person, and return the status and the answer."""
        return await self.post(f"/_control/{verb}", body)

    async def post(self, path: str, body: Any) -> tuple[int, Json]:
        """Post a body with the workspace's key."""
        async with self.http.post(self.workspace.url + path, headers=self.key, json=body) as response:
            return response.status, await response.json()

    async def look(self, what: str, /, **query: str) -> Json:
        """Read one of the control API's views."""
        async with self.http.get(f"{self.workspace.url}/_control/{what}", headers=self.key, params=query) as response:
            body: Json = await response.json()
            return body

    async def messages(self, channel: str, **query: str) -> list[Json]:
        """Read the messages of a channel."""
        found: list[Json] = (await self.look("messages", channel=channel, **query))["messages"]
        return found

    async def say(self, user: str, channel: str, text: str, **more: str) -> str:
        """Say something and return its timestamp."""
        ts: str = (await self.control("say", user=user, channel=channel, text=text, **more))["ts"]
        return ts

    @property
    def key(self) -> dict[str, str]:
        """The header that opens the control API."""
        return {"X-Workspace-Key": self.workspace.key}


@asynccontextmanager
async def workspace_client(*faults: Fault, options: Options = DEFAULT, port: int = 0) -> AsyncIterator[Client]:
    """Open a workspace, on a free port unless one is named, and a client of it."""
    async with (
        running_workspace(faults=faults, options=options, port=port) as workspace,
        aiohttp.ClientSession() as http,
    ):
        yield Client(workspace, http)
