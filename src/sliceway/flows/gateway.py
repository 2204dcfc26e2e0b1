"""The gateway: what arrives is kept, worked off in order, and what is owed is said. It names no concrete class."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from sliceway.core.turns import Click, Command
from sliceway.errors import SlicewayError, Unauthorized
from sliceway.flows import arrivals
from sliceway.flows.approve import Clicks
from sliceway.flows.card_posts import CARD, RECORD, make_records, post_cards
from sliceway.flows.cards import Follower
from sliceway.flows.commands import unknown_command
from sliceway.flows.dispatch import Dispatcher
from sliceway.flows.drafts import DRAFT, DRAFT_RECORD, record_draft, show_draft
from sliceway.flows.home import show_home
from sliceway.flows.identity import Identity, IdentityResolver
from sliceway.flows.lines import LINE, post_line
from sliceway.flows.metrics import Metrics
from sliceway.flows.notices import HEARD, NOTICE, post_notice, tell_agent
from sliceway.flows.one_on_one import OneOnOne
from sliceway.flows.one_on_one_words import NAME as ONE_ON_ONE
from sliceway.flows.parts import GatewayConfig, Parts
from sliceway.flows.posting import OwedHandler, Poster
from sliceway.flows.presence import Presence
from sliceway.flows.replies import REPLY, post_reply
from sliceway.flows.slices_command import ACTIONS as SLICES_ACTIONS
from sliceway.flows.slices_command import SlicesCommand
from sliceway.flows.slices_words import NAME as SLICES
from sliceway.flows.trouble import NOT_LET_IN, trouble_of
from sliceway.flows.turns import Turns
from sliceway.ports import Agent, Brain, ChatPlatform, Clock, Desk, Hooks, InboxItem, NewId
from sliceway.ports.inbound import TURN, Inbound, Observed

log = logging.getLogger(__name__)

_DESK_ID = "desk"
DRAIN_S = 20.0
"""How long a stop waits for what runs, by default."""
_LAST_WORDS_S = 5.0
_ANSWERS_S = 2.0
"""Seconds within which a brain answers that is ready; who looks at `/readyz` does not wait longer."""


@dataclass(frozen=True, slots=True)
class Ports:
    """What a gateway is made from. `enter` returns the brain as the agent's own, once its id is known."""

    desk: Desk
    chat: ChatPlatform
    agent: Agent
    hooks: Hooks
    clock: Clock
    new_id: NewId
    enter: Callable[[Identity], Brain]


@dataclass(slots=True)
class _Running:
    """What exists once the identity is known."""

    parts: Parts
    turns: Dispatcher
    quick: Dispatcher
    poster: Poster
    follower: Follower
    presence: Presence


class Gateway(Inbound):
    """One agent's gateway. Deliveries are kept from the first moment; they are worked off once the agent's id is known
    (ID7)."""

    def __init__(self, ports: Ports, identity: IdentityResolver, config: GatewayConfig | None = None) -> None:
        """Take the ports and how the identity is learned; `start` begins."""
        self._ports, self._identity = ports, identity
        self._config = config if config is not None else GatewayConfig()
        self._running: _Running | None = None

    async def start(self) -> Identity:
        """Learn who the agent is, record it, and begin to work; return the identity.

        :raises IdentityError: the id cannot be learned. :raises Unavailable: the brain cannot be reached.
        """
        identity = await self._identity.resolve()
        ports = self._ports
        if (desk_id := await ports.desk.cursor(_DESK_ID)) is None:
            desk_id = ports.new_id()
            await ports.desk.move_cursor(_DESK_ID, desk_id)
        parts = Parts(
            identity, ports.enter(identity), ports.desk, ports.chat, ports.agent, ports.hooks, ports.clock,
            holder=ports.new_id(), desk_id=desk_id, config=self._config,
        )  # fmt: skip
        await parts.brain.register(display=self._config.display, source=identity.source)
        self._running = self._build(parts)
        running = self._running
        for worker in (running.turns, running.quick, running.poster, running.follower, running.presence):
            worker.start()
        return identity

    def _build(self, parts: Parts) -> _Running:
        """Tie the flows together."""

        def owes() -> None:
            poster.kick()

        def begins() -> None:
            turns.kick()
            poster.kick()

        one_on_one = OneOnOne(parts, begins)
        slices = SlicesCommand(parts, owes)
        clicks, runner = Clicks(parts, owes), Turns(parts, owes, one_on_one)

        async def click(item: InboxItem) -> None:
            pressed = arrivals.click_from_json(item.payload)
            await (slices.click if pressed.action in SLICES_ACTIONS else clicks.run)(pressed)
            await slices.put_anew(pressed)

        async def command(item: InboxItem) -> None:
            asked = arrivals.command_from_json(item.payload)
            if asked.name == ONE_ON_ONE:
                await one_on_one.run(asked, again=item.again)
            elif asked.name == SLICES:
                await slices.run(asked)
            else:
                await unknown_command(parts, asked)

        async def observed(item: InboxItem) -> None:
            seen = arrivals.observed_from_json(item.payload)
            if seen.what == "home" and seen.person is not None and seen.place is not None:
                await show_home(parts, seen.key, seen.person, seen.place)
            else:
                await arrivals.take_note(parts, one_on_one, seen)

        async def quick_died(item: InboxItem, error: Exception) -> None:
            if item.kind == arrivals.CLICK:
                await clicks.not_counted(arrivals.click_from_json(item.payload), error)
            elif item.kind == arrivals.COMMAND:
                asked = arrivals.command_from_json(item.payload)
                await (slices if asked.name == SLICES else one_on_one).failed(asked, error)
            elif item.kind == arrivals.OBSERVED:
                await arrivals.take_for_the_worst(parts, arrivals.observed_from_json(item.payload))

        turns = Dispatcher(
            parts.desk, parts.holder, self._config, name="turns", handlers={TURN: runner.run}, on_dead=runner.apologise
        )
        quick = Dispatcher(
            parts.desk,
            parts.holder,
            self._config,
            name="clicks and commands",
            handlers={
                arrivals.CLICK: click,
                arrivals.COMMAND: command,
                arrivals.OBSERVED: observed,
                arrivals.REFUSED: runner.too_busy,
            },
            on_dead=quick_died,
            awaited=(arrivals.CLICK, arrivals.COMMAND),
        )
        poster = Poster(parts.desk, parts.holder, self._config, _handlers(parts))
        return _Running(parts, turns, quick, poster, Follower(parts, owes), Presence(parts.desk, parts.holder))

    async def stop(self, deadline_s: float = DRAIN_S) -> None:
        """Take in nothing more, finish what runs within the deadline, and leave the rest on the desk (OP4)."""
        running, self._running = self._running, None
        if running is None:
            return
        loop = asyncio.get_running_loop()
        until = loop.time() + deadline_s
        words_s = min(deadline_s, _LAST_WORDS_S)
        await asyncio.gather(running.turns.stop(deadline_s), running.quick.stop(deadline_s))
        await running.follower.stop()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(words_s):
                await self._said_all(running.poster)
        await running.poster.stop(max(until - loop.time(), words_s))
        await running.presence.stop()
        left = await self._ports.desk.inbox_depth()
        log.info("stopped; %d deliveries wait on the desk for the next start", left)

    async def _said_all(self, poster: Poster) -> None:
        """Wait until nothing is owed that could be said now."""
        while await self._ports.desk.owed_depth():
            poster.kick()
            await asyncio.sleep(0.01)

    async def ready(self) -> dict[str, Any]:
        """Return the facts of readiness: identity, chat, brain, workers, and how much waits (OP2)."""
        identity, running = self._identity.known, self._running
        facts: dict[str, Any] = {
            "agent": identity.agent if identity is not None else None,
            "identity_source": identity.source if identity is not None else None,
            "chat": dict(await self._ports.chat.health()),
            "brain": await self._brain(),
            "inbox_depth": await self._ports.desk.inbox_depth(),
            "working": running is not None
            and all(one.is_alive for one in (running.turns, running.quick, running.poster, running.follower)),
        }
        facts["ready"] = bool(facts["working"] and facts["chat"].get("ok", False) and facts["brain"]["ok"])
        return facts

    async def _brain(self) -> dict[str, Any]:
        """Say whether the brain answers, and why not."""
        if (running := self._running) is None:
            return {"ok": False}
        trouble = await trouble_of(asyncio.wait_for(running.parts.brain.whoami(), _ANSWERS_S))
        if trouble is None:
            return {"ok": True}
        why = NOT_LET_IN if isinstance(trouble, Unauthorized) else "it does not answer"
        return {"ok": False, "code": trouble.code if isinstance(trouble, SlicewayError) else "unavailable", "why": why}

    def counts(self) -> Mapping[str, int]:
        """Return what was counted since the start, for metrics."""
        return dict(self._running.parts.metrics.counts) if self._running is not None else {}

    async def metrics(self) -> str:
        """Return the counts and times since the start, and how much waits, as Prometheus reads it (OP2)."""
        desk = self._ports.desk
        gauges = {"inbox_depth": await desk.inbox_depth(), "dead_letters": len(await desk.dead_letters())}
        return (self._running.parts.metrics if self._running is not None else Metrics()).text(gauges)

    async def event(self, *, key: str, queue: str, kind: str, payload: Mapping[str, Any]) -> bool:
        if kind == TURN and await self._ports.desk.queue_depth(queue) >= self._config.queue_most:
            return await self._refuse(key, payload)
        kept = await self._ports.desk.put_event(key=key, queue=queue, kind=kind, payload=payload)
        if self._running is not None:
            self._running.turns.kick()
        return kept

    async def _refuse(self, key: str, payload: Mapping[str, Any]) -> bool:
        """Keep only that a message came, without its words: its thread is full, and its person is told so."""
        wordless = {**payload, "text": "", "raw": "", "forwarded": None}
        kept = await self._ports.desk.put_event(
            key=key, queue=f"{arrivals.REFUSED}/{key}", kind=arrivals.REFUSED, payload=wordless
        )
        if self._running is not None:
            self._running.quick.kick()
        return kept

    async def click(self, click: Click) -> Mapping[str, str]:
        await self._keep(click, arrivals.CLICK)
        return {}

    async def command(self, command: Command) -> str | None:
        await self._keep(command, arrivals.COMMAND)
        return None

    async def observe(self, observed: Observed) -> None:
        await self._keep(observed, arrivals.OBSERVED)

    async def throttled(self, team: str) -> None:
        log.error("the chat platform withholds events of team %s for a while: too many came", team)

    async def _keep(self, arrival: Click | Command | Observed, kind: str) -> None:
        """Keep what must not wait behind a turn, in a queue of its own."""
        key = f"{kind}/{arrival.key}"
        await self._ports.desk.put_event(key=key, queue=key, kind=kind, payload=arrivals.to_json(arrival))
        if self._running is not None:
            self._running.quick.kick()


def _handlers(parts: Parts) -> dict[str, OwedHandler]:
    """Return what does each kind of debt."""
    return {
        REPLY: partial(post_reply, parts),
        CARD: partial(post_cards, parts),
        RECORD: partial(make_records, parts),
        NOTICE: partial(post_notice, parts),
        LINE: partial(post_line, parts),
        HEARD: partial(tell_agent, parts),
        DRAFT: partial(show_draft, parts),
        DRAFT_RECORD: partial(record_draft, parts),
    }
