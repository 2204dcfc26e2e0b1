"""The `chat.*` methods and `reactions.add`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sliceway.workspace.arguments import Arguments
from sliceway.workspace.callers import Caller, Method, joined_channel, known_channel, public_message
from sliceway.workspace.content import content_of, metadata_of
from sliceway.workspace.events import reaction_event
from sliceway.workspace.hub import Hub
from sliceway.workspace.model import Channel, ChannelKind, Json, Message, Role
from sliceway.workspace.posting import direct_channel, post, remove, revise
from sliceway.workspace.refusals import SlackRefusal
from sliceway.workspace.shapes import message_shape


def _post_message(hub: Hub, caller: Caller, arguments: Arguments) -> Json:
    content = content_of(arguments)
    metadata = metadata_of(arguments)
    channel = _destination(hub, caller, arguments.required("channel"))
    thread_ts = root_of(hub, channel, arguments.text("thread_ts"))
    broadcast = thread_ts is not None and arguments.flag("reply_broadcast")
    message = Message(
        channel=channel.id,
        ts=hub.workspace.clock.stamp(),
        user=caller.user,
        bot_id=caller.bot_id,
        thread_ts=thread_ts,
        metadata=metadata,
        subtype="thread_broadcast" if broadcast else None,
        **content,
    )
    post(hub, message)
    return {"channel": channel.id, "ts": message.ts, "message": message_shape(hub.workspace, message)}


def _post_ephemeral(hub: Hub, caller: Caller, arguments: Arguments) -> Json:
    content = content_of(arguments)
    channel = joined_channel(hub, caller, arguments.required("channel"))
    user = arguments.required("user")
    if user not in channel.members:
        raise SlackRefusal("user_not_in_channel")
    message = Message(
        channel=channel.id,
        ts=hub.workspace.clock.stamp(),
        user=caller.user,
        bot_id=caller.bot_id,
        thread_ts=root_of(hub, channel, arguments.text("thread_ts")),
        visible_to=user,
        **content,
    )
    post(hub, message)
    return {"message_ts": message.ts}


def _update(hub: Hub, caller: Caller, arguments: Arguments) -> Json:
    channel = known_channel(hub, caller, arguments.required("channel"))
    message = public_message(hub, channel, arguments.required("ts"))
    if message.user != caller.user or message.subtype == "tombstone":
        raise SlackRefusal("cant_update_message")
    changes: dict[str, Any] = content_of(arguments)
    for kept in {"blocks", "attachments"} - set(arguments.values):
        del changes[kept]  # Slack keeps what an update does not mention; an empty list takes it away
    metadata = metadata_of(arguments)
    if metadata is not None:
        changes["metadata"] = metadata
    after = revise(hub, message, caller.user, **changes)
    shape = message_shape(hub.workspace, after)
    return {"channel": channel.id, "ts": after.ts, "text": after.text, "message": shape}


def _delete(hub: Hub, caller: Caller, arguments: Arguments) -> Json:
    channel = known_channel(hub, caller, arguments.required("channel"))
    message = public_message(hub, channel, arguments.required("ts"))
    if message.user != caller.user or message.subtype == "tombstone":
        raise SlackRefusal("cant_delete_message")
    remove(hub, message)
    return {"channel": channel.id, "ts": message.ts}


def _permalink(hub: Hub, caller: Caller, arguments: Arguments) -> Json:
    channel = known_channel(hub, caller, arguments.required("channel"))
    message = public_message(hub, channel, arguments.required("message_ts"))
    link = f"{hub.url}/archives/{channel.id}/p{message.ts.replace('.', '')}"
    if message.is_reply:
        link += f"?thread_ts={message.thread_ts}&cid={channel.id}"
    return {"channel": channel.id, "permalink": link}


def _add_reaction(hub: Hub, caller: Caller, arguments: Arguments) -> Json:
    channel = joined_channel(hub, caller, arguments.required("channel"))
    name = arguments.required("name").strip(":")
    if not name.replace("_", "").replace("-", "").replace("+", "").isalnum():
        raise SlackRefusal("invalid_name")
    message = public_message(hub, channel, arguments.required("timestamp"))
    users = message.reactions.get(name, ())
    if caller.user in users:
        raise SlackRefusal("already_reacted")
    hub.workspace.put_message(replace(message, reactions={**message.reactions, name: (*users, caller.user)}))
    hub.tell_app(reaction_event(hub.workspace, caller.user, name, message), channel)
    return {}


def _destination(hub: Hub, caller: Caller, target: str) -> Channel:
    """Return where a message goes: a channel the caller is in, by id or `#name`, or the direct message with a user."""
    person = hub.workspace.people.get(target)
    if person is None:
        named = (c.id for c in hub.workspace.channels.values() if c.name and f"#{c.name}" == target)
        return joined_channel(hub, caller, next(named, target))
    if person.role is Role.BOT:
        raise SlackRefusal("cannot_dm_bot")
    if person.role is Role.STRANGER and not _share_a_channel(hub, caller.user, person.id):
        raise SlackRefusal("channel_not_found")
    return direct_channel(hub, (person.id, caller.user) if person.id != caller.user else (person.id,))[0]


def _share_a_channel(hub: Hub, one: str, other: str) -> bool:
    channels = hub.workspace.channels.values()
    return any(c.kind is ChannelKind.EXTERNAL and {one, other} <= set(c.members) for c in channels)


def root_of(hub: Hub, channel: Channel, thread_ts: str | None) -> str | None:
    """Return the root of the thread that `thread_ts` names, be it by the root or by a reply.

    :raises SlackRefusal: `invalid_thread_ts`: there is no such message.
    """
    if not thread_ts:
        return None
    message = hub.workspace.message(channel.id, thread_ts)
    if message is None:
        raise SlackRefusal("invalid_thread_ts")
    return message.thread_ts if message.is_reply else message.ts


METHODS: Mapping[str, Method] = {
    "chat.delete": _delete,
    "chat.getPermalink": _permalink,
    "chat.postEphemeral": _post_ephemeral,
    "chat.postMessage": _post_message,
    "chat.update": _update,
    "reactions.add": _add_reaction,
}
