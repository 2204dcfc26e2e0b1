"""The one codec: resources to JSON and back, the same bytes in the store, over HTTP and on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import timedelta
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from sliceway.core.clock import duration_text, parse_duration
from sliceway.core.pages import Author, Listing, Page, PageDraft, PageEntry
from sliceway.core.policy import Policy
from sliceway.core.principals import Origin
from sliceway.core.proposals import CardClaim, PageDiff, Proposal, ProposedPage
from sliceway.core.tokens import NewToken, TokenEntry
from sliceway.core.turns import Person, Place, PlaceKind
from sliceway.ports.outcomes import Outcome, VerifyFault
from sliceway.wire.models import kind_by_ids, to_origin

Resource = TypeVar("Resource")

_SAID_WHEN_NONE: Mapping[type, frozenset[str]] = {
    Author: frozenset({"agent", "token_id"}),
    Page: frozenset({"summary", "kind"}),
    PageEntry: frozenset({"summary", "kind"}),
    Listing: frozenset({"next_cursor"}),
    ProposedPage: frozenset({"base_version"}),
    Proposal: frozenset({"requested_by"}),
    PageDiff: frozenset({"before"}),
    CardClaim: frozenset({"until"}),
    Policy: frozenset({"approvers"}),
    VerifyFault: frozenset({"seq", "event_id"}),
}
"""Fields that the contract promises to be there, null where there is nothing to say."""
_SAID_WHEN_TRUE = frozenset({"dry_run", "self_approval", "raised", "erased"})


def to_json(resource: Any) -> Any:
    """Return a resource as plain JSON values: fields without a value left out, tuples as lists, enums as values.

    :raises TypeError: it is no resource.
    """
    match resource:
        case None | bool() | int() | float():
            return resource
        case Enum():
            return resource.value
        case str():
            return resource
        case timedelta():
            return duration_text(resource)
        case Person():
            return _given({"team": resource.team, "user": resource.user, "enterprise": resource.enterprise,
                           "name": resource.name})  # fmt: skip
        case Place():
            return _place(resource)
        case Origin():
            place = _place(resource.place) if resource.place is not None else None
            if place is not None and resource.private:
                place["private"] = True
            person = to_json(resource.person)
            return _given({"person": person, "place": place, "turn": resource.turn})
        case ProposedPage():
            draft = to_json(resource.draft) if resource.draft is not None else {}
            return {**draft, **_fields(resource, without=frozenset({"draft"}))}
        case Outcome():
            body = _fields(resource, without=frozenset({"receipts"}))
            return body if resource.outcome != "written" else {**body, "receipts": to_json(resource.receipts)}
        case Policy():
            return _policy(resource)
        case NewToken():
            return {"token": resource.token, **_fields(resource.entry)}
        case Mapping():
            return {str(name): to_json(value) for name, value in resource.items()}
        case frozenset() | set():
            return sorted(to_json(item) for item in resource)
        case list() | tuple():
            return [to_json(item) for item in resource]
    if is_dataclass(resource):
        return _fields(resource)
    raise TypeError(f"{type(resource).__name__} is no resource")


def from_json(kind: type[Resource], value: Any) -> Resource:
    """Return what `to_json` wrote of a `kind` of resource; for what this program itself wrote or was answered."""
    found: Resource = _decoded(kind, value)
    return found


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _fields(resource: Any, *, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    kept = _SAID_WHEN_NONE.get(type(resource), frozenset())
    found = {}
    for name in _names(type(resource)):
        value = getattr(resource, name)
        if name in without or (value is None and name not in kept) or (value is False and name in _SAID_WHEN_TRUE):
            continue
        found[name] = to_json(value)
    return found


def _names(kind: Any) -> tuple[str, ...]:
    return tuple(kind.__dataclass_fields__)


def _place(place: Place) -> dict[str, Any]:
    told = kind_by_ids(place.surface, place.channel)
    return _given({
        "surface": place.surface, "team": place.team or None, "channel": place.channel or None, "thread": place.thread,
        "link": place.link, "kind": place.kind.value if place.kind is not told else None,
        "external": place.external or None, "guests": place.guests or None,
    })  # fmt: skip


def _policy(policy: Policy) -> dict[str, Any]:
    body = _fields(policy, without=frozenset({"channels", "gone"}))
    body["channels"] = [
        {"team": team, "channel": channel, **to_json(seen)} for (team, channel), seen in sorted(policy.channels.items())
    ]
    body["gone"] = [{"team": team, "user": user, "at": at} for (team, user), at in sorted(policy.gone.items())]
    return body


@cache
def _hints(kind: Any) -> Mapping[str, Any]:
    return get_type_hints(kind)


def _decoded(kind: Any, value: Any) -> Any:
    outer = get_origin(kind)
    if outer in (Union, UnionType):
        if value is None:
            return None
        return _decoded(next(part for part in get_args(kind) if part is not NoneType), value)
    if outer is tuple:
        return tuple(_decoded(get_args(kind)[0], item) for item in value)
    if outer is frozenset:
        return frozenset(_decoded(get_args(kind)[0], item) for item in value)
    if outer is dict or outer is Mapping or kind is Any:
        return value
    if kind is timedelta:
        return parse_duration(value)
    if kind is Origin:
        return to_origin(value)
    if kind is Place:
        return _stored_place(value)
    if kind is ProposedPage:
        own = {name: value.get(name) for name in ("slug", "base_version", "version", "event")}
        draft = _decoded_fields(PageDraft, value) if "content" in value else None
        return ProposedPage(draft=draft, **own)
    if kind is NewToken:
        return NewToken(value["token"], _decoded_fields(TokenEntry, value))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    if is_dataclass(outer or kind):
        return _decoded_fields(outer or kind, value)
    return value


def _stored_place(value: Mapping[str, Any]) -> Place:
    known = {name: value[name] for name in _names(Place) if name in value and name != "kind"}
    kind = value.get("kind") or kind_by_ids(value["surface"], value.get("channel", ""))
    return Place(kind=PlaceKind(kind), **known)


def _decoded_fields(kind: Any, value: Mapping[str, Any]) -> Any:
    """Return a dataclass from its fields; what was left out is None where there is no default."""
    hints = _hints(kind)
    absent = dict.fromkeys(_without_default(kind))
    return kind(**absent | {name: _decoded(hints[name], value[name]) for name in hints if name in value})


@cache
def _without_default(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING)
