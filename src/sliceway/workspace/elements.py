"""Slack's limits on what stands inside blocks: texts, buttons, menus, inputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sliceway.workspace.model import Json

ACTION_ID = 255
BUTTON_TEXT = 75
BUTTON_VALUE = 2000
OPTION_TEXT = 75
OPTION_VALUE = 150
PLACEHOLDER = 150
INPUT_LENGTH = 3000
OPTIONS = {"overflow": 5, "static_select": 100, "multi_static_select": 100, "radio_buttons": 10, "checkboxes": 10}
CONFIRM = {"title": 100, "text": 300, "confirm": 30, "deny": 30}
STYLES = ("primary", "danger")
KINDS = frozenset(
    {
        *OPTIONS,
        "button",
        "channels_select",
        "conversations_select",
        "datepicker",
        "datetimepicker",
        "email_text_input",
        "external_select",
        "file_input",
        "image",
        "multi_channels_select",
        "multi_conversations_select",
        "multi_external_select",
        "multi_users_select",
        "number_input",
        "plain_text_input",
        "rich_text_input",
        "timepicker",
        "url_text_input",
        "users_select",
        "workflow_button",
    }
)


def check_text(text: Any, at: str, most: int, *, plain: bool = False) -> Iterator[str]:
    """Yield what is wrong with a text object: its form, its kind, its length (1 to `most` characters)."""
    if not isinstance(text, dict):
        yield f"must provide an object [json-pointer:{at}]"
        return
    allowed = ("plain_text",) if plain else ("plain_text", "mrkdwn")
    if text.get("type") not in allowed:
        yield f"must be one of {', '.join(allowed)} [json-pointer:{at}/type]"
    content = text.get("text")
    if not isinstance(content, str) or not content:
        yield f"must be more than 0 characters [json-pointer:{at}/text]"
    elif len(content) > most:
        yield f"must be less than {most + 1} characters [json-pointer:{at}/text]"


def elements_of(blocks: list[Json]) -> Iterator[tuple[str, Json]]:
    """Yield each interactive element of checked blocks with its block's id, in the order in which people see them."""
    for block in blocks:
        for element in elements_in(block):
            if "action_id" in element:
                yield block["block_id"], element


def elements_in(block: Json) -> list[Json]:
    """Return the elements of one checked block: a row's, a section's accessory, an input's."""
    kind = block["type"]
    if kind in ("actions", "context"):
        found: list[Json] = block["elements"]
        return found
    name = {"section": "accessory", "input": "element"}.get(kind, "")
    return [block[name]] if name in block else []


def options_of(element: Json) -> list[Json]:
    """Return the options of a checked menu, those in groups too."""
    groups: list[Json] = element.get("option_groups") or []
    return [*(element.get("options") or []), *(option for group in groups for option in group["options"])]


def check_element(element: Any, at: str) -> Iterator[str]:
    """Yield what is wrong with an interactive element or an image."""
    if not isinstance(element, dict):
        yield f"must provide an object [json-pointer:{at}]"
        return
    kind = element.get("type")
    if not isinstance(kind, str) or kind not in KINDS:
        yield f"unsupported type: {kind} [json-pointer:{at}/type]"
        return
    action_id = element.get("action_id")
    if action_id is not None and not (isinstance(action_id, str) and 0 < len(action_id) <= ACTION_ID):
        yield f"must be less than {ACTION_ID + 1} characters [json-pointer:{at}/action_id]"
    if kind == "button":
        yield from _button(element, at)
    if kind in OPTIONS:
        yield from _options(element, at, OPTIONS[kind])
    if element.get("placeholder") is not None:
        yield from check_text(element["placeholder"], f"{at}/placeholder", PLACEHOLDER, plain=True)
    if element.get("confirm") is not None:
        yield from _confirm(element["confirm"], f"{at}/confirm")
    initial = element.get("initial_value")
    if isinstance(initial, str) and len(initial) > INPUT_LENGTH:
        yield f"must be less than {INPUT_LENGTH + 1} characters [json-pointer:{at}/initial_value]"


def _button(element: Json, at: str) -> Iterator[str]:
    yield from check_text(element.get("text"), f"{at}/text", BUTTON_TEXT, plain=True)
    value = element.get("value")
    if value is not None and not (isinstance(value, str) and len(value) <= BUTTON_VALUE):
        yield f"must be less than {BUTTON_VALUE + 1} characters [json-pointer:{at}/value]"
    if element.get("style") not in (None, *STYLES):
        yield f"must be one of {', '.join(STYLES)} [json-pointer:{at}/style]"


def _options(element: Json, at: str, most: int) -> Iterator[str]:
    groups = element.get("option_groups")
    if element.get("options") is None and isinstance(groups, list) and 0 < len(groups) <= most:
        for index, group in enumerate(groups):
            if isinstance(group, dict):
                yield from check_text(group.get("label"), f"{at}/option_groups/{index}/label", OPTION_TEXT, plain=True)
                yield from _list_of_options(group.get("options"), f"{at}/option_groups/{index}/options", most)
            else:
                yield f"must provide an object [json-pointer:{at}/option_groups/{index}]"
    else:
        yield from _list_of_options(element.get("options"), f"{at}/options", most)


def _list_of_options(options: Any, at: str, most: int) -> Iterator[str]:
    if not isinstance(options, list) or not options:
        yield f"must provide at least one option [json-pointer:{at}]"
        return
    if len(options) > most:
        yield f"no more than {most} items allowed [json-pointer:{at}]"
    for index, option in enumerate(options):
        here = f"{at}/{index}"
        if not isinstance(option, dict):
            yield f"must provide an object [json-pointer:{here}]"
            continue
        yield from check_text(option.get("text"), f"{here}/text", OPTION_TEXT)
        value = option.get("value")
        if not isinstance(value, str) or len(value) > OPTION_VALUE:
            yield f"must be less than {OPTION_VALUE + 1} characters [json-pointer:{here}/value]"


def _confirm(confirm: Any, at: str) -> Iterator[str]:
    if not isinstance(confirm, dict):
        yield f"must provide an object [json-pointer:{at}]"
        return
    for name, most in CONFIRM.items():
        if name in confirm or name in ("title", "text"):
            yield from check_text(confirm.get(name), f"{at}/{name}", most, plain=name != "text")
