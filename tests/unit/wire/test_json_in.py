"""JSON from outside is read strictly, and in bounded time."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sliceway.errors import InvalidRequest
from sliceway.wire.json_in import MOST_DEEP, MOST_THINGS, MOST_WIDE, parsed

_MANY = 1_000_000


@pytest.mark.parametrize(
    ("raw", "field", "code"),
    [
        (b"", "body", "not_json"),
        (b"{} x", "body", "not_json"),
        (b"\xff\xfe{\x00}\x00", "body", "not_json"),
        (b"\xef\xbb\xbf{}", "body", "not_json"),
        (b'{"a": NaN}', "body", "not_json"),
        (b'{"a": -Infinity}', "body", "not_json"),
        (b'{"a": 1e999}', "body", "not_json"),
        (b'{"a": ' + b"9" * 5000 + b"}", "body", "not_json"),
        (b"[]", "body", "not_an_object"),
        (b'"text"', "body", "not_an_object"),
        (b"null", "body", "not_an_object"),
        (b'{"a": 1, "a": 1}', "a", "duplicate_field"),
        (b'{"a": [{"b": 1, "b": 2}]}', "b", "duplicate_field"),
        (b'{"a": {"b": ["\\ud800"]}}', "a.b.0", "lone_surrogate"),
        (b'{"\\udfff": 1}', "body", "lone_surrogate"),
        (b'{"a": ' * 40 + b"1" + b"}" * 40, "body", "too_deep"),
        (b"[" * 45_000 + b"]" * 45_000, "body", "too_deep"),
        (b'{"a": [' + b"1," * MOST_WIDE + b"1]}", "a", "too_long"),
    ],
)
def test_br5_what_is_no_sound_json_is_refused_with_its_place(raw: bytes, field: str, code: str) -> None:
    """BR5: duplicates, NaN, half characters and what is too deep or too long are refused with the field and a code."""
    with pytest.raises(InvalidRequest) as refused:
        parsed(raw)
    assert [(each.field, each.code) for each in refused.value.errors] == [(field, code)]


@pytest.mark.parametrize(
    "raw",
    [
        b'{"a": [' + b"[]," * _MANY + b"[]]}",
        b'{"a": [' + b'"\\\\",' * _MANY + b"1]}",
        b"{" + b'"a":1,' * _MANY + b'"b":1}',
        b'{"a": "' + b'\\"' * _MANY,
        b'{"a' + b'"' * _MANY,
        b"[" * _MANY,
    ],
    ids=["lists", "strings", "fields", "quotes that end nothing", "quotes", "depth"],
)
@pytest.mark.timeout(20)
def test_hostile_bodies_are_refused_without_much_work(raw: bytes) -> None:
    """A body made of very many small things ends in a refusal, never in a long time, recursion or much memory."""
    with pytest.raises(InvalidRequest):
        parsed(raw)


@given(st.dictionaries(st.text(), st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists)))
def test_all_other_objects_are_read_as_they_are(value: dict[str, Any]) -> None:
    """What the strict reader takes, it reads as the standard library does."""
    assert parsed(json.dumps(value).encode()) == value


def test_text_that_looks_like_much_json_is_only_text() -> None:
    """The number of values counts, not what stands inside of texts, escaped or not."""
    text = '{"a": [1, 2, "x\\"]}' * MOST_THINGS
    assert parsed(json.dumps({"text": text}).encode()) == {"text": text}


def test_the_deepest_that_may_be_is_read() -> None:
    """At the limit itself nothing is refused."""
    raw = b'{"a": ' * MOST_DEEP + b"1" + b"}" * MOST_DEEP
    assert json.loads(raw) == parsed(raw)
