"""What the control API shows: the state, messages as somebody sees them, the app's calls, what was delivered to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from sliceway.errors import InvalidRequest
from sliceway.workspace.control_bodies import MessagesQuery, parsed
from sliceway.workspace.hub import Hub
from sliceway.workspace.model import ChannelKind, Json
from sliceway.workspace.postman import Sent
from sliceway.workspace.shapes import message_shape, other_member
from sliceway.workspace.sight import seen
from sliceway.workspace.view_shapes import view_shape

Look = Callable[[Hub, Mapping[str, str]], Json]


def set_request_url(hub: Hub, url: str | None) -> None:
    """Name the app's address for deliveries over HTTP; None: no app is connected."""
    hub.workspace.put_app(replace(hub.workspace.app, request_url=url))


def public_state(hub: Hub) -> Json:
    """Return who and what is there; no token, no view."""
    workspace, app = hub.workspace, hub.workspace.app
    people = workspace.people.values()
    channels = []
    for channel in workspace.channels.values():
        shape: Json = {"id": channel.id, "name": channel.name, "kind": channel.kind, "members": list(channel.members)}
        if channel.kind is ChannelKind.IM:
            shape["user"] = other_member(channel, app.bot_user)
        channels.append(shape)
    return {
        "team": {"id": workspace.home.id, "name": workspace.home.name},
        "app": {
            "id": app.id,
            "bot_user_id": app.bot_user,
            "bot_id": app.bot_id,
            "request_url": app.request_url,
            "acts_as": app.acts_as,
            "connected": app.request_url is not None or len(hub.sockets) > 0,
        },
        "users": [
            {
                "id": person.id,
                "name": person.name,
                "real_name": person.real_name,
                "team_id": workspace.team_of(person).id,
                "role": person.role,
                "deleted": person.deleted,
            }
            for person in people
        ],
        "channels": channels,
        "faults": [fault.model_dump(exclude_none=True) for fault in hub.faults.faults],
        "now": workspace.clock.now(),
        "backstage": hub.backstage is not None,
    }


def open_views(hub: Hub, user: str | None = None) -> list[Json]:
    """Return the views in front of everybody, or of one person."""
    return [
        {"id": view.id, "user": view.user, "view": view_shape(hub.workspace, view)}
        for view in hub.workspace.views.values()
        if user in (None, view.user)
    ]


def _state(hub: Hub, query: Mapping[str, str]) -> Json:
    _nothing_asked(query)
    tokens = hub.tokens
    return public_state(hub) | {
        "tokens": {
            "bot": tokens.bot,
            "app": tokens.app,
            "user": tokens.user,
            "signing_secret": tokens.signing_secret,
        },
        "views": open_views(hub),
        "sockets": len(hub.sockets),
    }


def _messages(hub: Hub, query: Mapping[str, str]) -> Json:
    asked = parsed(MessagesQuery, dict(query))
    channel = hub.workspace.channel(asked.channel)
    viewer = hub.workspace.person(asked.viewer) if asked.viewer is not None else None
    messages = seen(hub.workspace, channel, asked.thread_ts, viewer)
    shapes = [message_shape(hub.workspace, message) for message in messages]
    if asked.thread_ts is None:
        shapes = [{"reply_count": 0, **shape} for shape in shapes]  # Slack leaves a zero out; here it can be relied on
    return {"messages": shapes}


def _calls(hub: Hub, query: Mapping[str, str]) -> Json:
    _nothing_asked(query)
    return {
        "calls": [
            {"method": call.method, "args": call.args, "response": call.response, "at": call.at} for call in hub.calls
        ]
    }


def _deliveries(hub: Hub, query: Mapping[str, str]) -> Json:
    _nothing_asked(query)
    return {"deliveries": [_sent(sent) for sent in hub.postman.sent]}


def _sent(sent: Sent) -> Json:
    answer = sent.answer
    response = None if answer is None else {"status": answer.status, "body": answer.body, "error": answer.error}
    return {
        "kind": sent.delivery.kind,
        "payload": sent.delivery.payload,
        "via": "socket" if sent.parcel.envelope else "http",
        "envelope_id": sent.parcel.envelope or None,
        "headers": dict(sent.parcel.headers),
        "response": response,
        "at": sent.at,
    }


def _nothing_asked(query: Mapping[str, str]) -> None:
    if query:
        raise InvalidRequest(f"Nothing can be asked for here; leave out {', '.join(query)}.")


LOOKS: Mapping[str, Look] = {
    "calls": _calls,
    "deliveries": _deliveries,
    "messages": _messages,
    "state": _state,
}
