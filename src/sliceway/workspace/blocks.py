"""Slack's limits on blocks, enforced with Slack's words; each problem ends in a JSON pointer to what is wrong.

Sources: Slack's Block Kit reference and the checks of its Python SDK.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from sliceway.workspace.elements import check_element, check_text
from sliceway.workspace.model import Json

MESSAGE_BLOCKS = 50
VIEW_BLOCKS = 100
BLOCK_ID = 255
HEADER_TEXT = 150
SECTION_TEXT = 3000
SECTION_FIELDS = 10
FIELD_TEXT = 2000
CONTEXT_ELEMENTS = 10
ACTION_ELEMENTS = 25
MARKDOWN_TEXT = 12_000
INPUT_TEXT = 2000
URL = 3000


def check_blocks(blocks: Any, pointer: str = "/blocks", most: int = MESSAGE_BLOCKS) -> list[str]:
    """Return everything wrong with a list of blocks, in Slack's words; empty if Slack would take them.

    :param pointer: where the list stands in the call, `/blocks` or `/view/blocks`.
    :param most: how many blocks it may have.
    """
    if not isinstance(blocks, list):
        return [f"must be an array [json-pointer:{pointer}]"]
    if len(blocks) > most:
        return [f"no more than {most} items allowed [json-pointer:{pointer}]"]
    return [*_repeated_ids(blocks, pointer), *(p for i, b in enumerate(blocks) for p in _block(b, f"{pointer}/{i}"))]


def _repeated_ids(blocks: list[Any], pointer: str) -> Iterator[str]:
    known: set[str] = set()
    for index, block in enumerate(blocks):
        block_id = block.get("block_id") if isinstance(block, dict) else None
        if isinstance(block_id, str) and block_id:
            if block_id in known:
                yield f"`block_id` {block_id} already exists [json-pointer:{pointer}/{index}/block_id]"
            known.add(block_id)


def _block(block: Any, at: str) -> Iterator[str]:
    if not isinstance(block, dict):
        yield f"must be an object [json-pointer:{at}]"
        return
    kind = block.get("type")
    check = _CHECKS.get(kind) if isinstance(kind, str) else None
    if check is None:
        yield f"unsupported type: {kind} [json-pointer:{at}/type]"
        return
    block_id = block.get("block_id")
    if block_id is not None and not (isinstance(block_id, str) and len(block_id) <= BLOCK_ID):
        yield f"must be less than {BLOCK_ID + 1} characters [json-pointer:{at}/block_id]"
    yield from check(block, at)


def _section(block: Json, at: str) -> Iterator[str]:
    text, fields = block.get("text"), block.get("fields")
    if text is None and not fields:
        yield f"missing required field: text or fields [json-pointer:{at}]"
    if text is not None:
        yield from check_text(text, f"{at}/text", SECTION_TEXT)
    if fields is not None:
        if not isinstance(fields, list) or len(fields) > SECTION_FIELDS:
            yield f"no more than {SECTION_FIELDS} items allowed [json-pointer:{at}/fields]"
        else:
            for index, text_field in enumerate(fields):
                yield from check_text(text_field, f"{at}/fields/{index}", FIELD_TEXT)
    if "accessory" in block:
        yield from check_element(block["accessory"], f"{at}/accessory")


def _header(block: Json, at: str) -> Iterator[str]:
    yield from check_text(block.get("text"), f"{at}/text", HEADER_TEXT, plain=True)


def _actions(block: Json, at: str) -> Iterator[str]:
    elements = block.get("elements")
    yield from _counted(elements, f"{at}/elements", ACTION_ELEMENTS)
    if isinstance(elements, list):
        known: set[Any] = set()
        for index, element in enumerate(elements):
            yield from check_element(element, f"{at}/elements/{index}")
            action_id = element.get("action_id") if isinstance(element, dict) else None
            if isinstance(action_id, str) and action_id in known:
                yield f"`action_id` {action_id} already exists [json-pointer:{at}/elements/{index}/action_id]"
            known.add(action_id if isinstance(action_id, str) else None)


def _context(block: Json, at: str) -> Iterator[str]:
    elements = block.get("elements")
    yield from _counted(elements, f"{at}/elements", CONTEXT_ELEMENTS)
    for index, element in enumerate(elements if isinstance(elements, list) else ()):
        if not (isinstance(element, dict) and element.get("type") == "image"):
            yield from check_text(element, f"{at}/elements/{index}", SECTION_TEXT)


def _input(block: Json, at: str) -> Iterator[str]:
    yield from check_text(block.get("label"), f"{at}/label", INPUT_TEXT, plain=True)
    if block.get("hint") is not None:
        yield from check_text(block["hint"], f"{at}/hint", INPUT_TEXT, plain=True)
    yield from check_element(block.get("element"), f"{at}/element")


def _markdown(block: Json, at: str) -> Iterator[str]:
    text = block.get("text")
    if not isinstance(text, str) or not text:
        yield f"missing required field: text [json-pointer:{at}/text]"
    elif len(text) > MARKDOWN_TEXT:
        yield f"must be less than {MARKDOWN_TEXT + 1} characters [json-pointer:{at}/text]"


def _image(block: Json, at: str) -> Iterator[str]:
    url, file = block.get("image_url"), block.get("slack_file")
    if not file and not (isinstance(url, str) and 0 < len(url) <= URL):
        yield f"missing required field: image_url [json-pointer:{at}]"
    if not isinstance(block.get("alt_text"), str):
        yield f"missing required field: alt_text [json-pointer:{at}]"


def _counted(elements: Any, at: str, most: int) -> Iterator[str]:
    if not isinstance(elements, list) or not elements:
        yield f"must provide at least one element [json-pointer:{at}]"
    elif len(elements) > most:
        yield f"no more than {most} items allowed [json-pointer:{at}]"


def _unchecked(_block: Json, _at: str) -> Iterator[str]:
    return iter(())


_CHECKS: dict[str, Callable[[Json, str], Iterator[str]]] = {
    "actions": _actions,
    "context": _context,
    "divider": _unchecked,
    "file": _unchecked,
    "header": _header,
    "image": _image,
    "input": _input,
    "markdown": _markdown,
    "rich_text": _unchecked,
    "section": _section,
    "video": _unchecked,
}
