"""Behind the page of the demo: the gateway's process is killed and started again, another agent asks the same brain."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from sliceway.cli.play.processes import GatewayProcess
from sliceway.core.principals import Principal
from sliceway.errors import Unavailable
from sliceway.ports import BrainDoor
from sliceway.workspace.backstage import Backstage
from sliceway.workspace.model import Json

OTHER_AGENT = "scout"
"""A coding agent on the same brain, with a mind of its own."""
_HITS = 3


class Stagehands(Backstage):
    """The backstage of one stage: nobody is there before `enter` and after `leave`."""

    def __init__(self) -> None:
        """Begin with nobody there."""
        self._busy = asyncio.Lock()
        self._door: BrainDoor | None = None
        self._gateway: GatewayProcess | None = None
        self._begin: Callable[[], Awaitable[None]] | None = None

    def enter(self, door: BrainDoor, gateway: GatewayProcess, begin: Callable[[], Awaitable[None]]) -> None:
        """Take the way to the brain, the gateway's process, and what starts it again."""
        self._door, self._gateway, self._begin = door, gateway, begin

    async def leave(self) -> None:
        """Let nothing be started any more; return when nothing is being started."""
        async with self._busy:
            self._door = self._gateway = self._begin = None

    async def crash(self) -> Json:
        """Kill the gateway and start it again."""
        async with self._busy:
            if self._gateway is None or self._begin is None:
                raise Unavailable("The gateway is not running, so it cannot crash.")
            killed = self._gateway.pid
            await self._gateway.kill()
            await self._begin()
            return {"killed": killed, "started": self._gateway.pid}

    async def ask_other(self, query: str) -> Json:
        """Have the other agent recall something, as itself."""
        if self._door is None:
            raise Unavailable("The brain is not open.")
        known = await self._door.enter(Principal.operator()).agents()
        names = {agent.id: agent.display or agent.id for agent in known}
        found = await self._door.enter(Principal.agent(OTHER_AGENT)).recall(query=query, limit=_HITS)
        return {
            "agent": OTHER_AGENT,
            "hits": [
                {
                    "slice": hit.slice,
                    "text": hit.snippet,
                    "by": names.get(hit.author.agent or "", hit.author.agent),
                    "for": hit.author.on_behalf_of.name if hit.author.on_behalf_of is not None else None,
                    "yes": hit.approver.name if hit.approver is not None else None,
                }
                for hit in found.hits
            ],
        }
