"""What the app is sent when people press, submit, close or type a slash command. Pure, but for the new ids."""

from __future__ import annotations

from sliceway.workspace.choices import Chosen, choice_of
from sliceway.workspace.events import VERIFICATION_TOKEN
from sliceway.workspace.model import Channel, ChannelKind, Json, Message, Person, View, Workspace
from sliceway.workspace.shapes import message_shape
from sliceway.workspace.view_shapes import view_shape

_COMMAND_NAMES = {
    ChannelKind.IM: "directmessage",
    ChannelKind.PRIVATE: "privategroup",
    ChannelKind.MPIM: "privategroup",
}


def _common(workspace: Workspace, kind: str, person: Person) -> Json:
    team = workspace.team_of(person)
    return {
        "type": kind,
        "user": {"id": person.id, "username": person.name, "name": person.name, "team_id": team.id},
        "api_app_id": workspace.app.id,
        "token": VERIFICATION_TOKEN,
        "team": {"id": team.id, "domain": team.domain},
        "enterprise": None,
        "is_enterprise_install": False,
    }


def _container(message: Message) -> Json:
    container: Json = {
        "type": "message",
        "message_ts": message.ts,
        "channel_id": message.channel,
        "is_ephemeral": message.visible_to is not None,
    }
    if message.thread_ts is not None:
        container["thread_ts"] = message.thread_ts
    return container


def message_action(
    workspace: Workspace,
    person: Person,
    message: Message,
    action: Json,
    *,
    state: Json,
    trigger_id: str,
    response_url: str,
) -> Json:
    """Return the `block_actions` of something pressed in a message; a private message is not shown in it.

    :param state: what stands in the fields of the message, as this person has them.
    """
    channel = workspace.channels[message.channel]
    payload = _common(workspace, "block_actions", person) | {
        "container": _container(message),
        "trigger_id": trigger_id,
        "channel": {"id": channel.id, "name": _COMMAND_NAMES.get(channel.kind, channel.name)},
        "state": {"values": state},
        "response_url": response_url,
        "actions": [action],
    }
    if message.visible_to is None:
        payload["message"] = message_shape(workspace, message)
    return payload


def view_action(workspace: Workspace, person: Person, view: View, action: Json, *, trigger_id: str) -> Json:
    """Return the `block_actions` of something pressed in a view."""
    return _common(workspace, "block_actions", person) | {
        "container": {"type": "view", "view_id": view.id},
        "trigger_id": trigger_id,
        "view": view_shape(workspace, view),
        "actions": [action],
    }


def message_suggestion(workspace: Workspace, person: Person, message: Message, asked: Json) -> Json:
    """Return the `block_suggestion` of a menu in a message.

    :param asked: `action_id`, `block_id`, and `value`: what was typed.
    """
    channel = workspace.channels[message.channel]
    payload = _common(workspace, "block_suggestion", person) | asked
    payload["container"] = _container(message)
    payload["channel"] = {"id": channel.id, "name": _COMMAND_NAMES.get(channel.kind, channel.name)}
    if message.visible_to is None:
        payload["message"] = message_shape(workspace, message)
    return payload


def view_suggestion(workspace: Workspace, person: Person, view: View, asked: Json) -> Json:
    """Return the `block_suggestion` of a menu in a view; `asked` as in a message."""
    container = {"type": "view", "view_id": view.id}
    shown = {"container": container, "view": view_shape(workspace, view)}
    return _common(workspace, "block_suggestion", person) | asked | shown


def view_submission(workspace: Workspace, person: Person, view: View, *, trigger_id: str) -> Json:
    """Return the `view_submission` of a modal, with what was filled in."""
    return _common(workspace, "view_submission", person) | {
        "trigger_id": trigger_id,
        "view": view_shape(workspace, view),
        "response_urls": [],
    }


def view_closed(workspace: Workspace, person: Person, view: View, *, cleared: bool) -> Json:
    """Return the `view_closed` of a modal that was closed without submitting."""
    return _common(workspace, "view_closed", person) | {"view": view_shape(workspace, view), "is_cleared": cleared}


def command_form(
    workspace: Workspace,
    person: Person,
    channel: Channel,
    command: str,
    text: str,
    *,
    trigger_id: str,
    response_url: str,
) -> dict[str, str]:
    """Return the form of a slash command; there is no thread in it, because Slack has none there."""
    return {
        "token": VERIFICATION_TOKEN,
        "team_id": workspace.home.id,
        "team_domain": workspace.home.domain,
        "channel_id": channel.id,
        "channel_name": _COMMAND_NAMES.get(channel.kind, channel.name),
        "user_id": person.id,
        "user_name": person.name,
        "command": command,
        "text": text,
        "api_app_id": workspace.app.id,
        "is_enterprise_install": "false",
        "response_url": response_url,
        "trigger_id": trigger_id,
    }


def action_of(element: Json, block_id: str, chosen: Chosen, stamp: str) -> Json:
    """Return one entry of `actions`: the element that was pressed, with what was chosen."""
    kind = element["type"]
    action: Json = {"type": kind, "action_id": element["action_id"], "block_id": block_id, "action_ts": stamp}
    for kept in ("text", "style", "url", "placeholder", "confirm"):
        if kept in element:
            action[kept] = element[kept]
    return action | choice_of(element, chosen)
