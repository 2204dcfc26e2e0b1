"""How answers look, as JSON Schema: read off the resources' own types, as `to_json` of the codec writes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import is_dataclass
from datetime import timedelta
from enum import Enum
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from sliceway.core.pages import PageDraft
from sliceway.core.policy import Channel, Policy
from sliceway.core.principals import Origin
from sliceway.core.proposals import ProposedPage
from sliceway.core.turns import Person, Place, PlaceKind
from sliceway.ports.outcomes import Outcome
from sliceway.wire.codec import SAID_WHEN_NONE, SAID_WHEN_TRUE

Schema = dict[str, Any]

_PLAIN: Mapping[Any, Schema] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    timedelta: {"type": "string", "examples": ["15m", "72h"]},
    NoneType: {"type": "null"},
    Any: {},
}
_TEXT: Schema = {"type": "string"}


class Schemas:
    """The schemas of resources, each once, by the name of its type."""

    def __init__(self, prefix: str) -> None:
        """Refer to a schema as `prefix` and its name."""
        self._prefix = prefix
        self.components: dict[str, Schema] = {}

    def of(self, kind: Any) -> Schema:
        """Return the schema of a type; of a resource, the reference to it.

        :raises TypeError: `to_json` would write no such thing.
        """
        if kind in _PLAIN:
            return dict(_PLAIN[kind])
        outer, inner = get_origin(kind), get_args(kind)
        if outer in (Union, UnionType):
            return {"anyOf": [self.of(each) for each in inner]}
        if outer in (tuple, frozenset):
            return {"type": "array", "items": self.of(inner[0])}
        if outer in (dict, Mapping):
            return {"type": "object", "additionalProperties": self.of(inner[1])}
        if isinstance(kind, type) and issubclass(kind, Enum):
            return {"type": "string", "enum": [each.value for each in kind]}
        if is_dataclass(outer or kind):
            return self._referred(kind)
        raise TypeError(f"{kind} is no resource")

    def fields_of(self, kind: Any) -> tuple[dict[str, Schema], list[str]]:
        """Return the fields of a resource and which of them are always there."""
        self.of(kind)
        schema = self.components[_name(kind)]
        return dict(schema["properties"]), list(schema["required"])

    def _referred(self, kind: Any) -> Schema:
        name = _name(kind)
        if name not in self.components:
            self.components[name] = {}  # resources may hold each other
            self.components[name] = self._special(kind) or self._of_fields(kind)
        return {"$ref": f"{self._prefix}{name}"}

    def _of_fields(self, kind: Any) -> Schema:
        outer = get_origin(kind) or kind
        hints = get_type_hints(outer)
        properties, required = {}, []
        for name in outer.__dataclass_fields__:
            hint = get_args(kind)[0] if get_args(kind) and name == "items" else hints[name]
            of_kind = {"type": "array", "items": self.of(hint)} if hint is not hints[name] else None
            properties[name], always = self._field(outer, name, hints[name]) if of_kind is None else (of_kind, True)
            if always:
                required.append(name)
        return made(properties, required, (outer.__doc__ or "").partition("\n")[0])

    def _field(self, owner: Any, name: str, hint: Any) -> tuple[Schema, bool]:
        """Return the schema of a field, and whether it is always there."""
        if get_origin(hint) in (Union, UnionType) and NoneType in get_args(hint):
            if name in SAID_WHEN_NONE.get(owner, ()):
                return self.of(hint), True
            bare = [each for each in get_args(hint) if each is not NoneType]
            return self.of(bare[0]), False
        return self.of(hint), not (hint is bool and name in SAID_WHEN_TRUE)

    def _special(self, kind: Any) -> Schema | None:
        """Return the schema of what the codec writes in its own way."""
        if kind is Person:
            return made(dict.fromkeys(("team", "user", "enterprise", "name"), _TEXT), ["team", "user"], "A person.")
        if kind is Place:
            texts = dict.fromkeys(("surface", "team", "channel", "thread", "link"), _TEXT)
            flags = {name: self.of(bool) for name in ("external", "guests", "private")}
            return made({**texts, "kind": self.of(PlaceKind), **flags}, ["surface"], "A place.")
        if kind is Origin:
            properties = {"person": self.of(Person), "place": self.of(Place), "turn": _TEXT}
            return made(properties, [], "Where a call came from.")
        if kind is ProposedPage:
            draft, _ = self.fields_of(PageDraft)
            del self.components[_name(PageDraft)]
            own = {"base_version": self.of(int | None), "version": self.of(int), "event": _TEXT}
            return made({**draft, **own}, ["slug", "base_version"], "A page as it is proposed.")
        if kind is Outcome:
            whole = self._of_fields(kind)
            return {**whole, "required": ["outcome"]}
        if kind is Policy:
            return self._policy()
        return None

    def _policy(self) -> Schema:
        whole = self._of_fields(Policy)
        known, always = self.fields_of(Channel)
        del self.components[_name(Channel)]
        channel = made({"team": _TEXT, "channel": _TEXT, **known}, ["team", "channel", *always], "A channel.")
        gone = made(dict.fromkeys(("team", "user", "at"), _TEXT), ["team", "user", "at"], "Somebody who left.")
        lists = {"channels": {"type": "array", "items": channel}, "gone": {"type": "array", "items": gone}}
        return {**whole, "properties": {**whole["properties"], **lists}}


def made(properties: Mapping[str, Schema], required: list[str], about: str) -> Schema:
    """Return the schema of an object."""
    return {"type": "object", "description": about, "properties": dict(properties), "required": required}


def _name(kind: Any) -> str:
    """Return what a resource is called: a list after what is in it."""
    outer: type = get_origin(kind) or kind
    return "".join([outer.__name__, *(f"Of{inner.__name__}" for inner in get_args(kind))])
