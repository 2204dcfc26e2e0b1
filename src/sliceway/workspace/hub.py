"""What the rooms of the workspace share: the state, the way to the app, and what was minted for it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from sliceway.workspace.backstage import Backstage
from sliceway.workspace.events import envelope
from sliceway.workspace.faults import FaultPlan
from sliceway.workspace.model import Channel, Json, Workspace
from sliceway.workspace.options import Options
from sliceway.workspace.postman import KEPT, Postman
from sliceway.workspace.response_urls import ResponseUrls
from sliceway.workspace.seed import Tokens
from sliceway.workspace.sockets import Sockets
from sliceway.workspace.transport import Delivery
from sliceway.workspace.triggers import Triggers


@dataclass(frozen=True, slots=True)
class Call:
    """A Web API call the app made: what it asked, decoded and without its token, and what it was told."""

    method: str
    args: Json
    response: Json
    at: float


@dataclass(frozen=True, slots=True)
class Hub:
    """One workspace and everything that serves it."""

    workspace: Workspace
    postman: Postman
    faults: FaultPlan
    tokens: Tokens
    triggers: Triggers
    response_urls: ResponseUrls
    sockets: Sockets
    url: str
    options: Options
    backstage: Backstage | None = None
    revoked: set[str] = field(default_factory=set)
    held: dict[tuple[str, str, str], Json] = field(default_factory=dict)
    """What a person (first) chose in a message (channel, time): their client keeps it, and a press tells the app."""
    offered: dict[tuple[str, str], list[Json]] = field(default_factory=dict)
    """What the app last offered a person (first) in a menu (its action id) whose options it is asked for."""
    calls: deque[Call] = field(default_factory=lambda: deque(maxlen=KEPT))

    def tell_app(self, event: Json, channel: Channel | None = None) -> None:
        """Send the app an event; one about a channel only where the app's bot is a member."""
        if channel is None or self.workspace.app.bot_user in channel.members:
            self.postman.post(Delivery("event", envelope(self.workspace, event, channel)))
