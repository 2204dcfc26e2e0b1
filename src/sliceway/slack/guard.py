"""What stands before Bolt: requests that could not be Slack's are turned away, and bodies are read our own way."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from slack_bolt.context.async_context import AsyncBoltContext
from slack_bolt.request.async_internals import build_async_context
from slack_bolt.request.async_request import AsyncBoltRequest

LARGEST_BODY = 3 * 1024 * 1024
"""Bytes of a request that is read at all; Slack's own are far smaller."""
_TIMESTAMP = re.compile(r"\d{1,12}", re.ASCII)
_SIGNATURE = re.compile(r"v0=[0-9a-f]{64}", re.ASCII)
_FORM = "application/x-www-form-urlencoded"


class Unreadable(ValueError):
    """The body is not one that Slack sends."""


def is_signed(headers: Mapping[str, str]) -> bool:
    """Say whether a request carries a timestamp and a signature that can be compared at all (T6)."""
    timestamp, signature = headers.get("X-Slack-Request-Timestamp", ""), headers.get("X-Slack-Signature", "")
    return bool(_TIMESTAMP.fullmatch(timestamp) and _SIGNATURE.fullmatch(signature))


def bolt_request(text: str, headers: Mapping[str, str], query: str) -> AsyncBoltRequest:
    """Return what Bolt dispatches. A slash command's text may hold any word, `payload` included (T1, R30).

    :raises Unreadable: the body is not the JSON or the form it says to be, or no object.
    """
    try:
        request = AsyncBoltRequest(body=text, query=query, headers=dict(headers))
    except (ValueError, RecursionError, AttributeError, TypeError) as error:
        raise Unreadable(str(error)) from error
    form = _command(text, request.content_type)
    if form is not None:
        request.body = form
        request.context = build_async_context(AsyncBoltContext({}), form)
    if not isinstance(request.body, dict):
        raise Unreadable("the body is no object")
    return request


def is_shaped(body: Mapping[str, Any]) -> bool:
    """Say whether a press or a form has the parts by which it is dispatched; events are read part by part later."""
    match body.get("type"):
        case "block_actions":
            actions = body.get("actions")
            first = actions[0] if isinstance(actions, list) and actions else None
            return _has(first, "action_id") and _has(body.get("user"), "id")
        case "view_submission" | "view_closed":
            view = body.get("view")
            state = view.get("state") if isinstance(view, Mapping) else None
            return (
                _has(view, "id", "callback_id", "type")
                and _has(body.get("user"), "id")
                and isinstance(state, Mapping | None)
            )
    return True


def _has(part: object, *names: str) -> bool:
    """Say whether a part of a payload is an object in which these are texts that are not empty."""
    return isinstance(part, Mapping) and all(isinstance(part.get(name), str) and part[name] for name in names)


def _command(text: str, content_type: str | None) -> dict[str, Any] | None:
    """Return the fields of a slash command, None where the body is none."""
    if content_type not in {None, _FORM} or text.startswith("{"):
        return None
    form = dict(parse_qsl(text, keep_blank_values=True))
    return form if "command" in form and "payload" not in form else None
