"""Who sees what: which channels somebody may read, and which messages in them. Pure."""

from __future__ import annotations

from sliceway.workspace.model import Channel, ChannelKind, Message, Person, Workspace


def can_read(person: Person, channel: Channel) -> bool:
    """Whether somebody may read a channel: its members, and any full member where it is public."""
    if person.deleted:
        return False
    return person.id in channel.members or (channel.kind is ChannelKind.PUBLIC and person.full_member)


def can_see(person: Person, channel: Channel, message: Message) -> bool:
    """Whether somebody sees a message: they may read the channel, and it is not private to another."""
    return can_read(person, channel) and message.visible_to in (None, person.id)


def seen(workspace: Workspace, channel: Channel, thread_ts: str | None, person: Person | None) -> list[Message]:
    """Return the messages of a channel, or of one thread with its root first, as `person` sees them, oldest first.

    Without a person: all of them, private ones too.
    """
    if thread_ts is None:
        messages = [m for m in workspace.messages(channel.id) if m.in_channel]
    else:
        root = workspace.message(channel.id, thread_ts)
        messages = [*([root] if root else []), *workspace.replies(channel.id, thread_ts)]
    return [m for m in messages if person is None or can_see(person, channel, m)]


def reply_counts(workspace: Workspace, root: Message) -> list[Message]:
    """Return the replies that count for everybody: those that are not private to one person."""
    return [m for m in workspace.replies(root.channel, root.ts) if m.visible_to is None]
