"""Events as the Events API sends them: the envelope, and one builder for each type. Pure, but for the new ids."""

from __future__ import annotations

import re
import secrets

from sliceway.workspace.model import Channel, ChannelKind, Json, Message, Person, Role, Workspace
from sliceway.workspace.shapes import message_shape, person_shape

VERIFICATION_TOKEN = "local-verification-token"  # noqa: S105 - Slack's deprecated field; signatures prove the sender
_CHANNEL_TYPES = {
    ChannelKind.PUBLIC: "channel",
    ChannelKind.EXTERNAL: "channel",
    ChannelKind.PRIVATE: "group",
    ChannelKind.IM: "im",
    ChannelKind.MPIM: "mpim",
}


def envelope(workspace: Workspace, event: Json, channel: Channel | None = None) -> Json:
    """Return the outer payload of an event, with a new event id."""
    app, home = workspace.app, workspace.home
    return {
        "token": VERIFICATION_TOKEN,
        "team_id": home.id,
        "context_team_id": home.id,
        "context_enterprise_id": None,
        "api_app_id": app.id,
        "event": event,
        "type": "event_callback",
        "event_id": f"Ev{secrets.token_hex(5).upper()}",
        "event_time": int(workspace.clock.now()),
        "authorizations": [
            {
                "enterprise_id": None,
                "team_id": home.id,
                "user_id": app.bot_user,
                "is_bot": True,
                "is_enterprise_install": False,
            }
        ],
        "is_ext_shared_channel": channel is not None and channel.kind is ChannelKind.EXTERNAL,
        "event_context": f"4-{secrets.token_hex(12)}",
    }


def message_event(workspace: Workspace, message: Message, channel: Channel) -> Json:
    """Return the `message` event of a new message."""
    shape = _authored(workspace, message, channel)
    return shape | {
        "channel": channel.id,
        "channel_type": _CHANNEL_TYPES[channel.kind],
        "event_ts": message.ts,
    }


def mention_event(workspace: Workspace, message: Message, channel: Channel) -> Json:
    """Return the `app_mention` event that is sent besides the `message` event of the same message."""
    shape = _authored(workspace, message, channel) | {"channel": channel.id, "event_ts": message.ts}
    return {**shape, "type": "app_mention"}


def mentions(text: str, user: str) -> bool:
    """Whether wire text mentions a user; a typed `&lt;@U…&gt;` does not."""
    return re.search(rf"<@{re.escape(user)}(?:\|[^>]*)?>", text) is not None


def changed_event(workspace: Workspace, before: Json, after: Message, channel: Channel) -> Json:
    """Return the `message_changed` event of a new version of a message."""
    now = workspace.clock.stamp()
    return {
        "type": "message",
        "subtype": "message_changed",
        "hidden": True,
        "message": _authored(workspace, after, channel),
        "previous_message": before,
        "channel": channel.id,
        "channel_type": _CHANNEL_TYPES[channel.kind],
        "ts": now,
        "event_ts": now,
    }


def deleted_event(workspace: Workspace, before: Json, channel: Channel) -> Json:
    """Return the `message_deleted` event of a message that is gone."""
    now = workspace.clock.stamp()
    return {
        "type": "message",
        "subtype": "message_deleted",
        "hidden": True,
        "deleted_ts": before["ts"],
        "previous_message": before,
        "channel": channel.id,
        "channel_type": _CHANNEL_TYPES[channel.kind],
        "ts": now,
        "event_ts": now,
    }


def membership_event(workspace: Workspace, person: Person, channel: Channel, joined: bool, inviter: str | None) -> Json:
    """Return `member_joined_channel` or `member_left_channel`."""
    event: Json = {
        "type": "member_joined_channel" if joined else "member_left_channel",
        "user": person.id,
        "channel": channel.id,
        "channel_type": "G" if channel.kind is ChannelKind.PRIVATE else "C",
        "team": workspace.team_of(person).id,
        "event_ts": workspace.clock.stamp(),
    }
    return event | ({"inviter": inviter} if joined and inviter else {})


def sharing_event(workspace: Workspace, channel: Channel, shared: bool) -> Json:
    """Return `channel_shared` or `channel_unshared`: another team came in, or went."""
    other = {"connected_team_id" if shared else "previously_connected_team_id": workspace.far.id}
    more = {} if shared else {"is_ext_shared": False}
    kind = "channel_shared" if shared else "channel_unshared"
    return {"type": kind, "channel": channel.id, "event_ts": workspace.clock.stamp(), **other, **more}


def person_event(workspace: Workspace, person: Person) -> Json:
    """Return the `user_change` of somebody who became different."""
    now = workspace.clock.stamp()
    user = person_shape(workspace, person)
    return {"type": "user_change", "user": user, "cache_ts": int(float(now)), "event_ts": now}


def home_event(workspace: Workspace, user: str, channel: str, view: Json | None) -> Json:
    """Return the `app_home_opened` of somebody who looks at the app's home tab."""
    event: Json = {"type": "app_home_opened", "user": user, "channel": channel, "tab": "home"}
    event["event_ts"] = workspace.clock.stamp()
    return event | ({"view": view} if view else {})


def reaction_event(workspace: Workspace, user: str, name: str, message: Message) -> Json:
    """Return the `reaction_added` of a reaction to a message."""
    item = {"type": "message", "channel": message.channel, "ts": message.ts}
    now = workspace.clock.stamp()
    event = {"type": "reaction_added", "user": user, "reaction": name, "item": item, "event_ts": now}
    return event | {"item_user": message.user}


def revoked_event(kind: str, user: str) -> Json:
    """Return the `tokens_revoked` that tells the app its token is dead; `kind` is `bot` or `oauth`."""
    return {"type": "tokens_revoked", "tokens": {"oauth": [], "bot": [], kind: [user]}}


def _authored(workspace: Workspace, message: Message, channel: Channel) -> Json:
    """Return a message for an event: without the counts that only history has, with teams where two meet."""
    shape = message_shape(workspace, message)
    for field in ("reply_count", "reply_users", "reply_users_count", "latest_reply", "reactions"):
        shape.pop(field, None)
    if not message.is_reply:
        shape.pop("thread_ts", None)
    person = workspace.people.get(message.user)
    if channel.kind is ChannelKind.EXTERNAL and person is not None and person.role is not Role.BOT:
        team = workspace.team_of(person).id
        profile = {"real_name": person.real_name, "display_name": person.name, "name": person.name, "team": team}
        shape |= {"user_team": team, "source_team": team, "user_profile": profile}
    return shape
