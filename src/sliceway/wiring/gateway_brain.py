"""The brain of a gateway: its own over a store on this machine, or one elsewhere that lets it in by a token."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, TypeVar

from sliceway.brain.local import LocalDoor
from sliceway.core.principals import Principal
from sliceway.errors import BootError, IdentityError, Unauthorized, Unavailable
from sliceway.flows.admission import token_checks
from sliceway.flows.boot import answered
from sliceway.flows.trouble import NOT_LET_IN
from sliceway.ports import Brain, BrainDoor, Me, WhoAmI
from sliceway.settings import Settings
from sliceway.store.last_run import note_agent
from sliceway.wiring.doors import open_door
from sliceway.wiring.embedding import embedding, embedding_facts
from sliceway.wiring.fresh import ended, now
from sliceway.wiring.store import keeper_of, migrations, open_store, prepare_policy, warn_of_nobody

_log = logging.getLogger("sliceway.gateway")

Answer = TypeVar("Answer")


class GatewayBrain(ABC):
    """What a gateway needs of its brain beside the port.

    :ivar decides: it relays decisions there, and so posts cards.
    :ivar waits: why the gateway is not ready yet, None where it does not wait for its brain.
    """

    decides = True
    waits: str | None = None

    @abstractmethod
    async def enter(self, agent: str, me: Me) -> Brain:
        """Return the brain as the gateway of this agent has it, once both agree who that is.

        :raises BootError: they do not; nothing was written.
        """

    @abstractmethod
    async def begun(self, begin: Callable[[], Awaitable[Answer]]) -> Answer:
        """Do what begins the gateway's work and writes to the brain first."""

    @abstractmethod
    async def told(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        """Return the facts of readiness with what is known of the brain here (OP2)."""


class Embedded(GatewayBrain):
    """A store on this machine, which this gateway migrates and keeps, and whose policy it copies from the settings."""

    def __init__(self, settings: Settings, door: LocalDoor, stack: AsyncExitStack) -> None:
        """Take the open store, and what ends with it."""
        self._settings, self._door, self._stack = settings, door, stack

    async def enter(self, agent: str, me: Me) -> Brain:
        await prepare_policy(self._settings, self._door, teams={me.team})
        self._note_run(agent, me)
        keeper = keeper_of(self._settings, self._door)
        self._stack.push_async_callback(ended, asyncio.create_task(keeper.run(), name="keeper"))
        await self._stack.enter_async_context(embedding(self._door))
        return self._door.enter(Principal.gateway(agent, teams=(me.team,), acts_for=True, decides=True))

    async def begun(self, begin: Callable[[], Awaitable[Answer]]) -> Answer:
        return await begin()

    async def told(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        schema = await migrations(self._door)
        waits = await embedding_facts(self._door)
        return {**facts, "migrations": schema, "embedding": waits, "ready": facts["ready"] and schema["ok"]}

    def _note_run(self, agent: str, me: Me) -> None:
        """Remember who the account was at this run, and say so where it was another agent before (ID12)."""
        try:
            was = note_agent(self._settings.store_file, f"{me.team}/{me.app or ''}", agent)
        except OSError as error:
            _log.warning("which agent ran last cannot be kept beside the store: %s", error.strerror)
            return
        if was is not None:
            _log.warning(
                "this app ran as agent %s before and is %s now, with a mind of its own; to go on with the earlier one: "
                "sliceway agent rename %s %s", was, agent, was, agent,
            )  # fmt: skip


class Elsewhere(GatewayBrain):
    """A brain behind a server. It keeps its own policy and schema; this gateway is what its token says (AP7, BR2)."""

    def __init__(self, settings: Settings, door: BrainDoor) -> None:
        """Take the open door; nothing was sent yet."""
        self._settings, self._door = settings, door
        self._where = settings.brain.url or ""

    async def enter(self, agent: str, me: Me) -> Brain:
        brain = self._door.enter()
        who = await self.begun(brain.whoami)
        self._admitted(who, agent, me)
        self.decides = bool(who.principal.get("decides"))
        policy = await self.begun(brain.policy)
        if me.team not in policy.teams:
            _log.warning(
                "the brain's policy does not name workspace %s, so its people count as outsiders; where the brain's "
                "store is, run: sliceway policy set teams %s", me.team, ",".join(sorted({*policy.teams, me.team})),
            )  # fmt: skip
        warn_of_nobody(policy)
        return brain

    async def begun(self, begin: Callable[[], Awaitable[Answer]]) -> Answer:
        def tell(error: BaseException | None) -> None:
            self.waits = f"the brain at {self._where} does not answer"
            _log.warning("the brain does not answer (%s); asking again", error)

        try:
            answer = await answered(
                begin, passing=(Unavailable,), boot_timeout=self._settings.identity.boot_timeout, clock=now, tell=tell
            )
        except Unauthorized as error:
            raise BootError(f"The gateway cannot start at the brain at {self._where}: {NOT_LET_IN}.") from error
        self.waits = None
        return answer

    def _admitted(self, who: WhoAmI, agent: str, me: Me) -> None:
        """Log what the token will not do.

        :raises BootError: it is not the token of this agent's gateway in this workspace.
        """
        for check in token_checks(who, agent=agent, team=me.team):
            words = f"{check.says} {check.cure}".strip()
            if not check.ok:
                raise (IdentityError if check.name == "brain_agent" else BootError)(words)
            if check.cure:
                _log.warning("%s", words)

    async def told(self, facts: Mapping[str, Any]) -> dict[str, Any]:
        return {**facts, "brain": {**facts["brain"], "url": self._where}}


@asynccontextmanager
async def gateway_brain(settings: Settings) -> AsyncIterator[GatewayBrain]:
    """Open the brain that the settings name while the context is open.

    :raises Unavailable: the store cannot be used.
    """
    async with AsyncExitStack() as stack:
        if settings.brain.url is None:
            yield Embedded(settings, await stack.enter_async_context(await open_store(settings, waits=False)), stack)
        else:
            yield Elsewhere(settings, await stack.enter_async_context(await open_door(settings)))
