"""From what came in to the port's method and its arguments: checked whole, once, with every wrong field named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pydantic import ValidationError, create_model

from sliceway.errors import FieldError
from sliceway.server.addresses import path_values, query_values
from sliceway.wire.checks import Label, Slug, Strict, author_given, field_errors, refusal
from sliceway.wire.json_in import parsed
from sliceway.wire.routes import Route

_MOST_ERRORS = 50
_WRITES = frozenset({"write_pages", "delete", "restore", "undo", "propose"})


@dataclass(frozen=True, slots=True)
class Given:
    """A request as it came: the path and the query undecoded, and the body, None where there is none."""

    raw_path: str
    raw_query: str
    body: bytes | None


def arguments(route: Route, given: Given) -> tuple[str, dict[str, Any]]:
    """Return the port's method for a request, and what to call it with.

    :raises InvalidRequest: naming every field that is wrong, in path, query and body.
    """
    in_path, wrong = path_values(route.path, given.raw_path)
    in_body = parsed(given.body) if given.body is not None else {}
    from_query = given.body is None and (route.in_query or route.method == "DELETE")
    in_query, more = query_values(given.raw_query, route.fields if from_query else Strict)
    wrong += more
    if not from_query:
        wrong += [_no_field(name, "the fields of this call travel in its body") for name in in_query]
        in_query = {}
    beside = {**in_query, **in_body}
    named = fields_in_path(route)
    wrong += [_no_field(name, "it stands in the address") for name in beside if name in named]
    beside = {name: value for name, value in beside.items() if name not in named}
    broken = {error.field.partition(".")[0] for error in wrong}
    found = [error for error in _wrong_fields(route, {**beside, **in_path}) if error.field not in broken] + wrong
    if found:
        raise refusal(_some(found))
    return _call(route, {**beside, **in_path})


def fields_in_path(route: Route) -> tuple[str, ...]:
    """Return the names of the fields that stand in a route's path, in order."""
    return tuple(part[1:-1] for part in route.path.split("/") if part.startswith("{"))


@cache
def whole_model(route: Route) -> type[Strict]:
    """Return the model of all fields of a call, those in its path included."""
    own: dict[str, Any] = {name: (Slug if name == "slug" else Label, ...) for name in fields_in_path(route)}
    model: type[Strict] = create_model(f"{route.fields.__name__}At{route.call}", __base__=route.fields, **own)
    return model


def _wrong_fields(route: Route, values: Mapping[str, Any]) -> list[FieldError]:
    try:
        whole_model(route).model_validate(values)
    except ValidationError as error:
        found = field_errors(error)
        names_author = route.call in _WRITES and "author" in values
        return [author_given("author") if names_author and one.field == "author" else one for one in found]
    if route.call == "claim_card" and (values.get("ref") is None) == (values.get("lease_s") is None):
        return [FieldError("ref", "invalid_request", "give either lease_s, to claim, or ref, to say where it stands")]
    if route.call == "revoke_grant" and values.get("by") is not None:
        if values.get("person") is not None:
            return [FieldError("by", "invalid_request", "give either by, as TEAM:USER, or the person")]
        if len(_person(values["by"])) != 2:
            return [FieldError("by", "invalid_request", "say who clicked as TEAM:USER")]
    return []


def _call(route: Route, values: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the method and its arguments; what is null is left out, but where null is a value of its own."""
    if route.call != "set_policy":
        values = {name: value for name, value in values.items() if value is not None}
    if route.call == "claim_card":
        return ("card_posted" if "ref" in values else "claim_card"), values
    if route.call == "revoke_grant" and "person" in values:
        values["by"] = values.pop("person")
    elif route.call == "revoke_grant" and "by" in values:
        values["by"] = dict(zip(("team", "user"), _person(values["by"]), strict=True))
    return route.call, values


def _person(text: str) -> tuple[str, ...]:
    return tuple(part for part in text.split(":", 1) if part)


def _no_field(name: str, why: str) -> FieldError:
    return FieldError(name, "unknown_field", f"there is no such field: {why}")


def _some(errors: list[FieldError]) -> list[FieldError]:
    """Return as many errors as anyone reads, and how many more there are."""
    if len(errors) <= _MOST_ERRORS:
        return errors
    more = FieldError("", "invalid_request", f"{len(errors) - _MOST_ERRORS} more fields are wrong")
    return [*errors[:_MOST_ERRORS], more]
