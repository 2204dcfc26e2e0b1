"""What an address says: the fields in its path and in its query, decoded exactly once and typed by the call's model."""

from __future__ import annotations

import re
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin
from urllib.parse import unquote_to_bytes

from sliceway.errors import FieldError, InvalidRequest
from sliceway.wire.checks import Strict, shown_field
from sliceway.wire.json_in import parsed

_BROKEN = re.compile(r"%(?![0-9A-Fa-f]{2})")
_WHOLE = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_DECIMAL = re.compile(r"-?[0-9]{1,18}(\.[0-9]{1,18})?", re.ASCII)
_TRUTH = {"true": True, "false": False}


def path_values(template: str, raw_path: str) -> tuple[dict[str, str], list[FieldError]]:
    """Return the fields in a path, and what is wrong with them.

    :param template: like `/v1/pages/{slice}/{slug}`. :param raw_path: as it was sent, of as many segments.
    """
    values: dict[str, str] = {}
    wrong: list[FieldError] = []
    for named, segment in zip(template.split("/"), raw_path.split("/"), strict=True):
        if not named.startswith("{"):
            continue
        name = named[1:-1]
        text = _decoded(segment)
        if text is None:
            wrong.append(_undecodable(name))
        else:
            values[name] = text
    return values, wrong


def query_values(raw_query: str, model: type[Strict]) -> tuple[dict[str, Any], list[FieldError]]:
    """Return the fields in a query as `model` takes them, and what is wrong with them; unknown ones stay in, for the
    model to refuse.

    A text that is not of its field's type stays text, so that the model says what is wrong with it.
    """
    values: dict[str, Any] = {}
    wrong: list[FieldError] = []
    for part in filter(None, raw_query.split("&")):
        raw_name, _, raw_value = part.partition("=")
        name, text = _decoded(raw_name.replace("+", " ")), _decoded(raw_value.replace("+", " "))
        if name is None or text is None:
            wrong.append(_undecodable(name if name is not None else "query"))
        elif name in values:
            wrong.append(FieldError(shown_field(name), "duplicate_field", "it is given twice"))
        else:
            try:
                values[name] = _typed(text, name, type_of(model, name))
            except InvalidRequest as error:
                wrong += error.errors
                values[name] = None
    return values, wrong


def _decoded(text: str) -> str | None:
    """Return a text without its `%XX`, None where it is not UTF-8 so written."""
    if _BROKEN.search(text):
        return None
    try:
        return unquote_to_bytes(text).decode()
    except UnicodeError:
        return None


def _undecodable(name: str) -> FieldError:
    return FieldError(shown_field(name), "invalid_request", "write it as UTF-8, percent-encoded")


def type_of(model: type[Strict], name: str) -> Any:
    """Return the plain type of a field: what is left of `Annotated[int, …] | None`."""
    field = model.model_fields.get(name)
    return _plain_type(field.annotation) if field is not None else None


def is_object(kind: Any) -> bool:
    """Say whether a field's type is an object, which a query holds as JSON."""
    return isinstance(kind, type) and issubclass(kind, Strict)


def _plain_type(kind: Any) -> Any:
    if get_origin(kind) is Annotated:
        return _plain_type(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        return _plain_type(next(each for each in get_args(kind) if each is not NoneType))
    return get_origin(kind) or kind


def _typed(text: str, name: str, kind: Any) -> Any:
    """Return a text of a query as its field's type.

    :raises InvalidRequest: it stands for an object, and is no JSON object.
    """
    if is_object(kind):
        return parsed(text.encode(), field=name)
    if kind is list:
        return text.split(",") if text else []
    if kind is bool:
        return _TRUTH.get(text, text)
    if kind is int and _WHOLE.fullmatch(text):
        return int(text)
    if kind is float and _DECIMAL.fullmatch(text):
        return float(text)
    return text
