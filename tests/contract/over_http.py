"""The engines behind a wire: the store of the test behind a real server, entered by tokens through the client.

The operator holds the file and has no token, so the operator's calls go to the store itself. Every other principal of
a test is given a token of the same kind and rights when it enters, and is that token's client from then on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import httpx

from sliceway.brain.local import LocalDoor, open_local
from sliceway.client import Patience, RemoteDoor, open_remote
from sliceway.core.principals import Principal, PrincipalKind
from sliceway.errors import InvalidRequest
from sliceway.ports import Brain, BrainDoor, NewId
from sliceway.server.app import Parts, brain_application
from sliceway.server.running import Running
from sliceway.web.connections import Bounds
from sliceway.web.guard import LOOPBACK
from sliceway.web.serving import bound, port_of, served
from tests.fakes.clock import HandClock, ids

_NO_LIMIT = 1e9
_OF_THE_WIRE = 10**9
"""Where the ids begin that clients take, so that none is one of the store's."""


class LosesAnswers(httpx.AsyncHTTPTransport):
    """A wire that carries every request, and loses the next so many answers after the server gave them."""

    def __init__(self) -> None:
        """Lose none."""
        super().__init__()
        self.lose = 0
        self.lost = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Carry a request and, if this one's answer is to be lost, break off when the server is done."""
        response = await super().handle_async_request(request)
        if self.lose == 0:
            return response
        self.lose, self.lost = self.lose - 1, self.lost + 1
        await response.aread()
        await response.aclose()
        raise httpx.ReadError("the answer was lost", request=request)


class Served(BrainDoor):
    """The way in of a test: a store, its server, and a client for each principal that enters."""

    def __init__(self, local: LocalDoor) -> None:
        """Stand before `local`."""
        self.local = local
        self._entered: dict[Principal, RemoteDoor] = {}
        self._stack = AsyncExitStack()
        self._running = Running()
        self._new_id = ids(_OF_THE_WIRE)
        self.address = ""

    async def serve(self) -> None:
        """Start the server, on an ephemeral port."""
        listener = bound(0)
        parts = Parts(
            enter=self.local.enter, principal_of=self.local.principal_of, ready=_nothing, gauges=_nothing,
            hosts=LOOPBACK, rate=_NO_LIMIT,
        )  # fmt: skip
        app = brain_application(parts, self._running)
        await self._stack.enter_async_context(
            served(app, listener, until_hung_up=True, bounds=Bounds(longest_line=2**16, unpacks=False))
        )
        self.address = f"http://127.0.0.1:{port_of(listener)}"

    def enter(self, principal: Principal | None = None) -> Brain:
        """Return the brain as that principal has it, by a token of its own; the operator's own for the operator."""
        if principal is None:
            raise InvalidRequest("A test enters by a principal.")
        if principal.kind is PrincipalKind.OPERATOR:
            return self.local.enter(principal)
        if principal not in self._entered:
            self._entered[principal] = open_remote(self.address, self.token_for(principal), new_id=self._new_id)
        return self._entered[principal].enter()

    def token_for(self, principal: Principal) -> str:
        """Return a new token that stands for this principal. It is made at once, so that nothing is recorded later
        than the test expects; entering is no coroutine, so another thread makes it."""
        rights: dict[str, Any] = {
            "agent": principal.agent_id, "teams": sorted(principal.teams), "acts_for": principal.acts_for,
            "decides": principal.decides, "slices": sorted(principal.slices),
        }  # fmt: skip
        given = {name: value for name, value in rights.items() if value}
        operator = self.local.enter(Principal.operator("door"))

        async def made() -> str:
            return (await operator.create_token(kind=principal.kind.value, **given)).token

        with ThreadPoolExecutor(1) as thread:
            return thread.submit(lambda: asyncio.run(made())).result()

    async def losing(self, principal: Principal) -> tuple[Brain, LosesAnswers]:
        """Return a client of that principal's, and the wire that loses answers when it is told to."""
        wire = LosesAnswers()
        door = open_remote(
            self.address, self.token_for(principal), patience=Patience(retries=2), transport=wire, new_id=self._new_id
        )  # fmt: skip
        return (await self._stack.enter_async_context(door)).enter(), wire

    async def close(self) -> None:
        """Close clients, then the server, then the store."""
        for door in self._entered.values():
            await door.close()
        self._running.stopping.set()
        await self._stack.aclose()
        await self.local.close()


async def _nothing() -> Mapping[str, Any]:
    return {}


async def open_served(folder: Path, clock: HandClock, new_id: NewId, url: str | None = None) -> BrainDoor:
    """Open a store in `folder`, or at `url`, to be entered over HTTP."""
    store = await open_local(url or f"sqlite:///{folder / 'store.db'}", sync="normal", clock=clock, new_id=new_id)
    door = Served(store)
    await door.serve()
    return door
