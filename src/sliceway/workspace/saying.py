"""What people do with messages: say, edit, delete."""

from __future__ import annotations

import uuid

from sliceway.errors import FieldError, InvalidRequest, NotFound, NotPermitted
from sliceway.workspace.hub import Hub
from sliceway.workspace.model import Channel, ChannelKind, Message, Person, Role
from sliceway.workspace.posting import direct_channel, post, remove, revise
from sliceway.workspace.rich_text import rich_text
from sliceway.workspace.sight import can_read, can_see


def say(hub: Hub, user: str, channel: str, text: str, thread_ts: str | None) -> Message:
    """Post what somebody typed; `text` is wire text. A user id as `channel` means the direct message with them.

    :raises NotFound: no such person, channel or thread.
    :raises NotPermitted: deactivated, not a member, or the app's own bot, which speaks through the Web API.
    :raises InvalidRequest: blank text.
    """
    person = active(hub, user)
    if user == hub.workspace.app.bot_user:
        raise NotPermitted("The app speaks for itself, through chat.postMessage; say something as a person.")
    if not text.strip():
        raise InvalidRequest(errors=[FieldError("text", "blank", "say something")])
    place = _place(hub, person, channel)
    root = None
    if thread_ts is not None:
        parent = visible_message(hub, person, place, thread_ts)
        root = parent.thread_ts if parent.is_reply else parent.ts
    ts = hub.workspace.clock.stamp()
    message = Message(
        channel=place.id,
        ts=ts,
        user=user,
        text=text,
        thread_ts=root,
        blocks=(rich_text(text, uuid.uuid4().hex[:5]),),
        bot_id=person.bot_id,
        client_msg_id=None if person.bot_id else str(uuid.uuid4()),
    )
    return post(hub, message)


def edit(hub: Hub, user: str, channel: str, ts: str, text: str) -> None:
    """Change the text of one's own message.

    :raises NotPermitted: it is somebody else's.
    :raises InvalidRequest: blank text.
    """
    if not text.strip():
        raise InvalidRequest(errors=[FieldError("text", "blank", "to take a message away, delete it")])
    message = _own(hub, user, channel, ts)
    revise(hub, message, user, text=text, blocks=(rich_text(text, uuid.uuid4().hex[:5]),))


def delete(hub: Hub, user: str, channel: str, ts: str) -> None:
    """Take one's own message away.

    :raises NotPermitted: it is somebody else's.
    """
    remove(hub, _own(hub, user, channel, ts))


def active(hub: Hub, user: str) -> Person:
    """Return somebody who can do things.

    :raises NotFound: nobody has that id.
    :raises NotPermitted: the person is deactivated.
    """
    person = hub.workspace.person(user)
    if person.deleted:
        raise NotPermitted(f"{person.real_name} is deactivated and can do nothing.")
    return person


def readable_channel(hub: Hub, person: Person, channel: str) -> Channel:
    """Return a channel that somebody may read.

    :raises NotPermitted: they may not.
    """
    found = hub.workspace.channel(channel)
    if not can_read(person, found):
        raise NotPermitted(f"{person.real_name} cannot see the channel {channel}.")
    return found


def visible_message(hub: Hub, person: Person, channel: Channel, ts: str) -> Message:
    """Return a message that somebody sees.

    :raises NotFound: there is none at that time.
    :raises NotPermitted: there is, but not for their eyes.
    """
    message = hub.workspace.message(channel.id, ts)
    if message is None:
        raise NotFound(f"There is no message {ts} in {channel.id}.")
    if not can_see(person, channel, message):
        raise NotPermitted(f"{person.real_name} cannot see the message {ts} in {channel.id}.")
    return message


def _place(hub: Hub, person: Person, channel: str) -> Channel:
    workspace = hub.workspace
    other = workspace.people.get(channel)
    if other is not None:
        if Role.STRANGER in (person.role, other.role):
            raise NotPermitted("People of another team have no direct messages here.")
        return direct_channel(hub, (person.id, other.id))[0]
    place = workspace.channel(channel)
    if person.id not in place.members:
        kind = "direct message" if place.kind is ChannelKind.IM else "channel"
        raise NotPermitted(f"{person.real_name} is not in the {kind} {channel}; invite them with /_control/channel.")
    return place


def _own(hub: Hub, user: str, channel: str, ts: str) -> Message:
    person = active(hub, user)
    message = visible_message(hub, person, hub.workspace.channel(channel), ts)
    if message.user != user or message.visible_to is not None or message.subtype == "tombstone":
        raise NotPermitted(f"The message {ts} is not one that {person.real_name} wrote.")
    return message
