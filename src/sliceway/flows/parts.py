"""What every flow is given: the ports, the agent's identity, and a few settings of the gateway's own."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from sliceway.flows.identity import Identity
from sliceway.flows.metrics import Metrics
from sliceway.flows.pace import SpeakerPace
from sliceway.ports import Agent, Brain, ChatPlatform, Clock, Desk, Hooks


@dataclass(frozen=True, slots=True)
class GatewayConfig:
    """The gateway's own settings.

    `display` is what people call the agent, None where only its id is known.
    `approvals_channel` is where cards go, as `CHANNEL` or `TEAM:CHANNEL`, None for the thread they come from (AP27).
    `decides` says whether this gateway's token relays decisions: only then does it post cards. `idle_after` ends a
    `/1on1`. `lease_s` is how soon a dead process's work is taken over; `tick_s` how often work is looked for unasked.
    `queue_most` is how many messages of one thread may wait; who says more is told to come again.
    `writes_a_minute` is how much one speaker may have changed in a minute, over all their turns (AP25).
    """

    approvals_channel: str | None = None
    display: str | None = None
    decides: bool = True
    idle_after: timedelta = timedelta(hours=8)
    at_most: int = 32
    lease_s: float = 6.0
    tick_s: float = 1.0
    queue_most: int = 20
    writes_a_minute: int = 120


@dataclass(frozen=True, slots=True)
class Parts:
    """One gateway's ports and facts. `holder` names this process in the desk's leases; `desk_id` names the desk in the
    brain's claims, so that a restarted gateway goes on with what it had claimed."""

    identity: Identity
    brain: Brain
    desk: Desk
    chat: ChatPlatform
    agent: Agent
    hooks: Hooks
    clock: Clock
    holder: str
    desk_id: str
    config: GatewayConfig = GatewayConfig()
    metrics: Metrics = field(default_factory=Metrics)
    pace: SpeakerPace = field(default_factory=SpeakerPace)

    @property
    def agent_id(self) -> str:
        """The agent's id."""
        return self.identity.agent
