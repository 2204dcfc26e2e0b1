"""What arrives from chat, as the flows take it. Platform types never pass this port."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sliceway.core.turns import Click, Command, Person, Place

TURN = "turn"
"""The kind of inbox item whose payload `core.turn_codec.turn_from_json` reads."""


@dataclass(frozen=True, slots=True)
class Observed:
    """Something the platform told by itself, not in answer to a call.

    `what` is one of: `external` (the place is now shared with another organisation), `internal` (no longer),
    `joined` and `spoke` (`person`, whose standing is not known, came into `place` or was first heard there: look them
    up, a guest makes it unknown), `person` (their standing is as given; `GONE` when deactivated), `renamed` (the
    place's id became `place`, its old id is `was`), `home` (`person` opened the agent's home), `revoked` (the agent's
    tokens no longer work). `passing`: any message shows it again, so it is told once in a while only.
    """

    key: str
    what: str
    place: Place | None = None
    person: Person | None = None
    was: str | None = None
    passing: bool = False


class Inbound(ABC):
    """The way from a chat platform into the flows. The platform is answered once a call has returned, so each returns
    within a few milliseconds: what takes longer is kept durably, or goes on in a task of the callee's own.

    A call that raises is answered as a failure; for messages the platform then delivers again (T4).
    """

    @abstractmethod
    async def event(self, *, key: str, queue: str, kind: str, payload: Mapping[str, Any]) -> bool:
        """Keep a message durably; False when its key is known: then nothing happens (R1, R4).

        Only what the agent may have to act on comes here, so that a copy that is not addressed never uses up the key
        (R5). In a `TURN` the speaker's standing is `STRANGER`, and the place's kind, `external` and `guests` are no
        more than the payload said: ask `ChatPlatform.who` and `.place` before a scope is made of it. `agent` is empty.

        :param key: the same for every delivery of one message.
        :param queue: (team, channel, thread root) as text: messages of one queue are handled in order.
        :param kind: `TURN`.
        :param payload: JSON, with no platform's types in it.
        """

    @abstractmethod
    async def click(self, click: Click) -> Mapping[str, str]:
        """Take a button's press or a form's submission; never wait behind a turn.

        The clicker's standing is `STRANGER` until looked up (R47). A press that belongs to nothing known has an empty
        `proposal`; tell the person that this card is no longer active (T3).

        :returns: for a submission that cannot be taken as it is: what is wrong, by field name, or under `""` what to
            show in place of the form (a refusal, say); the form stays open and shows it. Empty otherwise.
        """

    @abstractmethod
    async def command(self, command: Command) -> str | None:
        """Take a slash command; never wait behind a turn.

        :returns: a line shown to the person alone, or None.
        """

    @abstractmethod
    async def observe(self, observed: Observed) -> None:
        """Take what the platform told of places and people (SC7, AP17)."""

    @abstractmethod
    async def throttled(self, team: str) -> None:
        """The platform withholds events of a team for a while, because too many came (T5)."""
