"""A chat platform in memory: it remembers what everyone can see, and loses answers or fails when told to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sliceway.core.cards import Button, Card, Form, Message
from sliceway.core.turns import Person, Place, PlaceKind, Standing
from sliceway.errors import ChatError
from sliceway.ports import CardRef, ChatPlatform, Me, PersonFacts, PlaceFacts

TEAM = "T1"
ROOM = "C1"


@dataclass
class Said:
    """One message as it stands: public, or for `only` one person; a card where it has one."""

    ref: CardRef
    place: Place
    key: str | None
    message: Message | None = None
    card: Card | None = None
    only: str | None = None

    @property
    def text(self) -> str:
        """Its words, a card's in plain text."""
        if self.message is not None:
            return self.message.text
        assert self.card is not None
        return self.card.fallback

    @property
    def buttons(self) -> tuple[Button, ...]:
        """What can be pressed on it."""
        if self.card is not None:
            return self.card.buttons
        assert self.message is not None
        return (*(one for item in self.message.items for one in item.buttons), *self.message.buttons)


class FakeChat(ChatPlatform):
    """Three members, two managers, a guest, a stranger, one who left; a public room, a private one, a shared one."""

    def __init__(self) -> None:
        """Begin with people and rooms and nothing said."""
        self.account = Me(TEAM, "UBOT", bot="B1", app="A1", name="ada")
        self.people: dict[str, PersonFacts] = {}
        for user, name in (("U1", "Ann"), ("U2", "Ben"), ("U3", "Cem"), ("UM1", "Mia"), ("UM2", "Max")):
            self.person(user, name)
        self.person("UG", "Guest", Standing.GUEST)
        self.person("UX", "Stranger", Standing.STRANGER)
        self.person("UGONE", "Gone", Standing.GONE)
        everyone = ("U1", "U2", "U3", "UM1", "UM2", "UBOT")
        self.places: dict[str, PlaceFacts] = {
            ROOM: room("deploys", everyone),
            "C2": room("staff", ("U1", "U2")),
            "CP": room("quiet", everyone, kind=PlaceKind.PRIVATE),
            "CX": room("partners", None, external=True, guests=True),
        }
        self.said: list[Said] = []
        self.forms: list[tuple[str, Form]] = []
        self.homes: dict[str, Message] = {}
        self.trouble: list[tuple[str, ChatError, bool]] = []
        self.calls: list[str] = []

    def person(self, user: str, name: str, standing: Standing = Standing.MEMBER) -> None:
        """Let somebody be known, or change what they are."""
        is_bot = standing is Standing.BOT
        self.people[user] = PersonFacts(Person(TEAM, user, name=name, standing=standing), standing, is_bot=is_bot)

    def lose_answer(self, method: str) -> None:
        """Have the next call of a method happen and its answer be lost (T11)."""
        self.trouble.append((method, ChatError("The answer was lost.", reason="connection", ambiguous=True), True))

    def fail(self, method: str, reason: str = "internal_error", retry_after: float | None = None) -> None:
        """Have the next call of a method be refused."""
        self.trouble.append((method, ChatError("No.", reason=reason, retry_after=retry_after), False))

    def _before(self, method: str) -> ChatError | None:
        """Count a call; raise if it is refused, return what to raise after it happened."""
        self.calls.append(method)
        for planned in self.trouble:
            if planned[0] == method:
                self.trouble.remove(planned)
                if not planned[2]:
                    raise planned[1]
                return planned[1]
        return None

    def _post(self, method: str, said: Said) -> CardRef:
        """Keep a message, then lose the answer if so planned."""
        lost = self._before(method)
        said.ref = CardRef(said.place.channel, f"{len(self.said) + 1}.0")
        self.said.append(said)
        if lost is not None:
            raise lost
        return said.ref

    async def me(self) -> Me:
        self._before("me")
        return self.account

    async def say(self, place: Place, message: Message, *, key: str) -> CardRef:
        return self._post("say", Said(CardRef("", ""), place, key, message))

    async def say_privately(self, place: Place, who: Person, message: Message) -> None:
        self._post("say_privately", Said(CardRef("", ""), place, None, message, only=who.user))

    async def put_anew(self, reply: str, message: Message) -> None:
        lost = self._before("put_anew")
        for said in self.said:
            if reply == reply_of(said):
                said.message = message
                if lost is not None:
                    raise lost
                return
        raise ChatError("That address holds no more.", reason="not_ours")

    async def post_card(self, place: Place, card: Card) -> CardRef:
        return self._post("post_card", Said(CardRef("", ""), place, card.key, card=card))

    async def update_card(self, ref: CardRef, card: Card) -> None:
        lost = self._before("update_card")
        for said in self.said:
            if said.ref == ref:
                said.card = card
                if lost is not None:
                    raise lost
                return
        raise ChatError("There is no such message.", reason="message_not_found")

    async def find(self, place: Place, *, key: str, since: str | None = None) -> CardRef | None:
        self._before("find")
        here = (place.channel, place.thread)
        return next((s.ref for s in self.said if s.key == key and (s.place.channel, s.place.thread) == here), None)

    async def open_form(self, trigger: str, form: Form) -> None:
        self._before("open_form")
        self.forms.append((trigger, form))

    async def show_home(self, who: Person, message: Message) -> None:
        self._before("show_home")
        self.homes[who.user] = message

    async def open_dm(self, who: Person) -> Place:
        self._before("open_dm")
        return dm_of(who.user)

    async def who(self, team: str, user: str) -> PersonFacts:
        self._before("who")
        stranger = PersonFacts(Person(team, user, standing=Standing.STRANGER), Standing.STRANGER)
        return self.people.get(user, stranger) if team == TEAM else stranger

    async def place(self, team: str, channel: str) -> PlaceFacts:
        self._before("place")
        if channel.startswith("D"):
            return PlaceFacts(PlaceKind.IM, external=False, guests=False, name="", member=True, members=(channel[1:],))
        unknown = PlaceFacts(PlaceKind.CHANNEL, external=True, guests=True, name="", member=False)
        return self.places.get(channel, unknown)

    async def link(self, ref: CardRef) -> str | None:
        self._before("link")
        return f"https://chat.example/{ref.text}"

    async def health(self) -> Mapping[str, Any]:
        return {"ok": True}

    def seen_by(self, user: str) -> list[Said]:
        """Return the messages that a person can see."""
        visible = []
        for said in self.said:
            if said.only is not None:
                may = said.only == user
            elif said.place.channel.startswith("D"):
                may = said.place.channel == f"D{user}"
            else:
                members = self.places[said.place.channel].members
                may = members is None or user in members
            if may:
                visible.append(said)
        return visible

    def cards(self) -> list[Said]:
        """Return the messages that are cards or records."""
        return [said for said in self.said if said.card is not None]


def reply_of(said: Said) -> str:
    """Return the address that comes with a press in a message."""
    return f"https://chat.example/reply/{said.ref.message}"


def dm_of(user: str) -> Place:
    """Return the direct-message place of a person with the agent."""
    return Place("slack", TEAM, f"D{user}", kind=PlaceKind.IM)


def room(
    name: str,
    members: tuple[str, ...] | None,
    *,
    kind: PlaceKind = PlaceKind.CHANNEL,
    external: bool = False,
    guests: bool = False,
) -> PlaceFacts:
    """Return the facts of a channel that the agent is in."""
    return PlaceFacts(kind, external=external, guests=guests, name=name, member=True, members=members)
