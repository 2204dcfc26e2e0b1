"""What the workspace is: people, channels, messages, views, and the one place where all of it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sliceway.errors import NotFound
from sliceway.workspace.clock import VirtualClock

Json = dict[str, Any]  # a piece of Slack's wire: blocks, views, payloads, answers


class Role(StrEnum):
    """What somebody is to the team that has the app."""

    MEMBER = "member"
    MANAGER = "manager"
    GUEST = "guest"
    STRANGER = "stranger"
    BOT = "bot"


class ChannelKind(StrEnum):
    """Who may come in: `external` is a channel shared with another team (Slack Connect)."""

    PUBLIC = "public"
    PRIVATE = "private"
    IM = "im"
    MPIM = "mpim"
    EXTERNAL = "external"


@dataclass(frozen=True, slots=True)
class Team:
    """A workspace of an organisation."""

    id: str
    name: str
    domain: str


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a user id; bots have one too, and a `bot_id` besides."""

    id: str
    name: str
    real_name: str
    role: Role
    deleted: bool = False
    bot_id: str | None = None

    @property
    def full_member(self) -> bool:
        """Whether this is an active person of the home team, and no guest."""
        return self.role in (Role.MEMBER, Role.MANAGER) and not self.deleted


@dataclass(frozen=True, slots=True)
class Channel:
    """A place with members, in the order in which they joined."""

    id: str
    name: str
    kind: ChannelKind
    members: tuple[str, ...]

    @property
    def is_direct(self) -> bool:
        """Whether it has no name that people see: a direct message, of two or of a group."""
        return self.kind in (ChannelKind.IM, ChannelKind.MPIM)


@dataclass(frozen=True, slots=True)
class Message:
    """A message as stored; a new version of it replaces this one."""

    channel: str
    ts: str
    user: str
    text: str
    thread_ts: str | None = None
    blocks: tuple[Json, ...] = ()
    attachments: tuple[Json, ...] = ()
    metadata: Json | None = None
    bot_id: str | None = None
    subtype: str | None = None
    edited: Json | None = None
    visible_to: str | None = None
    client_msg_id: str | None = None
    reactions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    earlier_blocks: tuple[Json, ...] = ()

    @property
    def is_reply(self) -> bool:
        """Whether it stands in a thread below another message."""
        return self.thread_ts is not None and self.thread_ts != self.ts

    @property
    def in_channel(self) -> bool:
        """Whether it stands in the channel itself: a root, or a reply also sent there."""
        return not self.is_reply or self.subtype == "thread_broadcast"


@dataclass(frozen=True, slots=True)
class View:
    """A modal, or the home tab, open in front of one person; `content` is what the app sent."""

    id: str
    user: str
    type: str
    hash: str
    content: Json
    root_view_id: str
    previous_view_id: str | None = None
    values: Json = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class App:
    """The one app of this workspace; its request URL is where deliveries go, none while no app is connected."""

    id: str
    name: str
    bot_user: str
    bot_id: str
    acts_as: str  # the person whose user token the app has
    request_url: str | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """Something that became different: what kind of thing, and which."""

    kind: str
    id: str
    channel: str | None = None


class Workspace:
    """Everybody and everything in the workspace. All changes pass through the `put_…` and `drop_…` methods,
    which tell the watchers; reading it costs no copy.
    """

    def __init__(self, *, home: Team, far: Team, app: App, clock: VirtualClock) -> None:
        """Take the app's own team, the team that strangers belong to, the app, and the time."""
        self.home = home
        self.far = far
        self.app = app
        self.clock = clock
        self.people: dict[str, Person] = {}
        self.channels: dict[str, Channel] = {}
        self.views: dict[str, View] = {}
        self._messages: dict[str, dict[str, Message]] = {}
        self._threads: dict[tuple[str, str], dict[str, None]] = {}
        self._watchers: list[Callable[[Change], None]] = []

    def watch(self, watcher: Callable[[Change], None]) -> Callable[[], None]:
        """Call `watcher` after every change; the returned function ends that."""
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def person(self, user: str) -> Person:
        """Return who has that id.

        :raises NotFound: nobody.
        """
        try:
            return self.people[user]
        except KeyError:
            raise NotFound(f"There is nobody with the id {user!r}; /_control/state lists the users.") from None

    def channel(self, channel: str) -> Channel:
        """Return the channel with that id.

        :raises NotFound: there is none.
        """
        try:
            return self.channels[channel]
        except KeyError:
            raise NotFound(f"There is no channel {channel!r}; /_control/state lists the channels.") from None

    def team_of(self, person: Person) -> Team:
        """Return the team somebody belongs to."""
        return self.far if person.role is Role.STRANGER else self.home

    def message(self, channel: str, ts: str) -> Message | None:
        """Return one message, or None."""
        return self._messages.get(channel, {}).get(ts)

    def messages(self, channel: str) -> list[Message]:
        """Return all messages of a channel, private ones too, oldest first."""
        return list(self._messages.get(channel, {}).values())

    def replies(self, channel: str, root_ts: str) -> list[Message]:
        """Return the replies in a thread, private ones too, oldest first."""
        stored = self._messages.get(channel, {})
        return [stored[ts] for ts in self._threads.get((channel, root_ts), ())]

    def put_person(self, person: Person) -> None:
        """Add somebody, or replace what is known of them."""
        self.people[person.id] = person
        self._tell(Change("person", person.id))

    def put_channel(self, channel: Channel) -> None:
        """Add a channel, or replace it."""
        self.channels[channel.id] = channel
        self._tell(Change("channel", channel.id))

    def put_message(self, message: Message) -> None:
        """Add a message, or put its new version in its place."""
        self._messages.setdefault(message.channel, {})[message.ts] = message
        if message.is_reply and message.thread_ts is not None:
            self._threads.setdefault((message.channel, message.thread_ts), {})[message.ts] = None
        self._tell(Change("message", message.ts, message.channel))

    def drop_message(self, message: Message) -> None:
        """Take a message away."""
        del self._messages[message.channel][message.ts]
        if message.is_reply and message.thread_ts is not None:
            del self._threads[message.channel, message.thread_ts][message.ts]
        self._tell(Change("message", message.ts, message.channel))

    def put_view(self, view: View) -> None:
        """Show a view, or its new content."""
        self.views[view.id] = view
        self._tell(Change("view", view.id))

    def drop_view(self, view: View) -> None:
        """Close a view."""
        del self.views[view.id]
        self._tell(Change("view", view.id))

    def put_app(self, app: App) -> None:
        """Replace what is known of the app."""
        self.app = app
        self._tell(Change("app", app.id))

    def _tell(self, change: Change) -> None:
        for watcher in tuple(self._watchers):
            watcher(change)
