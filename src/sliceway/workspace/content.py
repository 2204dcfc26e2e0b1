"""What a message says: text, blocks, attachments and metadata, within Slack's limits."""

from __future__ import annotations

import json
from typing import Any

from sliceway.workspace.arguments import Arguments
from sliceway.workspace.blocks import check_blocks
from sliceway.workspace.model import Json
from sliceway.workspace.posting import filled
from sliceway.workspace.refusals import SlackRefusal, invalid_blocks

TEXT = 40_000  # characters
ATTACHMENTS = 100
METADATA = 4096  # bytes of the payload as JSON; Slack says "about 4 kB"


def content_of(arguments: Arguments) -> dict[str, Any]:
    """Return the content of a message, as the fields of `Message`.

    :raises SlackRefusal: `no_text`, `msg_too_long`, `invalid_blocks`, `invalid_blocks_format`,
        `too_many_attachments`, `invalid_attachments`.
    """
    text = arguments.text("text") or ""
    blocks = arguments.structure("blocks") or []
    attachments = arguments.structure("attachments") or []
    if not isinstance(blocks, list):
        raise SlackRefusal("invalid_blocks_format")
    if not isinstance(attachments, list) or not all(isinstance(item, dict) for item in attachments):
        raise SlackRefusal("invalid_attachments")
    if len(attachments) > ATTACHMENTS:
        raise SlackRefusal("too_many_attachments")
    if not text.strip() and not blocks and not attachments:
        raise SlackRefusal("no_text")
    if len(text) > TEXT:
        raise SlackRefusal("msg_too_long")
    errors = check_blocks(blocks)
    if errors:
        raise invalid_blocks(errors)
    return {"text": text, "blocks": filled(blocks), "attachments": tuple(attachments)}


def metadata_of(arguments: Arguments) -> Json | None:
    """Return the metadata the app attaches to a message; None if none is given.

    :raises SlackRefusal: `invalid_metadata_format`, `metadata_too_large`.
    """
    metadata = arguments.structure("metadata")
    if not metadata:
        return None
    if not isinstance(metadata, dict):
        raise SlackRefusal("invalid_metadata_format")
    event_type, payload = metadata.get("event_type"), metadata.get("event_payload")
    if not isinstance(event_type, str) or not event_type or not isinstance(payload, dict):
        raise SlackRefusal("invalid_metadata_format")
    if len(json.dumps(payload).encode()) > METADATA:
        raise SlackRefusal("metadata_too_large")
    return {"event_type": event_type, "event_payload": payload}
