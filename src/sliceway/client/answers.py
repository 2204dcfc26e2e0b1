"""What a server answers with, read as the port returns it; what is no such answer is never taken for an empty one
(FR7)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from sliceway.errors import InvalidRequest
from sliceway.wire.codec import from_json
from sliceway.wire.routes import Route


def document(raw: bytes) -> Mapping[str, Any]:
    """Return the JSON object in `raw`.

    :raises ValueError: it is none.
    """
    try:
        value = json.loads(raw, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("JSON that goes too deep") from None
    if not isinstance(value, dict):
        raise ValueError("JSON that is no object")
    return value


def result_of(route: Route, said: Mapping[str, Any]) -> Any:
    """Return what the port's method returns, from the body of an answer.

    :raises ValueError: it is no answer to this call.
    """
    try:
        return _result(route, said)
    except (AttributeError, KeyError, TypeError, InvalidRequest) as error:
        raise ValueError(f"no answer to {route.call}") from error


def _result(route: Route, said: Mapping[str, Any]) -> Any:
    if route.answer is None:
        if said["recorded"] is not True:
            raise ValueError("not recorded")
        return None
    if route.call == "head":
        return dict(from_json(route.answer, said["head"]))
    return from_json(route.answer, said)


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no number")
