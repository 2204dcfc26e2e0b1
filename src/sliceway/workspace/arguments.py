"""The arguments of a Web API call: Slack takes them from the query, a form or JSON, and merges what comes (T16)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from aiohttp import web

from sliceway.workspace.model import Json
from sliceway.workspace.refusals import SlackRefusal, invalid_arguments

_STRUCTURED = ("blocks", "attachments", "metadata", "view")
_TRUE = (True, 1, "1", "true", "True")


class Arguments:
    """What a call was given, with the readings that the methods need."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        """Take the merged values."""
        self.values = dict(values)

    def text(self, name: str) -> str | None:
        """Return an argument as text; None if it is missing or null.

        :raises SlackRefusal: `invalid_arguments`.
        """
        value = self.values.get(name)
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return str(value)
        raise invalid_arguments(f"must be a string [json-pointer:/{name}]")

    def required(self, name: str) -> str:
        """Return an argument that has to be there.

        :raises SlackRefusal: `invalid_arguments`.
        """
        value = self.text(name)
        if not value:
            raise invalid_arguments(f"missing required field: {name} [json-pointer:/{name}]")
        return value

    def flag(self, name: str) -> bool:
        """Return whether an argument is given and true."""
        return self.values.get(name) in _TRUE

    def number(self, name: str, default: int, most: int) -> int:
        """Return a positive whole number, at most `most`.

        :raises SlackRefusal: `invalid_limit`.
        """
        value = self.values.get(name)
        if value in (None, "", 0, "0"):
            return default
        try:
            number = int(str(value))
        except ValueError:
            raise SlackRefusal("invalid_limit") from None
        if number < 0:
            raise SlackRefusal("invalid_limit")
        return min(number, most)

    def structure(self, name: str) -> Any:
        """Return an argument that is JSON, or JSON written as a string; None if it is missing.

        :raises SlackRefusal: it is a string and no JSON.
        """
        value = self.values.get(name)
        if name in _STRUCTURED and isinstance(value, str):
            if not value:
                return None
            try:
                return json.loads(value)
            except ValueError:
                raise SlackRefusal(f"invalid_{name}_format" if name != "view" else "invalid_arguments") from None
        return value

    def decoded(self) -> Json:
        """Return the arguments for the record: structures decoded, the token left out."""
        record = {}
        for name, value in self.values.items():
            if name == "token":
                continue
            try:
                record[name] = self.structure(name)
            except SlackRefusal:
                record[name] = value
        return record


async def read_arguments(request: web.Request) -> Arguments:
    """Return the arguments of a request, later sources over earlier ones: query, form, JSON.

    :raises SlackRefusal: `invalid_json`, `json_not_object`.
    """
    values: dict[str, Any] = dict(request.query)
    if request.content_type == "application/json":
        body = await request.read()
        if body:
            try:
                decoded = json.loads(body)
            except ValueError:
                raise SlackRefusal("invalid_json") from None
            if not isinstance(decoded, dict):
                raise SlackRefusal("json_not_object")
            values |= decoded
    elif request.method == "POST":
        values |= {name: value for name, value in (await request.post()).items() if isinstance(value, str)}
    return Arguments(values)
