"""A whole gateway over a real brain and a real desk, with people to play: only chat is a fake."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path

from sliceway.brain.keeper import Keeper
from sliceway.brain.local import LocalDoor, open_local
from sliceway.core.gate import Verdict
from sliceway.core.pages import Receipt
from sliceway.core.policy import Policy
from sliceway.core.principals import Principal
from sliceway.core.proposals import Proposal
from sliceway.core.turn_codec import turn_to_json
from sliceway.core.turns import Click, Command, Person, Place, PlaceKind, ShownList, Standing, Turn
from sliceway.flows.gateway import Gateway, Ports
from sliceway.flows.identity import IdentityResolver
from sliceway.flows.parts import GatewayConfig
from sliceway.ports import Agent, Brain, Decision, Desk, Hooks, NewId, Reply, Tools
from sliceway.ports.inbound import TURN
from sliceway.store.desk import open_desk
from tests.fakes.chat import ROOM, TEAM, FakeChat, Said, reply_of
from tests.fakes.clock import HandClock, ids
from tests.fakes.waiting import is_worked_off, until

AGENT = "ada"
Script = Callable[[Turn, Tools], AsyncIterator[Reply]]


async def silent(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
    """Say nothing."""
    nothing: tuple[Reply, ...] = ()
    for reply in nothing:
        yield reply


@dataclass
class ScriptedAgent(Agent):
    """Answers as its script says, and remembers the turns and decisions it saw."""

    script: Script = silent
    turns: list[Turn] = field(default_factory=list)
    heard: list[Proposal] = field(default_factory=list)

    async def respond(self, turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        self.turns.append(turn)
        async for reply in self.script(turn, tools):
            yield reply

    async def on_decision(self, decision: Decision) -> None:
        self.heard.append(decision.proposal)


@dataclass
class PlainHooks(Hooks):
    """One plugin, whose verdict is set by hand; None where there is none."""

    verdict: Verdict | None = None
    changed: list[Proposal] = field(default_factory=list)
    done: list[str] = field(default_factory=list)

    async def tighten(self, op: str, destination: str, verdict: Verdict, now: datetime) -> Verdict:
        return max(verdict, self.verdict) if self.verdict is not None else verdict

    async def turn_done(self, turn: Turn, receipts: tuple[Receipt, ...], proposals: tuple[Proposal, ...]) -> None:
        self.done.append(turn.key)

    async def proposal_changed(self, proposal: Proposal) -> None:
        self.changed.append(proposal)

    @property
    def can_tighten(self) -> bool:
        return self.verdict is not None


@dataclass
class Rig:
    """The parts of one test, and what people do."""

    folder: Path
    clock: HandClock
    chat: FakeChat
    agent: ScriptedAgent
    hooks: PlainHooks
    door: LocalDoor
    new_id: NewId
    desk: Desk
    gateway: Gateway
    config: GatewayConfig
    agent_id: str = AGENT
    count: Callable[[], int] = field(default_factory=lambda: itertools.count(1).__next__)

    @property
    def brain(self) -> Brain:
        """The brain as the gateway enters it."""
        return self.door.enter(principal_of(self.agent_id))

    @property
    def operator(self) -> Brain:
        """The brain as the operator enters it."""
        return self.door.enter(Principal.operator("op"))

    async def restart(self) -> None:
        """Stop the gateway, as a kill would leave it, and start another on the same files."""
        await self.gateway.stop(0.0)
        await self.desk.close()
        await self.start_again(later=self.config.lease_s + 1)

    async def start_again(self, *, later: float) -> None:
        """Start another gateway on the same files, so many seconds later."""
        self.clock.forward(seconds=later)
        self.desk = await open_desk(f"sqlite:///{self.folder}/desk.db", clock=self.clock, sync="normal")
        self.gateway = gateway_of(self)
        await self.gateway.start()

    async def beside(self, agent_id: str) -> Rig:
        """Start a second gateway, of another agent with a desk of its own, over the same brain and the same chat."""
        desk = await open_desk(f"sqlite:///{self.folder}/{agent_id}.db", clock=self.clock, sync="normal")
        other = replace(self, agent=ScriptedAgent(), hooks=PlainHooks(), desk=desk, agent_id=agent_id)
        other.gateway = gateway_of(other)
        await other.gateway.start()
        return other

    async def wait(self, **length: float) -> None:
        """Let time pass, and the keeper do its round."""
        self.clock.forward(**length)
        await Keeper(self.door.database, clock=self.clock, new_id=self.new_id, holder="keeper").run_once()
        await self.quiet()

    async def say(
        self, user: str, text: str, *, place: Place | None = None, key: str | None = None, wait: bool = True
    ) -> Turn:
        """Have somebody say something to the agent, each time as a thread of its own where no place is given."""
        number = self.count()
        where = place if place is not None else Place("slack", TEAM, ROOM, f"{number}.5")
        turn = Turn(key or f"turn-{number}", "", someone(user), where, text=text, raw=text)
        queue = f"{where.team}/{where.channel}/{where.thread}"
        await self.gateway.event(key=turn.key, queue=queue, kind=TURN, payload=turn_to_json(turn))
        if wait:
            await self.quiet()
        return turn

    async def retried(self) -> None:
        """Let time pass until what failed was tried again and nothing waits."""

        async def is_empty() -> bool:
            self.clock.forward(seconds=0.5)
            return await self.desk.inbox_depth() == 0

        await until(is_empty)
        await self.quiet()

    async def press(self, user: str, said: Said, label: str, *, wait: bool = True) -> Click:
        """Press the button of a message that has this label."""
        button = next(one for one in said.buttons if one.label == label)
        _, proposal, revision = button.value.split(".")
        listed = said.message is not None and said.message.name
        click = Click(
            f"click-{self.count()}", button.action, someone(user), said.place, proposal, int(revision),
            message=said.ref.message, trigger=f"trigger-{self.count()}",
            shown=ShownList(said.message.name, reply_of(said)) if said.message is not None and listed else None,
        )  # fmt: skip
        await self.gateway.click(click)
        if wait:
            await self.quiet()
        return click

    async def submit(self, click: Click, action: str, form: str, **values: str) -> dict[str, str]:
        """Submit the form that a click opened."""
        sent = replace(click, key=f"form-{self.count()}", action=action, form=form, values=values)
        wrong = dict(await self.gateway.click(sent))
        await self.quiet()
        return wrong

    async def type(self, user: str, text: str, *, channel: str = ROOM, name: str = "1on1", wait: bool = True) -> None:
        """Type a slash command at a channel's root."""
        kind = PlaceKind.IM if channel.startswith("D") else PlaceKind.CHANNEL
        place = Place("slack", TEAM, channel, kind=kind)
        await self.gateway.command(
            Command(f"command-{self.count()}", name, text, someone(user), place, trigger="typed")
        )
        if wait:
            await self.quiet()

    async def quiet(self) -> None:
        """Wait until everything that arrived and followed is done."""
        await until(lambda: is_worked_off(self.desk, self.brain))

    async def close(self) -> None:
        """Stop everything."""
        await self.gateway.stop(5.0)
        await self.desk.close()
        await self.door.close()


def principal_of(agent: str) -> Principal:
    """Return the principal of an agent's gateway with every right."""
    return Principal.gateway(agent, teams=[TEAM], acts_for=True, decides=True)


def someone(user: str) -> Person:
    """Return a person as they arrive: nobody knows yet what they are."""
    return Person(TEAM, user, standing=Standing.STRANGER)


def gateway_of(rig: Rig) -> Gateway:
    """Return a gateway over a rig's parts."""

    async def nobody() -> tuple[str, ...]:
        return ()

    identity = IdentityResolver(
        configured=rig.agent_id, ask=None, registered=nobody, boot_timeout=timedelta(seconds=1), clock=rig.clock
    )
    ports = Ports(
        rig.desk, rig.chat, rig.agent, rig.hooks, rig.clock, rig.new_id, lambda known: rig.door.enter(
            principal_of(known.agent)
        ),
    )  # fmt: skip
    return Gateway(ports, identity, rig.config)


async def make_rig(folder: Path, *, config: GatewayConfig | None = None, **policy: object) -> Rig:
    """Return a running gateway in an empty folder; two managers decide unless `policy` says otherwise."""
    clock, new_id = HandClock(), ids()
    door = await open_local(f"sqlite:///{folder}/brain.db", sync="normal", clock=clock, new_id=new_id)
    desk = await open_desk(f"sqlite:///{folder}/desk.db", clock=clock, sync="normal")
    settings = config if config is not None else GatewayConfig(tick_s=0.01)
    rig = Rig(
        folder, clock, FakeChat(), ScriptedAgent(), PlainHooks(), door, new_id, desk,
        gateway=None,  # type: ignore[arg-type]  # made from the rig itself, in the next line
        config=settings,
    )  # fmt: skip
    rig.gateway = gateway_of(rig)
    fields: dict[str, object] = {"managers": ["UM1", "UM2"], "teams": [TEAM], **policy}
    set_to: Policy = await rig.operator.set_policy(**fields)
    assert set_to.teams == {TEAM}
    await rig.gateway.start()
    return rig
