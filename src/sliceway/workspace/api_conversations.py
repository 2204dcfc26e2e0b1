"""The `conversations.*` methods and `users.conversations`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sliceway.workspace.arguments import Arguments
from sliceway.workspace.callers import Caller, Method, joined_channel, known_channel, one_page
from sliceway.workspace.events import membership_event
from sliceway.workspace.hub import Hub
from sliceway.workspace.model import Channel, ChannelKind, Json, Message, Role
from sliceway.workspace.posting import direct_channel, note
from sliceway.workspace.refusals import SlackRefusal
from sliceway.workspace.shapes import channel_shape, message_shape

_TYPES = {
    "public_channel": (ChannelKind.PUBLIC, ChannelKind.EXTERNAL),
    "private_channel": (ChannelKind.PRIVATE,),
    "im": (ChannelKind.IM,),
    "mpim": (ChannelKind.MPIM,),
}
_MOST_IN_A_GROUP = 8


def _open(hub: Hub, caller: Caller, arguments: Arguments) -> Json:
    if arguments.text("channel"):
        channel, known = known_channel(hub, caller, arguments.required("channel")), True
        if not channel.is_direct:
            raise SlackRefusal("method_not_supported_for_channel_type")
    else:
        channel, known = direct_channel(hub, _partners(hub, caller, arguments.required("users")))
    answer = {"channel": {"id": channel.id}}
    if arguments.flag("return_im"):
        answer["channel"] = channel_shape(hub.workspace, channel, caller.user)
    return answer | ({"no_op": True, "already_open": True} if known else {})


def _partners(hub: Hub, caller: Caller, users: str) -> tuple[str, ...]:
    named = tuple(dict.fromkeys(user.strip() for user in users.split(",") if user.strip()))
    if not named:
        raise SlackRefusal("not_enough_users")
    if len(named) > _MOST_IN_A_GROUP:
        raise SlackRefusal("too_many_users")
    for user in named:
        person = hub.workspace.people.get(user)
        if person is None:
            raise SlackRefusal("user_not_found")
        if person.deleted:
            raise SlackRefusal("user_disabled")
        if person.role is Role.BOT:
            raise SlackRefusal("cannot_dm_bot")
    return (*(user for user in named if user != caller.user), caller.user)


def _info(hub: Hub, caller: Caller, arguments: Arguments) -> Json:
    channel = known_channel(hub, caller, arguments.required("channel"))
    return {"channel": channel_shape(hub.workspace, channel, caller.user)}


def _members(hub: Hub, caller: Caller, arguments: Arguments) -> Json:
    channel = known_channel(hub, caller, arguments.required("channel"))
    members, following = one_page(channel.members, arguments)
    return {"members": members, "response_metadata": following}


def _history(hub: Hub, caller: Caller, arguments: Arguments) -> Json:
    channel = joined_channel(hub, caller, arguments.required("channel"))
    messages = [m for m in hub.workspace.messages(channel.id) if m.in_channel and m.visible_to is None]
    return _messages(hub, arguments, list(reversed(_between(messages, arguments)))) | {"pin_count": 0}


def _replies(hub: Hub, caller: Caller, arguments: Arguments) -> Json:
    channel = joined_channel(hub, caller, arguments.required("channel"))
    ts = arguments.required("ts")
    root = hub.workspace.message(channel.id, ts)
    if root is not None and root.is_reply and root.thread_ts is not None:
        root = hub.workspace.message(channel.id, root.thread_ts)
    if root is None or root.visible_to is not None:
        raise SlackRefusal("thread_not_found")
    replies = [m for m in hub.workspace.replies(channel.id, root.ts) if m.visible_to is None]
    return _messages(hub, arguments, [root, *_between(replies, arguments)])


def _messages(hub: Hub, arguments: Arguments, messages: list[Message]) -> Json:
    page, following = one_page(messages, arguments, most=999)
    metadata = arguments.flag("include_all_metadata")
    shapes = [message_shape(hub.workspace, message, metadata=metadata) for message in page]
    return {"messages": shapes, "has_more": bool(following["next_cursor"]), "response_metadata": following}


def _between(messages: list[Message], arguments: Arguments) -> list[Message]:
    oldest = _time(arguments, "oldest", (0, 0))
    latest = _time(arguments, "latest", (2**63, 0))
    if arguments.flag("inclusive"):
        return [m for m in messages if oldest <= _as_time(m.ts) <= latest]
    return [m for m in messages if oldest < _as_time(m.ts) < latest]


def _time(arguments: Arguments, name: str, default: tuple[int, int]) -> tuple[int, int]:
    value = arguments.text(name)
    if not value or value == "0":
        return default
    try:
        return _as_time(value)
    except ValueError:
        raise SlackRefusal(f"invalid_ts_{name}") from None


def _as_time(ts: str) -> tuple[int, int]:
    seconds, _, fraction = ts.partition(".")
    return int(seconds), int(fraction.ljust(6, "0")[:6] or "0")


def _list(hub: Hub, caller: Caller, arguments: Arguments) -> Json:
    return _listed(hub, caller, arguments, only_joined=False)


def _users_conversations(hub: Hub, caller: Caller, arguments: Arguments) -> Json:
    return _listed(hub, caller, arguments, only_joined=True)


def _listed(hub: Hub, caller: Caller, arguments: Arguments, *, only_joined: bool) -> Json:
    user = arguments.text("user") or caller.user
    if user not in hub.workspace.people:
        raise SlackRefusal("user_not_found")
    kinds = _kinds(arguments.text("types") or "public_channel")
    channels = []
    for channel in hub.workspace.channels.values():
        visible = channel.kind in _TYPES["public_channel"] or caller.user in channel.members
        joined = (user if only_joined else caller.user) in channel.members
        if channel.kind in kinds and visible and (joined or not only_joined):
            channels.append(channel_shape(hub.workspace, channel, caller.user))
    page, following = one_page(channels, arguments)
    return {"channels": page, "response_metadata": following}


def _kinds(types: str) -> set[ChannelKind]:
    names = [name.strip() for name in types.split(",")]
    if not set(names) <= set(_TYPES):
        raise SlackRefusal("invalid_types")
    return {kind for name in names for kind in _TYPES[name]}


def _join(hub: Hub, caller: Caller, arguments: Arguments) -> Json:
    channel = known_channel(hub, caller, arguments.required("channel"))
    if channel.kind not in _TYPES["public_channel"]:
        raise SlackRefusal("method_not_supported_for_channel_type")
    if caller.user in channel.members:
        return {
            "channel": channel_shape(hub.workspace, channel, caller.user),
            "warning": "already_in_channel",
            "response_metadata": {"warnings": ["already_in_channel"]},
        }
    joined = join(hub, channel, caller.user, None)
    return {"channel": channel_shape(hub.workspace, joined, caller.user)}


def join(hub: Hub, channel: Channel, user: str, inviter: str | None) -> Channel:
    """Make somebody a member of a channel, with the line and the event that Slack has for it."""
    joined = replace(channel, members=(*channel.members, user))
    hub.workspace.put_channel(joined)
    note(hub, joined, user, "channel_join", f"<@{user}> has joined the channel")
    person = hub.workspace.people[user]
    hub.tell_app(membership_event(hub.workspace, person, joined, joined=True, inviter=inviter), joined)
    return joined


METHODS: Mapping[str, Method] = {
    "conversations.history": _history,
    "conversations.info": _info,
    "conversations.join": _join,
    "conversations.list": _list,
    "conversations.members": _members,
    "conversations.open": _open,
    "conversations.replies": _replies,
    "users.conversations": _users_conversations,
}
