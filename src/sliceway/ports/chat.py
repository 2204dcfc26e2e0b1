"""A place where people talk, as the flows need it. Platform types never pass this port."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sliceway.core.cards import Card, Form, Message
from sliceway.core.turns import Person, Place, PlaceKind, Standing

PACED = "paced"
"""The reason of a `ChatError` for what was not even sent, because its channel takes no more for now: `retry_after` says
when to come again."""


@dataclass(frozen=True, slots=True)
class Me:
    """The agent's account on the platform: every id it may appear under, for the self-filter (T7). `also` holds those
    of its other tokens."""

    team: str
    user: str
    bot: str | None = None
    app: str | None = None
    name: str = ""
    url: str = ""
    posts_as_user: bool = False
    also: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonFacts:
    """What the platform says of a person now; an unknown person is a stranger (R37)."""

    person: Person
    standing: Standing
    is_bot: bool = False


@dataclass(frozen=True, slots=True)
class PlaceFacts:
    """What the platform says of a channel now; `member`: the agent is in it. `members` of a direct message is the
    other person; None where it is not told, or they are too many."""

    kind: PlaceKind
    external: bool
    guests: bool
    name: str
    member: bool
    members: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class CardRef:
    """Where a message stands: channel and message id."""

    channel: str
    message: str

    @property
    def text(self) -> str:
        """The form kept in the brain."""
        return f"{self.channel}/{self.message}"

    @classmethod
    def parse(cls, text: str) -> CardRef:
        """Return the reference that `text` was made from."""
        channel, _, message = text.partition("/")
        return cls(channel, message)


class ChatPlatform(ABC):
    """Posting and looking up on one platform. Calls are paced by the implementation and never retried blindly.

    Every method may raise `ChatError` (with `code`, `retry_after` and `ambiguous`: whether it may have happened).
    """

    @abstractmethod
    async def me(self) -> Me:
        """Return the account behind the tokens, asked of the platform now."""

    @abstractmethod
    async def say(self, place: Place, message: Message, *, key: str) -> CardRef:
        """Post in a place; `key` goes along as metadata, so that a lost answer can be looked up with `find`."""

    @abstractmethod
    async def say_privately(self, place: Place, who: Person, message: Message) -> None:
        """Show something to one person alone in a place."""

    @abstractmethod
    async def put_anew(self, reply: str, message: Message) -> None:
        """Make a message in which somebody just pressed a button show `message`. By no other way can what one person
        alone was shown be changed.

        :param reply: the address that came with the press; it holds for minutes and a few uses.
        :raises ChatError: `not_ours` where it is no address of the platform's: nothing is sent there.
        """

    @abstractmethod
    async def post_card(self, place: Place, card: Card) -> CardRef:
        """Post a card, with proposal id and revision as metadata."""

    @abstractmethod
    async def update_card(self, ref: CardRef, card: Card) -> None:
        """Make the message at `ref` show `card`."""

    @abstractmethod
    async def find(self, place: Place, *, key: str, since: str | None = None) -> CardRef | None:
        """Return the agent's own message in a place whose metadata carries `key`; None when there is none (AP3). A
        card's is its `key`.

        :param since: a message id to look from; without it the latest two thousand are looked at.
        """

    @abstractmethod
    async def open_form(self, trigger: str, form: Form) -> None:
        """Open a form for the person whose click or command gave `trigger`."""

    @abstractmethod
    async def show_home(self, who: Person, message: Message) -> None:
        """Make the agent's own home show `message` to one person, each time anew; nobody else sees it."""

    @abstractmethod
    async def open_dm(self, who: Person) -> Place:
        """Return the direct-message place with a person, opened if need be."""

    @abstractmethod
    async def who(self, team: str, user: str) -> PersonFacts:
        """Return what the platform says of a person; cached for a short while; unknown ids are strangers (R37)."""

    @abstractmethod
    async def place(self, team: str, channel: str) -> PlaceFacts:
        """Return what the platform says of a channel; cached for a short while; unknown channels are external."""

    @abstractmethod
    async def link(self, ref: CardRef) -> str | None:
        """Return a permanent link to a message; None where the platform gives none."""

    @abstractmethod
    async def health(self) -> Mapping[str, Any]:
        """Return whether the token answers and when the last event came, for readiness (OP2, T8)."""
