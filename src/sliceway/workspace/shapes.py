"""How people, channels and messages look on Slack's wire."""

from __future__ import annotations

from sliceway.workspace.model import Channel, ChannelKind, Json, Message, Person, Role, Workspace
from sliceway.workspace.sight import reply_counts

_CREATED = 1_700_000_000  # when everything seeded was made; nothing reads it but clients that want the field


def person_shape(workspace: Workspace, person: Person) -> Json:
    """Return the `user` of users.info and of `user_change`."""
    team = workspace.team_of(person)
    profile: Json = {
        "real_name": person.real_name,
        "display_name": person.name,
        "team": team.id,
        "avatar_hash": "",
        "status_text": "",
    }
    if person.bot_id:
        profile |= {"bot_id": person.bot_id, "api_app_id": workspace.app.id if _is_app(workspace, person) else ""}
    else:
        profile["email"] = f"{person.name}@{team.domain}.example"
    shape: Json = {
        "id": person.id,
        "team_id": team.id,
        "name": person.name,
        "real_name": person.real_name,
        "deleted": person.deleted,
        "is_bot": person.role is Role.BOT,
        "is_app_user": False,
        "tz": "Etc/UTC",
        "tz_offset": 0,
        "updated": _CREATED,
        "profile": profile,
    }
    if person.role is Role.STRANGER:
        return shape | {"is_stranger": True}
    guest = person.role is Role.GUEST
    return shape | {
        "is_restricted": guest,
        "is_ultra_restricted": False,
        "is_stranger": False,
        "is_admin": False,
        "is_owner": False,
        "is_primary_owner": False,
    }


def channel_shape(workspace: Workspace, channel: Channel, caller: str) -> Json:
    """Return the `channel` of conversations.info as the user `caller` gets it."""
    external = channel.kind is ChannelKind.EXTERNAL
    shape: Json = {
        "id": channel.id,
        "created": _CREATED,
        "is_im": channel.kind is ChannelKind.IM,
        "is_mpim": channel.kind is ChannelKind.MPIM,
        "is_channel": channel.kind in (ChannelKind.PUBLIC, ChannelKind.EXTERNAL),
        "is_group": channel.kind in (ChannelKind.PRIVATE, ChannelKind.MPIM),
        "is_private": channel.kind in (ChannelKind.PRIVATE, ChannelKind.IM, ChannelKind.MPIM),
        "is_archived": False,
        "is_shared": external,
        "is_ext_shared": external,
        "is_org_shared": False,
        "context_team_id": workspace.home.id,
        "shared_team_ids": [workspace.home.id, *([workspace.far.id] if external else [])],
    }
    if channel.kind is ChannelKind.IM:
        return shape | {"user": other_member(channel, caller), "is_user_deleted": False, "is_open": True}
    return shape | {
        "name": channel.name,
        "name_normalized": channel.name,
        "is_member": caller in channel.members,
        "is_general": False,
        "conversation_host_id": workspace.home.id,
        "num_members": sum(not workspace.people[user].deleted for user in channel.members),
        "topic": {"value": "", "creator": "", "last_set": 0},
        "purpose": {"value": "", "creator": "", "last_set": 0},
    }


def message_shape(workspace: Workspace, message: Message, *, metadata: bool = True) -> Json:
    """Return a message as history gives it; with `metadata` false, without what the app attached to it."""
    person = workspace.people.get(message.user)
    shape: Json = {"type": "message", "user": message.user, "text": message.text, "ts": message.ts}
    if person is not None:
        shape["team"] = workspace.team_of(person).id
    if message.client_msg_id:
        shape["client_msg_id"] = message.client_msg_id
    if message.subtype:
        shape["subtype"] = message.subtype
    if message.blocks:
        shape["blocks"] = list(message.blocks)
    if message.attachments:
        shape["attachments"] = list(message.attachments)
    if message.bot_id:
        shape |= _bot_fields(workspace, message.bot_id)
    if message.metadata and metadata:
        shape["metadata"] = message.metadata
    if message.edited:
        shape["edited"] = message.edited
    if message.reactions:
        shape["reactions"] = [{"name": n, "users": list(u), "count": len(u)} for n, u in message.reactions.items()]
    if message.visible_to:
        shape["is_ephemeral"] = True
    return shape | _thread_fields(workspace, message)


def _thread_fields(workspace: Workspace, message: Message) -> Json:
    if message.is_reply and message.thread_ts is not None:
        root = workspace.message(message.channel, message.thread_ts)
        fields: Json = {"thread_ts": message.thread_ts}
        if root is not None:
            fields["parent_user_id"] = root.user
            if message.subtype == "thread_broadcast":
                fields["root"] = message_shape(workspace, root, metadata=False)
        return fields
    replies = reply_counts(workspace, message)
    if not replies:
        return {}
    users = list(dict.fromkeys(reply.user for reply in replies))
    return {
        "thread_ts": message.ts,
        "reply_count": len(replies),
        "reply_users": users[:5],
        "reply_users_count": len(users),
        "latest_reply": replies[-1].ts,
    }


def _bot_fields(workspace: Workspace, bot_id: str) -> Json:
    bot = next((p for p in workspace.people.values() if p.bot_id == bot_id), None)
    app_id = workspace.app.id if bot_id == workspace.app.bot_id else f"A{bot_id[1:]}"
    name = bot.name if bot else bot_id
    profile = {"id": bot_id, "app_id": app_id, "name": name, "team_id": workspace.home.id, "deleted": False}
    return {"bot_id": bot_id, "app_id": app_id, "bot_profile": profile | {"updated": _CREATED, "icons": {}}}


def bot_shape(workspace: Workspace, bot: Person) -> Json:
    """Return the `bot` of bots.info."""
    return {
        "id": bot.bot_id,
        "deleted": bot.deleted,
        "name": bot.name,
        "updated": _CREATED,
        "app_id": workspace.app.id if _is_app(workspace, bot) else f"A{(bot.bot_id or '')[1:]}",
        "user_id": bot.id,
        "icons": {},
    }


def other_member(channel: Channel, user: str) -> str:
    """Return who the direct message of `user` is with; themselves if with nobody else."""
    return next((member for member in channel.members if member != user), user)


def _is_app(workspace: Workspace, person: Person) -> bool:
    return person.id == workspace.app.bot_user
