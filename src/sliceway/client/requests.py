"""A call as a request: where it goes, what travels in the address and what in the body."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from sliceway.errors import FieldError, InvalidRequest
from sliceway.wire.routes import Route


@dataclass(frozen=True, slots=True)
class Request:
    """One request. `target` is what follows the brain's address; never shown, for it may name people."""

    call: str
    route: Route
    fields: Mapping[str, Any] = field(repr=False)
    target: str = field(repr=False)
    body: bytes | None = field(repr=False)

    @property
    def method(self) -> str:
        """The HTTP method."""
        return self.route.method

    @property
    def headers(self) -> dict[str, str]:
        """What the body is."""
        return {"Content-Type": "application/json"} if self.body is not None else {}


def request_for(call: str, route: Route, fields: Mapping[str, Any]) -> Request:
    """Return the request that carries `fields`.

    :raises InvalidRequest: a name with a comma in a list that travels in the address.
    """
    path = "/".join(_segment(part, fields) for part in route.path.split("/"))
    in_path = {part[1:-1] for part in route.path.split("/") if part.startswith("{")}
    beside = {name: value for name, value in fields.items() if name not in in_path}
    if route.in_query:
        query = urlencode({name: _in_query(name, value) for name, value in beside.items()}, quote_via=quote, safe="")
        return Request(call, route, fields, path + (f"?{query}" if query else ""), None)
    body = _json(beside).encode() if beside or route.method != "DELETE" else None
    return Request(call, route, fields, path, body)


def _segment(part: str, fields: Mapping[str, Any]) -> str:
    """Return one segment of a path. A segment of dots alone would be resolved on the way; it is written so that it
    arrives."""
    if not part.startswith("{"):
        return part
    text = str(fields[part[1:-1]])
    return text.replace(".", "%2E") if text in {".", ".."} else quote(text, safe="")


def _in_query(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        if any("," in item for item in value):
            raise InvalidRequest(errors=[FieldError(name, "invalid_request", "no slice has that name")])
        return ",".join(value)
    return _json(value) if isinstance(value, Mapping) else str(value)


def _json(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))
