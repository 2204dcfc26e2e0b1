"""What callers read of a refused field is ours, word for word, whatever kind of refusal it is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

import sliceway.brain.record
import sliceway.wire.models  # noqa: F401 - its models are found as subclasses
from sliceway.core.refusal_words import OTHERWISE, has_words, words_of
from sliceway.errors import InvalidRequest
from sliceway.flows.tool_args import Arguments
from sliceway.settings import Settings
from sliceway.wire.calls import DecideCall, ListingCall
from sliceway.wire.checks import Strict, checked
from sliceway.workspace.control_bodies import _Body
from sliceway.workspace.faults import Fault, Match

ROOTS: tuple[type[BaseModel], ...] = (Strict, Arguments, _Body, Fault, Match, Settings)
KINDS: Mapping[str, tuple[str, ...]] = {
    "any": (),
    "bool": ("bool_type", "bool_parsing"),
    "default": (),
    "definition-ref": (),
    "definitions": (),
    "dict": ("dict_type",),
    "enum": ("enum",),
    "float": ("float_type", "float_parsing", "finite_number"),
    "function-after": ("value_error",),
    "function-before": ("value_error",),
    "function-plain": (),
    "function-wrap": ("value_error",),
    "int": ("int_type", "int_parsing", "int_parsing_size", "int_from_float"),
    "is-instance": (),
    "lax-or-strict": (),
    "list": ("list_type",),
    "literal": ("literal_error",),
    "model": ("model_type", "model_attributes_type"),
    "model-field": ("missing",),
    "model-fields": ("extra_forbidden", "model_type"),
    "no-info": (),
    "with-info": (),
    "nullable": (),
    "json-or-python": (),
    "str": ("string_type", "string_unicode"),
    "timedelta": ("time_delta_type", "time_delta_parsing"),
    "tuple": ("tuple_type",),
    "union": (),
    "format-ser-schema": (),
    "to-string": (),
}
"""The kinds of refusal that each kind of pydantic's schemas leads to."""
LIMITS: Mapping[str, tuple[str, ...]] = {
    "ge": ("greater_than_equal",),
    "gt": ("greater_than",),
    "le": ("less_than_equal",),
    "lt": ("less_than",),
    "pattern": ("string_pattern_mismatch",),
    "min_length": ("string_too_short", "too_short"),
    "max_length": ("string_too_long", "too_long"),
}


def models() -> Iterator[type[BaseModel]]:
    """Return every model of a call, a tool's arguments, the settings and the workspace's control."""
    waiting = list(ROOTS)
    while waiting:
        model = waiting.pop()
        waiting += model.__subclasses__()
        yield model


def schemas(part: Any) -> Iterator[Mapping[str, Any]]:
    """Return every schema in a schema."""
    if isinstance(part, Mapping):
        if isinstance(part.get("type"), str) and part["type"] != "message":
            yield part
        for name, below in part.items():
            if name not in {"metadata", "serialization", "ref", "expected"}:
                yield from schemas(below)
    elif isinstance(part, list | tuple):
        for below in part:
            yield from schemas(below)


@pytest.mark.parametrize("model", sorted(set(models()), key=str), ids=lambda model: model.__name__)
def test_br14_every_kind_of_refusal_has_words(model: type[BaseModel]) -> None:
    """BR14: whatever a model can refuse has words of ours; a schema of a kind not known here fails until it has."""
    for schema in schemas(model.__pydantic_core_schema__):
        assert schema["type"] in KINDS, schema
        kinds = [*KINDS[schema["type"]], *(kind for limit, of in LIMITS.items() if limit in schema for kind in of)]
        assert [kind for kind in kinds if not has_words(kind) and kind != "value_error"] == []


class _Odd(Strict):
    """Fields that refuse in every way."""

    number: int
    some: list[int]
    text: str


def _errors(model: type[BaseModel], **fields: Any) -> list[ErrorDetails]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(fields)
    return caught.value.errors()


def test_br14_words_are_not_a_validators() -> None:
    """BR14: no sentence of pydantic's reaches a caller: a missing field, another kind, and an unknown one."""
    for found in _errors(_Odd, number="1", some=3, extra=True):
        assert words_of(found["type"], found.get("ctx", {})) != found["msg"]
        assert "Input should" not in words_of(found["type"], found.get("ctx", {}))
    assert words_of("of_a_later_version", {}) == OTHERWISE
    assert words_of("string_too_long", {}) == OTHERWISE
    assert words_of("less_than_equal", {"le": 200}) == "it must be at most 200"


def test_br14_a_call_says_its_limits() -> None:
    """BR14: a limit that was passed over is named with its number, a choice with what there is."""
    with pytest.raises(InvalidRequest) as caught:
        checked(ListingCall, limit=0)
    assert [error.detail for error in caught.value.errors] == ["it must be at least 1"]
    with pytest.raises(InvalidRequest) as caught:
        checked(DecideCall, id="p", decision="maybe", revision=1)
    assert [error.detail for error in caught.value.errors] == ["it must be 'approve' or 'deny'"]
