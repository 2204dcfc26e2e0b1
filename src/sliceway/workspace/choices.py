"""What people choose, tick and write in elements: as `state.values` and the entries of `actions` carry it.

Sources: Slack's reference of block elements and of `block_actions` payloads.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sliceway.workspace.elements import elements_of, options_of
from sliceway.workspace.model import Json

Chosen = str | Sequence[str] | None
"""What somebody picks: a value, several where several can be, or none."""

_STATELESS = frozenset({"button", "image", "overflow", "workflow_button"})
ASKED = frozenset({"external_select", "multi_external_select"})
"""Menus whose options the app is asked for while one types."""
_OPTION = frozenset({"external_select", "overflow", "radio_buttons", "static_select"})
_OPTIONS = frozenset({"checkboxes", "multi_external_select", "multi_static_select"})
_NOUNS = {
    "channels_select": "channel",
    "conversations_select": "conversation",
    "datepicker": "date",
    "datetimepicker": "date_time",
    "multi_channels_select": "channels",
    "multi_conversations_select": "conversations",
    "multi_users_select": "users",
    "timepicker": "time",
    "users_select": "user",
}
"""What stands behind `selected_` and `initial_` where ids or a time are chosen, by kind of element."""


def keeps_state(element: Json) -> bool:
    """Say whether what is done with an element stays there to be read, as with a menu, or is over, as with a button."""
    return element["type"] not in _STATELESS


def state_of(blocks: list[Json]) -> Json:
    """Return `state.values` of blocks that nobody has touched yet: what is chosen or written at first."""
    values: Json = {}
    for block_id, element in elements_of(blocks):
        if keeps_state(element):
            values.setdefault(block_id, {})[element["action_id"]] = {"type": element["type"], **_initial(element)}
    return values


def merged(values: Json, later: Json) -> Json:
    """Return state values with later ones on top, action by action."""
    return {block: {**values.get(block, {}), **later.get(block, {})} for block in {**values, **later}}


def still_there(values: Json, blocks: list[Json]) -> Json:
    """Return those of the state values whose block and action the blocks still have."""
    kept: Json = {}
    for block_id, element in elements_of(blocks):
        value = values.get(block_id, {}).get(element["action_id"])
        if value is not None:
            kept.setdefault(block_id, {})[element["action_id"]] = value
    return kept


def choice_of(element: Json, chosen: Chosen) -> Json:
    """Return what an action, or the state, says of what was chosen in an element.

    :param chosen: for a button its own value stays unless another is given; for a menu the options' values; for people
        and places their ids; for a date and time the seconds.
    """
    kind: str = element["type"]
    one, many = _one(chosen), _many(chosen)
    if kind == "button":
        value = element.get("value") if one is None else one
        return {} if value is None else {"value": value}
    if kind in _OPTION:
        return {"selected_option": next((each for each in options_of(element) if each["value"] == one), None)}
    if kind in _OPTIONS:
        return {"selected_options": [each for each in options_of(element) if each["value"] in many]}
    if kind == "datetimepicker":
        return {"selected_date_time": int(one) if one is not None and one.isascii() and one.isdigit() else None}
    if kind in _NOUNS:
        return {f"selected_{_NOUNS[kind]}": many if kind.startswith("multi_") else one}
    if kind == "rich_text_input":
        return {"rich_text_value": None if one is None else _rich(one)}
    if kind == "file_input":
        return {"files": []}
    return {"value": one}


def _initial(element: Json) -> Json:
    kind: str = element["type"]
    if kind in _OPTION:
        return {"selected_option": element.get("initial_option")}
    if kind in _OPTIONS:
        return {"selected_options": element.get("initial_options", [])}
    if kind in _NOUNS:
        nothing: Any = [] if kind.startswith("multi_") else None
        return {f"selected_{_NOUNS[kind]}": element.get(f"initial_{_NOUNS[kind]}", nothing)}
    if kind == "rich_text_input":
        return {"rich_text_value": element.get("initial_value")}
    if kind == "file_input":
        return {"files": []}
    return {"value": element.get("initial_value")}


def _one(chosen: Chosen) -> str | None:
    return chosen if chosen is None or isinstance(chosen, str) else next(iter(chosen), None)


def _many(chosen: Chosen) -> list[str]:
    return [chosen] if isinstance(chosen, str) else list(chosen or ())


def _rich(text: str) -> Json:
    section = {"type": "rich_text_section", "elements": [{"type": "text", "text": text}]}
    return {"type": "rich_text", "elements": [section]}
