"""Who makes a Web API call, what a method is, and the look-ups that most methods begin with."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from sliceway.workspace.arguments import Arguments
from sliceway.workspace.hub import Hub
from sliceway.workspace.model import Channel, ChannelKind, Json, Message
from sliceway.workspace.refusals import SlackRefusal

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Caller:
    """The user a token acts as: the app's bot, the person who gave the app a token of theirs, or the app itself."""

    kind: Literal["bot", "user", "app"]
    user: str
    bot_id: str


Method = Callable[[Hub, Caller, Arguments], Json]


def known_channel(hub: Hub, caller: Caller, channel_id: str) -> Channel:
    """Return a channel that the caller may know of: public ones, and those they are a member of.

    :raises SlackRefusal: `channel_not_found`.
    """
    channel = hub.workspace.channels.get(channel_id)
    open_to_all = (ChannelKind.PUBLIC, ChannelKind.EXTERNAL)
    if channel is None or not (channel.kind in open_to_all or caller.user in channel.members):
        raise SlackRefusal("channel_not_found")
    return channel


def joined_channel(hub: Hub, caller: Caller, channel_id: str) -> Channel:
    """Return a channel that the caller is a member of.

    :raises SlackRefusal: `channel_not_found`, `not_in_channel`.
    """
    channel = known_channel(hub, caller, channel_id)
    if caller.user not in channel.members:
        raise SlackRefusal("not_in_channel")
    return channel


def public_message(hub: Hub, channel: Channel, ts: str) -> Message:
    """Return a message that is not private to one person.

    :raises SlackRefusal: `message_not_found`.
    """
    message = hub.workspace.message(channel.id, ts)
    if message is None or message.visible_to is not None:
        raise SlackRefusal("message_not_found")
    return message


def one_page(items: Sequence[T], arguments: Arguments, default: int = 100, most: int = 1000) -> tuple[list[T], Json]:
    """Return the items of the page that `cursor` and `limit` ask for, and the metadata that leads to the next one.

    :raises SlackRefusal: `invalid_cursor`, `invalid_limit`.
    """
    start = 0
    cursor = arguments.text("cursor")
    if cursor:
        try:
            start = int(base64.b64decode(cursor, validate=True).decode().removeprefix("next:"))
        except (binascii.Error, UnicodeDecodeError, ValueError):
            raise SlackRefusal("invalid_cursor") from None
        if start < 0:
            raise SlackRefusal("invalid_cursor")
    end = start + arguments.number("limit", default, most)
    following = base64.b64encode(f"next:{end}".encode()).decode() if end < len(items) else ""
    return list(items[start:end]), {"next_cursor": following}
