"""Messages coming, changing and going, whoever does it: the model is changed and the app is told."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import Any

from sliceway.workspace.elements import elements_in
from sliceway.workspace.events import changed_event, deleted_event, mention_event, mentions, message_event
from sliceway.workspace.hub import Hub
from sliceway.workspace.model import Channel, ChannelKind, Json, Message
from sliceway.workspace.shapes import message_shape
from sliceway.workspace.sight import reply_counts

_EARLIER_BLOCKS_KEPT = 200
TOMBSTONE = "This message was deleted."


def post(hub: Hub, message: Message) -> Message:
    """Add a message. The app hears of it where its bot is a member, of its own too; of private ones never."""
    workspace = hub.workspace
    workspace.put_message(message)
    if message.visible_to is not None:
        return message
    channel = workspace.channels[message.channel]
    hub.tell_app(message_event(workspace, message, channel), channel)
    bot = workspace.app.bot_user
    place = channel.kind is not ChannelKind.IM or hub.options.mention_in_direct
    if message.user != bot and place and mentions(message.text, bot):
        hub.tell_app(mention_event(workspace, message, channel), channel)
    return message


def revise(hub: Hub, message: Message, editor: str, **changes: Any) -> Message:
    """Put a new version of a message in its place, marked as edited by `editor`."""
    workspace = hub.workspace
    before = message_shape(workspace, message)
    earlier = (*message.earlier_blocks, *message.blocks)[-_EARLIER_BLOCKS_KEPT:]
    edited = {"user": editor, "ts": workspace.clock.stamp()}
    after = replace(message, edited=edited, earlier_blocks=earlier, **changes)
    workspace.put_message(after)
    if after.visible_to is None:
        channel = workspace.channels[message.channel]
        hub.tell_app(changed_event(workspace, before, after, channel), channel)
    return after


def remove(hub: Hub, message: Message) -> None:
    """Take a message away; where replies hang on it, a tombstone stays in its place."""
    workspace = hub.workspace
    before = message_shape(workspace, message)
    channel = workspace.channels[message.channel]
    if not message.is_reply and reply_counts(workspace, message):
        tombstone = Message(message.channel, message.ts, "USLACKBOT", TOMBSTONE, subtype="tombstone")
        workspace.put_message(tombstone)
        hub.tell_app(changed_event(workspace, before, tombstone, channel), channel)
        return
    workspace.drop_message(message)
    if message.visible_to is None:
        hub.tell_app(deleted_event(workspace, before, channel), channel)


def note(hub: Hub, channel: Channel, user: str, subtype: str, text: str) -> None:
    """Post one of Slack's own lines, such as `channel_join`."""
    post(hub, Message(channel.id, hub.workspace.clock.stamp(), user, text, subtype=subtype))


def direct_channel(hub: Hub, users: tuple[str, ...]) -> tuple[Channel, bool]:
    """Return the direct message between these people (one alone writes to oneself), and whether it was there before."""
    workspace = hub.workspace
    for channel in workspace.channels.values():
        if channel.is_direct and set(channel.members) == set(users):
            return channel, True
    if len(users) <= 2:
        others = [user[1:] for user in users if user != workspace.app.bot_user]
        with_oneself = others if len(users) == 1 else []
        made = Channel("".join(["D", *others, *with_oneself]), "", ChannelKind.IM, users)
    else:
        names = "--".join(workspace.people[user].name for user in users)
        made = Channel(f"G{secrets.token_hex(5).upper()}", f"mpdm-{names}-1", ChannelKind.MPIM, users)
    workspace.put_channel(made)
    return made, False


def filled(blocks: list[Json]) -> tuple[Json, ...]:
    """Return blocks as Slack stores them: every block and every interactive element with an id."""
    return tuple(_with_ids(block) for block in blocks)


def _with_ids(block: Json) -> Json:
    block = {**block, "block_id": block.get("block_id") or secrets.token_hex(3)}
    elements = [_identified(element) for element in elements_in(block)]
    if block["type"] in ("actions", "context"):
        block["elements"] = elements
    elif elements:
        block["accessory" if block["type"] == "section" else "element"] = elements[0]
    return block


def _identified(element: Json) -> Json:
    if element["type"] in ("image", "plain_text", "mrkdwn") or element.get("action_id"):
        return element
    return {**element, "action_id": secrets.token_hex(3)}
