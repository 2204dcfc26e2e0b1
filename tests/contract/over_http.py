"""The engine `http+sqlite`: the store of the test behind a real server, entered by tokens through the client.

The operator holds the file and has no token, so the operator's calls go to the store itself. Every other principal of
a test is given a token of the same kind and rights at its first call, and is that token's client from then on.
"""

from __future__ import annotations

import asyncio
from abc import ABCMeta
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, cast

from sliceway.brain.local import LocalDoor, open_local
from sliceway.client import open_remote
from sliceway.client.repeats import REPEATS
from sliceway.core.principals import Principal, PrincipalKind
from sliceway.errors import InvalidRequest
from sliceway.ports import Brain, BrainDoor, NewId
from sliceway.server.app import Parts, brain_application
from sliceway.server.running import Running
from sliceway.web.guard import LOOPBACK
from sliceway.web.serving import bound, port_of, served
from tests.fakes.clock import HandClock, ids

NO_LIMIT = 1e9
_OF_A_CLIENT = 10**9
"""Where the ids begin that clients make, so that those of the store stay as they are without a wire."""


class Served(BrainDoor):
    """The way in of a test: a server that starts with the first call that needs it."""

    def __init__(self, local: LocalDoor) -> None:
        """Serve `local`."""
        self.local = local
        self._entered: dict[Principal, Brain] = {}
        self._stack = AsyncExitStack()
        self._starting = asyncio.Lock()
        self._running = Running()
        self._address = ""
        self._new_id = ids(_OF_A_CLIENT)

    def enter(self, principal: Principal | None = None) -> Brain:
        """Return the brain as that principal has it, by a token of its own; the operator's own for the operator."""
        if principal is None:
            raise InvalidRequest("A test enters by a principal.")
        if principal.kind is PrincipalKind.OPERATOR:
            return self.local.enter(principal)
        if principal not in self._entered:
            self._entered[principal] = EnteredBrain(self, principal)
        return self._entered[principal]

    async def client_of(self, principal: Principal) -> Brain:
        """Return a client with a token that stands for this principal."""
        address = await self._served()
        rights = {
            "agent": principal.agent_id, "teams": sorted(principal.teams), "acts_for": principal.acts_for,
            "decides": principal.decides, "slices": sorted(principal.slices),
        }  # fmt: skip
        operator = self.local.enter(Principal.operator("door"))
        made = await operator.create_token(kind=principal.kind.value, **{k: v for k, v in rights.items() if v})
        door = open_remote(address, made.token, new_id=self._new_id)
        return (await self._stack.enter_async_context(door)).enter()

    async def _served(self) -> str:
        async with self._starting:
            if not self._address:
                listener = bound(0)
                parts = Parts(
                    enter=self.local.enter, principal_of=self.local.principal_of, ready=_nothing, gauges=_nothing,
                    hosts=LOOPBACK, rate=NO_LIMIT,
                )  # fmt: skip
                app = brain_application(parts, self._running)
                await self._stack.enter_async_context(
                    served(app, listener, until_hung_up=True, longest_line=2**16, unpacks=False)
                )
                self._address = f"http://127.0.0.1:{port_of(listener)}"
        return self._address

    async def close(self) -> None:
        """Close clients, then the server, then the store."""
        self._running.stopping.set()
        await self._stack.aclose()
        await self.local.close()


class _Entered(Brain):
    """A brain whose token is made when it is first called."""

    def __init__(self, door: Served, principal: Principal) -> None:
        self._door, self._principal = door, principal
        self._making: asyncio.Task[Brain] | None = None

    async def reached(self) -> Brain:
        """Return the client; made once, however many call."""
        if self._making is None:
            self._making = asyncio.ensure_future(self._door.client_of(self._principal))
        return await asyncio.shield(self._making)


def _method(call: str) -> Callable[..., Awaitable[Any]]:
    async def made(self: _Entered, *args: Any, **named: Any) -> Any:
        return await getattr(await self.reached(), call)(*args, **named)

    return made


EnteredBrain = cast("type[_Entered]", ABCMeta("EnteredBrain", (_Entered,), {call: _method(call) for call in REPEATS}))


async def _nothing() -> Mapping[str, Any]:
    return {}


async def open_served(folder: Path, clock: HandClock, new_id: NewId) -> BrainDoor:
    """Open a store in `folder`, to be entered over HTTP."""
    return Served(await open_local(f"sqlite:///{folder / 'store.db'}", sync="normal", clock=clock, new_id=new_id))
