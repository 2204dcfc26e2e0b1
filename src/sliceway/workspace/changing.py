"""What happens to people and channels: somebody leaves the company, a channel is shared, someone is invited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sliceway.errors import InvalidRequest, NotFound, NotPermitted
from sliceway.workspace.api_conversations import join
from sliceway.workspace.events import home_event, membership_event, person_event, sharing_event
from sliceway.workspace.hub import Hub
from sliceway.workspace.model import Channel, ChannelKind, Role
from sliceway.workspace.posting import direct_channel, note
from sliceway.workspace.saying import active
from sliceway.workspace.view_shapes import view_shape
from sliceway.workspace.views import home_of


def change_person(hub: Hub, user: str, deleted: bool | None, role: Role | None) -> None:
    """Deactivate, bring back, or make somebody another kind of person; the app gets `user_change`.

    :raises InvalidRequest: a person made a bot, or a bot a person.
    """
    person = hub.workspace.person(user)
    if role is not None and (role is Role.BOT) != (person.role is Role.BOT):
        raise InvalidRequest("A bot stays a bot, and nobody becomes one.")
    after = replace(
        person,
        deleted=person.deleted if deleted is None else deleted,
        role=person.role if role is None else role,
    )
    if after != person:
        hub.workspace.put_person(after)
        hub.tell_app(person_event(hub.workspace, after))


def change_channel(
    hub: Hub, channel: str, kind: ChannelKind | None, invite: Sequence[str], remove: Sequence[str]
) -> Channel:
    """Change what a channel is and who is in it, with the events that Slack sends for each.

    :raises NotFound: no such channel or person; nothing is changed then.
    :raises InvalidRequest: a direct message cannot become a channel, nor the other way round.
    :raises NotPermitted: people of another team come into external channels only.
    """
    place = hub.workspace.channel(channel)
    people = [hub.workspace.person(user) for user in (*invite, *remove)]
    after_kind = kind or place.kind
    direct = (ChannelKind.IM, ChannelKind.MPIM)
    if (after_kind in direct) != place.is_direct or (place.is_direct and after_kind is not place.kind):
        raise InvalidRequest(f"{channel} cannot become {after_kind}: direct messages and channels stay what they are.")
    if place.is_direct and people:
        raise InvalidRequest("Who is in a direct message never changes; open another one.")
    absent = [user for user in remove if user not in place.members]
    if absent:
        raise NotFound(f"Not in {channel}: {', '.join(absent)}.")
    strangers = [p.id for p in people[: len(invite)] if p.role is Role.STRANGER]
    if strangers and after_kind is not ChannelKind.EXTERNAL:
        raise NotPermitted(f"{', '.join(strangers)} can be invited to external channels only; set kind to external.")
    if after_kind is not place.kind:
        place = _change_kind(hub, place, after_kind)
    for user in dict.fromkeys(invite):
        if user not in place.members:
            place = join(hub, place, user, place.members[0] if place.members else None)
    for user in dict.fromkeys(remove):
        place = _leave(hub, place, user)
    return place


def open_home(hub: Hub, user: str) -> tuple[str, str | None]:
    """Let somebody look at the app's home tab; return the direct message it belongs to and the view published there.

    :raises NotPermitted: people of another team do not see the app's home.
    """
    person = active(hub, user)
    if person.role in (Role.STRANGER, Role.BOT):
        raise NotPermitted(f"{person.real_name} has no home tab of this app.")
    channel, _ = direct_channel(hub, (user, hub.workspace.app.bot_user))
    view = home_of(hub, user)
    shape = view_shape(hub.workspace, view) if view else None
    hub.tell_app(home_event(hub.workspace, user, channel.id, shape))
    return channel.id, view.id if view else None


def _change_kind(hub: Hub, place: Channel, kind: ChannelKind) -> Channel:
    after = replace(place, kind=kind)
    hub.workspace.put_channel(after)
    if ChannelKind.EXTERNAL in (place.kind, kind):
        hub.tell_app(sharing_event(hub.workspace, after, shared=kind is ChannelKind.EXTERNAL), after)
    elif kind is ChannelKind.PRIVATE:
        note(hub, after, "USLACKBOT", "channel_convert_to_private", "This channel was made private.")
    return after


def _leave(hub: Hub, place: Channel, user: str) -> Channel:
    person = hub.workspace.person(user)
    after = replace(place, members=tuple(member for member in place.members if member != user))
    event = membership_event(hub.workspace, person, after, joined=False, inviter=None)
    if user == hub.workspace.app.bot_user:
        kind = "group_left" if place.kind is ChannelKind.PRIVATE else "channel_left"
        event = {"type": kind, "channel": place.id, "actor_id": after.members[0] if after.members else user}
        event["event_ts"] = hub.workspace.clock.stamp()
    hub.tell_app(event, place)
    hub.workspace.put_channel(after)
    note(hub, after, user, "channel_leave", f"<@{user}> has left the channel")
    return after
