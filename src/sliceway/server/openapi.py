"""The OpenAPI 3.1 document: made of the table of calls, their models, and the types of their answers."""

from __future__ import annotations

import json
from functools import cache
from http import HTTPStatus
from typing import Any

from pydantic.json_schema import models_json_schema

from sliceway.core.pages import Receipt
from sliceway.core.proposals import Proposal
from sliceway.core.tokens import NewToken, TokenEntry
from sliceway.errors import BootError, ChatError, SlicewayError
from sliceway.ports import Brain
from sliceway.ports.outcomes import Outcome
from sliceway.server.addresses import is_object, type_of
from sliceway.server.answers import OF_ONE_PAGE
from sliceway.server.arguments import fields_in_path, whole_model
from sliceway.wire.checks import Strict
from sliceway.wire.routes import NDJSON, ROUTES, STREAMS, Route
from sliceway.wire.schemas import Schema, Schemas, made

CONTRACT = "1"
"""The version of the contract that is described."""
_PREFIX = "#/components/schemas/"
_PAGES = {
    "/healthz": ("Whether the process lives.", "application/json"),
    "/readyz": ("Whether the server can do its work, and the facts; 503 where it cannot.", "application/json"),
    "/metrics": ("What was counted since the start, for Prometheus.", "text/plain"),
    "/openapi.json": ("This document.", "application/json"),
}
_OF_BODIES = frozenset({HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
                        HTTPStatus.UNSUPPORTED_MEDIA_TYPE})  # fmt: skip


@cache
def openapi_bytes() -> bytes:
    """Return the document as JSON."""
    return json.dumps(openapi()).encode()


def openapi() -> dict[str, Any]:
    """Return the document."""
    answers = Schemas(_PREFIX)
    in_bodies = {route.fields for route in ROUTES if in_body(route)}
    models = sorted(in_bodies, key=lambda model: model.__name__)
    _, described = models_json_schema([(model, "validation") for model in models], ref_template=f"{_PREFIX}{{model}}")
    paths: dict[str, dict[str, Any]] = {path: {"get": _page(*about)} for path, about in _PAGES.items()}
    in_addresses: dict[str, Schema] = {}
    for route in (*ROUTES, *STREAMS):
        in_addresses |= _described(whole_model(route)).get("$defs", {})
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, answers)
    components = {**in_addresses, **described["$defs"], **answers.components, "Problem": _problem()}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sliceway brain",
            "version": CONTRACT,
            "description": "One brain behind many gateways and agents. Who calls is known by the token alone.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "bearerFormat": "slw_…"}},
        },
        "security": [{"token": []}],
    }


def in_body(route: Route) -> bool:
    """Say whether the fields of a call are described as a body: those of a DELETE are where an origin is one."""
    return not route.in_query and bool(route.fields.model_fields) and (
        route.method != "DELETE" or "origin" in route.fields.model_fields
    )  # fmt: skip


def _page(about: str, kind: str) -> dict[str, Any]:
    answers = {"200": {"description": about, "content": {kind: {}}}}
    return {"summary": about, "security": [], "responses": {**answers, "503": {"description": "Not now."}}}


def _operation(route: Route, answers: Schemas) -> dict[str, Any]:
    about = getattr(Brain, route.call).__doc__ or ""
    operation: dict[str, Any] = {
        "operationId": route.call,
        "summary": " ".join(about.split(".")[0].split()),
        "parameters": _parameters(route),
        "responses": {
            **{str(status): _answer(route, status, answers) for status in route.statuses},
            **_refusals(bodied=not route.in_query),
        },
    }
    if in_body(route):
        schema = {"$ref": f"{_PREFIX}{route.fields.__name__}"}
        needed = any(field.is_required() for field in route.fields.model_fields.values())
        operation["requestBody"] = {"required": needed, "content": {"application/json": {"schema": schema}}}
    if route.streams and route.method == "POST":
        operation["requestBody"] = {"required": True, "content": _lines("An export, or pages to load.")}
    return operation


def _lines(about: str) -> dict[str, Any]:
    return {NDJSON: {"schema": {"type": "string", "description": f"{about} One JSON document a line."}}}


def _parameters(route: Route) -> list[dict[str, Any]]:
    """Return what stands in the address: fields of the path, and those of the query where the call has no body."""
    whole = _described(whole_model(route))
    found = [
        {"name": name, "in": "path", "required": True, "schema": whole["properties"][name]}
        for name in fields_in_path(route)
    ]
    if in_body(route):
        return found
    for name in route.fields.model_fields:
        parameter: dict[str, Any] = {"name": name, "in": "query", "required": name in whole.get("required", [])}
        schema = _never_null(whole["properties"][name])
        if is_object(type_of(route.fields, name)):
            parameter["content"] = {"application/json": {"schema": schema}}
        else:
            parameter["schema"] = schema
        if schema.get("type") == "array":
            parameter |= {"style": "form", "explode": False}
        found.append(parameter)
    return found


def _described(model: type[Strict]) -> Schema:
    return model.model_json_schema(ref_template=f"{_PREFIX}{{model}}")


def _never_null(schema: Schema) -> Schema:
    """Return the schema without null, which no query can say."""
    kinds = [each for each in schema.get("anyOf", []) if each != {"type": "null"}]
    plain = {name: value for name, value in schema.items() if name not in {"anyOf", "default"} or value is not None}
    return {**{name: value for name, value in plain.items() if name != "anyOf"}, **kinds[0]} if kinds else plain


def _answer(route: Route, status: int, answers: Schemas) -> dict[str, Any]:
    if route.streams and route.method == "GET":
        answers.of(route.answer)
        return {"description": HTTPStatus(status).phrase, "content": _lines("A Manifest, then each ExportedEvent.")}
    content = {"application/json": {"schema": _answer_schema(route, answers)}}
    return {"description": HTTPStatus(status).phrase, "content": content}


def _answer_schema(route: Route, answers: Schemas) -> Schema:
    """Return the schema of an answer, as `answers.document` makes it."""
    if route.call == "report_denial":
        return made({"recorded": {"const": True}}, ["recorded"], "It is in the record.")
    if route.call == "head":
        return made({"head": answers.of(route.answer)}, ["head"], "The hash at the head of each slice's chain.")
    if route.answer is NewToken:
        fields, always = answers.fields_of(TokenEntry)
        return made({"token": {"type": "string"}, **fields}, ["token", *always], "A token, shown this once.")
    if route.answer is Outcome and route.call in OF_ONE_PAGE:
        fields, _ = answers.fields_of(Receipt)
        own, always = answers.fields_of(Outcome)
        return made({**fields, **own}, always, "What it came to, with the receipt's fields beside it.")
    if route.answer is Proposal and route.call == "propose":
        fields, always = answers.fields_of(Proposal)
        both = {**fields, "outcome": {"const": "pending"}, "proposal": answers.of(Proposal)}
        return made(both, [*always, "outcome", "proposal"], "What waits for a person's yes.")
    return answers.of(route.answer)


def _refusals(*, bodied: bool) -> dict[str, Any]:
    """Return the problems that a call may answer with, by status, with their codes."""
    codes: dict[int, set[str]] = {}
    for error in _below(SlicewayError):
        if not issubclass(error, BootError | ChatError) and (bodied or error.status not in _OF_BODIES):
            codes.setdefault(int(error.status), set()).add(error.code)
    content = {"application/problem+json": {"schema": {"$ref": f"{_PREFIX}Problem"}}}
    return {
        str(status): {"description": ", ".join(sorted(names)), "content": content}
        for status, names in sorted(codes.items())
    }


def _below(kind: type[SlicewayError]) -> list[type[SlicewayError]]:
    own = kind.__subclasses__()
    return [
        *(each for each in own if each.__module__ == SlicewayError.__module__),
        *(b for o in own for b in _below(o)),
    ]


def _problem() -> Schema:
    text = {"type": "string"}
    error = made(dict.fromkeys(("field", "code", "detail"), text), ["field", "code", "detail"], "One wrong field.")
    named = {"type": text, "title": text, "status": {"type": "integer"}, "code": text, "detail": text}
    return made({**named, "errors": {"type": "array", "items": error}}, list(named), "RFC 9457; `code` is stable.")
