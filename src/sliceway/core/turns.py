"""A turn: one message as it was when it arrived. Frozen (SC10), free of any platform's types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sliceway.core.slices import user_slice


class Standing(StrEnum):
    """What a person is to the team."""

    MEMBER = "member"
    GUEST = "guest"
    STRANGER = "stranger"
    BOT = "bot"
    GONE = "gone"


class Trust(StrEnum):
    """How far what is said in a place may be remembered, from most to least (SC7)."""

    TRUSTED = "trusted"
    UNKNOWN = "unknown"
    PUBLIC = "public"


class PlaceKind(StrEnum):
    """What kind of place it is. `BACKGROUND` is no place in chat: work without an initiator."""

    CHANNEL = "channel"
    PRIVATE = "private"
    IM = "im"
    MPIM = "mpim"
    BACKGROUND = "background"


@dataclass(frozen=True, slots=True)
class Person:
    """A person by ids. Two are the same person when `key` is."""

    team: str
    user: str
    enterprise: str | None = None
    name: str | None = field(default=None, compare=False)
    standing: Standing = field(default=Standing.MEMBER, compare=False)

    @property
    def key(self) -> tuple[str, str]:
        """What identifies the person: enterprise, or else team, and user (ID11)."""
        return (self.enterprise or self.team, self.user)

    def is_same(self, other: Person) -> bool:
        """Say whether both are one person, also where only one of them is known with the enterprise.

        A click names team and user only; the message it is about may have named the enterprise too.
        """
        return self.key == other.key or (self.team, self.user) == (other.team, other.user)

    @property
    def slice(self) -> str:
        """The person's private slice."""
        return user_slice(*self.key)

    @property
    def shown(self) -> str:
        """What people call them; the user id where no name is known."""
        return self.name or self.user


@dataclass(frozen=True, slots=True)
class Place:
    """Where something is said."""

    surface: str
    team: str = ""
    channel: str = ""
    thread: str | None = None
    kind: PlaceKind = PlaceKind.CHANNEL
    external: bool = False
    guests: bool = False
    link: str | None = field(default=None, compare=False)

    @property
    def key(self) -> tuple[str, str]:
        """What trust is kept by: team and channel."""
        return (self.team, self.channel)


BACKGROUND = Place(surface="background", kind=PlaceKind.BACKGROUND)
"""The place of work that nobody in chat began (SC4)."""


@dataclass(frozen=True, slots=True)
class Lock:
    """A `/1on1`: a thread that belongs to one person (OO3)."""

    owner: Person
    place: Place
    began_in: Place | None = None
    since: str = ""
    idle_until: str = ""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message handled by the agent, as it was when it arrived.

    `key` is the same for every delivery of the same message. `text` is what the person wrote, unescaped, without
    the mention of the agent; `raw` is what was on the wire. `forwarded` holds a message passed on with it.
    """

    key: str
    agent: str
    speaker: Person | None
    place: Place
    text: str = ""
    raw: str = ""
    lock: Lock | None = None
    addressed: bool = True
    forwarded: str | None = None
    names: Mapping[str, str] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class ShownList:
    """The list that a press was in: `name` says which list and which part of it, and `reply` is where chat takes what
    it becomes. That address is short-lived and a secret: whoever has it may put words there."""

    name: str
    reply: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Click:
    """A person's press of a button or submission of a form, as it arrived.

    `action` is the host's name for it (`approve`, `deny`, …); `proposal` and `revision` come from the button, and
    nothing else that counts does. `trigger` opens a form and is short-lived. `shown` is set where the button stood in a
    list that one person alone was shown, and so did the one that opened the form.
    """

    key: str
    action: str
    by: Person
    place: Place
    proposal: str = ""
    revision: int = 0
    message: str | None = None
    trigger: str | None = None
    form: str | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    shown: ShownList | None = None


@dataclass(frozen=True, slots=True)
class Command:
    """A slash command, or the same asked for in a thread, as it arrived: `name` without the slash. `names` holds the
    people that the text mentions: id and name."""

    key: str
    name: str
    text: str
    by: Person
    place: Place
    trigger: str | None = None
    names: Mapping[str, str] = field(default_factory=dict, compare=False)
