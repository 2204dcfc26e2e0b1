"""Buttons, forms and slash commands of Slack's, turned into clicks and commands. Pure; nothing raises."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from sliceway.core.cards import FORM_ACTIONS, parse_value
from sliceway.core.turns import Click, Command, Person, Place, ShownList, Standing
from sliceway.ports.chat import Me
from sliceway.slack.events import SURFACE, kind_of_channel
from sliceway.slack.people import NO_TEAM, part_of, text_of, words_of
from sliceway.slack.wire_text import plain

NAMESPACE = "sliceway:"
"""What every action id and form id of ours begins with (T20)."""
FIELD = "field:"
"""What the block id of a form's input begins with; the field's name follows."""
LISTED = "list:"
"""What the block ids in a list begin with; the list's name follows, a dot, and what tells the blocks apart."""
_LIST_BLOCK = re.compile(rf"{LISTED}([a-z]{{1,20}}(?:/[A-Za-z0-9-]{{1,64}})?)\.", re.ASCII)
UNKNOWN = "unknown"
"""The action of a press that is none of ours."""


def click_of(payload: Mapping[str, Any], me: Me) -> Click:
    """Return a button's press. The place's team is the agent's own: the payload names the clicker's (T17)."""
    container, message = part_of(payload, "container"), part_of(payload, "message")
    given = payload.get("actions")
    action = given[0] if isinstance(given, list) and given and isinstance(given[0], Mapping) else {}
    channel = text_of(container, "channel_id") or text_of(part_of(payload, "channel"), "id")
    ts = text_of(container, "message_ts") or text_of(message, "ts")
    root = text_of(container, "thread_ts") or text_of(message, "thread_ts")
    action_id, by = text_of(action, "action_id"), _clicker(payload)
    value = text_of(action, "value") or text_of(part_of(action, "selected_option"), "value")
    proposal, revision = parse_value(value) or ("", 0)
    ours = action_id.startswith(NAMESPACE)
    return Click(
        key="/".join(("click", channel, ts, by.user, action_id, text_of(action, "action_ts"))),
        action=action_id.removeprefix(NAMESPACE) if ours else UNKNOWN,
        by=by,
        place=_place(me, channel, root or None),
        proposal=proposal if ours else "",
        revision=revision if ours else 0,
        message=ts or None,
        trigger=text_of(payload, "trigger_id") or None,
        values={"value": value} if value and not proposal else {},
        shown=_shown(text_of(action, "block_id"), text_of(payload, "response_url")) if ours else None,
    )


def submission_of(payload: Mapping[str, Any], me: Me) -> Click:
    """Return a form's submission: what its name asks for, with what was filled in, by field name."""
    view = part_of(payload, "view")
    callback, by = text_of(view, "callback_id"), _clicker(payload)
    form = callback.removeprefix(NAMESPACE) if callback.startswith(NAMESPACE) else ""
    kept = _kept(text_of(view, "private_metadata"))
    proposal, revision = parse_value(text_of(kept, "value")) or ("", 0)
    return Click(
        key="/".join(("form", text_of(view, "id"), by.user, text_of(view, "hash"))),
        action=FORM_ACTIONS.get(form, UNKNOWN),
        by=by,
        place=_place(me, text_of(kept, "channel"), text_of(kept, "thread") or None),
        proposal=proposal,
        revision=revision,
        message=text_of(kept, "message") or None,
        trigger=text_of(payload, "trigger_id") or None,
        form=form or None,
        values=_values(part_of(view, "state")),
        shown=_shown(text_of(kept, "block"), text_of(kept, "reply")) if form else None,
    )


def command_of(form: Mapping[str, Any], me: Me) -> Command:
    """Return a slash command. Slack has none in threads, so its place is a channel's or a direct message's root."""
    channel = text_of(form, "channel_id")
    team = text_of(form, "team_id") or NO_TEAM
    text, names = plain(words_of(form, "text"))
    place = Place(SURFACE, me.team, channel, kind=kind_of_channel(channel, text_of(form, "channel_name")))
    return Command(
        key=f"command/{text_of(form, 'trigger_id')}",
        name=text_of(form, "command").removeprefix("/"),
        text=text.strip(),
        by=Person(team, text_of(form, "user_id"), text_of(form, "enterprise_id") or None, standing=Standing.STRANGER),
        place=place,
        trigger=text_of(form, "trigger_id") or None,
        names=names,
    )


def _clicker(payload: Mapping[str, Any]) -> Person:
    """Return who pressed: their own team, else the payload's, else nobody's."""
    user = part_of(payload, "user")
    team = text_of(user, "team_id") or text_of(part_of(payload, "team"), "id") or NO_TEAM
    enterprise = text_of(part_of(payload, "enterprise"), "id") or text_of(part_of(payload, "team"), "enterprise_id")
    return Person(team, text_of(user, "id"), enterprise or None, standing=Standing.STRANGER)


def _place(me: Me, channel: str, thread: str | None) -> Place:
    """Return where a press happened."""
    return Place(SURFACE, me.team, channel, thread, kind=kind_of_channel(channel))


def _shown(block: str, reply: str) -> ShownList | None:
    """Return the list that a block is of, None where it is of none or cannot be put anew."""
    match = _LIST_BLOCK.match(block)
    return ShownList(match[1], reply) if match and reply else None


def _kept(text: str) -> Mapping[str, Any]:
    """Return what a form kept for its submission; what cannot be read is nothing."""
    try:
        kept = json.loads(text) if text else {}
    except ValueError:
        return {}
    return kept if isinstance(kept, Mapping) else {}


def _values(state: Mapping[str, Any]) -> dict[str, str]:
    """Return what was filled in, by field name; an empty input is left out."""
    found = {}
    for block, inputs in part_of(state, "values").items():
        if not isinstance(inputs, Mapping) or not block.startswith(FIELD):
            continue
        for given in inputs.values():
            if not isinstance(given, Mapping):
                continue
            if value := words_of(given, "value") or text_of(part_of(given, "selected_option"), "value"):
                found[block.removeprefix(FIELD)] = value
    return found
