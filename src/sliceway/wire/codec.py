"""The one codec: resources to JSON and back, the same bytes in the store, over HTTP and on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass, replace
from datetime import timedelta
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from sliceway.core.clock import duration_text, parse_duration
from sliceway.core.pages import Author, Listing, Page, PageDraft, PageEntry
from sliceway.core.policy import Channel, Policy
from sliceway.core.principals import Origin
from sliceway.core.proposals import CardClaim, PageDiff, Proposal, ProposedPage
from sliceway.core.tokens import NewToken, TokenEntry
from sliceway.core.turns import Person, Place, PlaceKind
from sliceway.ports.outcomes import ExportedEvent, Outcome, VerifyFault
from sliceway.wire.models import kind_by_ids, to_origin

Resource = TypeVar("Resource")

SAID_WHEN_NONE: Mapping[type, frozenset[str]] = {
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
    ExportedEvent: frozenset({"payload"}),
}
"""Fields that the contract promises to be there, null where there is nothing to say."""
_TOLD_BY = {"written": "receipts", "pending": "proposal", "would_ask": "dry_run"}
"""The field that tells what a write came to, by its outcome."""
SAID_WHEN_TRUE = frozenset({"dry_run", "self_approval", "raised", "erased", "complete", "restored"})
"""Fields that are left out where they are false."""


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
    """Return what `to_json` wrote of a `kind` of resource; for what this program itself wrote or was answered.

    Fields that `kind` does not know are left aside, so that a newer program may say more.
    :raises ValueError: it is no such resource: a field has another shape, or is missing. `KeyError`, `TypeError`,
        `AttributeError` or `InvalidRequest` too, by where it is wrong; of a wire all mean the same.
    """
    found: Resource = _decoded(kind, value)
    return found


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _fields(resource: Any, *, without: frozenset[str] = frozenset()) -> dict[str, Any]:
    kept = SAID_WHEN_NONE.get(type(resource), frozenset())
    found = {}
    for name in _names(type(resource)):
        value = getattr(resource, name)
        if name in without or (value is None and name not in kept) or (value is False and name in SAID_WHEN_TRUE):
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
    """Return the fields' types of a dataclass; of a generic one, `Listing[PageEntry]`, with its own in their place."""
    plain: Any = get_origin(kind) or kind
    bound = dict(zip(getattr(plain, "__parameters__", ()), get_args(kind), strict=False))
    return {name: _bound(hint, bound) for name, hint in get_type_hints(plain).items()}


def _bound(hint: Any, bound: Mapping[Any, Any]) -> Any:
    if isinstance(hint, TypeVar):
        return bound.get(hint, Any)
    open_ones = getattr(hint, "__parameters__", ())
    return hint[tuple(bound.get(one, Any) for one in open_ones)] if open_ones else hint


def _decoded(kind: Any, value: Any) -> Any:
    outer = get_origin(kind)
    if outer in (Union, UnionType):
        if value is None:
            return None
        return _decoded(next(part for part in get_args(kind) if part is not NoneType), value)
    if outer is tuple or outer is frozenset:
        made: Any = outer
        return made(_decoded(get_args(kind)[0], item) for item in _shaped(value, list, tuple))
    if outer is dict or outer is Mapping:
        inner = get_args(kind)[1]
        return {name: _decoded(inner, item) for name, item in _shaped(value, Mapping).items()}
    if kind is Any:
        return value
    if kind in _PLAIN:
        return _plain(kind, value)
    if kind is timedelta:
        return parse_duration(_shaped(value, str))
    if kind is Origin:
        return to_origin(value)
    if kind is Place:
        return _stored_place(_shaped(value, Mapping))
    if kind is Policy:
        return _decoded_policy(_shaped(value, Mapping))
    if kind is ProposedPage:
        own = {name: value.get(name) for name in ("slug", "base_version", "version", "event")}
        draft = _decoded_fields(PageDraft, value) if "content" in value else None
        return ProposedPage(draft=draft, **own)
    if kind is Outcome and _TOLD_BY.get(value.get("outcome")) not in value:
        raise ValueError("an Outcome that does not say what came of it")
    if kind is NewToken:
        return NewToken(_plain(str, value["token"]), _decoded_fields(TokenEntry, value))
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    if is_dataclass(outer or kind):
        return _decoded_fields(kind, _shaped(value, Mapping))
    raise TypeError(f"{kind} is no kind of resource")


_PLAIN: Mapping[Any, tuple[type, ...]] = {str: (str,), bool: (bool,), int: (int,), float: (int, float)}


def _plain(kind: Any, value: Any) -> Any:
    """Return a plain value that is of its kind; True is no number."""
    if isinstance(value, bool) and kind is not bool:
        raise ValueError(f"not a {kind.__name__}")
    return _shaped(value, *_PLAIN[kind])


def _shaped(value: Any, *kinds: Any) -> Any:
    """Return `value` where it is of one of these kinds: what is read differently than it was written is no resource."""
    if not isinstance(value, kinds):
        raise ValueError(f"a {type(value).__name__} where a {kinds[0].__name__} was written")
    return value


def _stored_place(value: Mapping[str, Any]) -> Place:
    known = {name: value[name] for name in _names(Place) if name in value and name != "kind"}
    kind = value.get("kind") or kind_by_ids(value["surface"], value.get("channel", ""))
    return Place(kind=PlaceKind(kind), **known)


def _decoded_policy(value: Mapping[str, Any]) -> Policy:
    """Return the policy; channels and people are kept by what a list tells of them."""
    listed = {name: _shaped(value[name], list, tuple) for name in ("channels", "gone")}
    plain = {**value, **{name: {} for name in listed}}
    found: Policy = _decoded_fields(Policy, plain)
    return replace(
        found,
        channels={(one["team"], one["channel"]): _decoded_fields(Channel, one) for one in listed["channels"]},
        gone={(one["team"], one["user"]): one["at"] for one in listed["gone"]},
    )


def _decoded_fields(kind: Any, value: Mapping[str, Any]) -> Any:
    """Return a dataclass from its fields; what was left out is None where there is no default and None is allowed.

    :raises ValueError: a field that is always written is not there.
    """
    plain: Any = get_origin(kind) or kind
    hints = _hints(kind)
    absent = dict.fromkeys(_without_default(plain))
    missing = [name for name in absent if name not in value and NoneType not in get_args(hints[name])]
    if missing:
        raise ValueError(f"a {plain.__name__} without {', '.join(missing)}")
    return plain(**absent | {name: _decoded(hints[name], value[name]) for name in hints if name in value})


@cache
def _without_default(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING)
