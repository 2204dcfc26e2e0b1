"""JSON from outside, read strictly: nothing given twice, no NaN, no half characters, nothing deeper or longer than any
call is (BR5). Pure; what costs time for a large body may run in another thread."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import Any

from sliceway.errors import FieldError, InvalidRequest
from sliceway.wire.checks import shown_field

MOST_DEEP = 32
"""Objects and lists inside each other, at most."""
MOST_WIDE = 10_000
"""Fields of an object or items of a list, at most."""
MOST_THINGS = 50_000
"""Values in the whole of a body, at most: what reads JSON holds up all else that runs, for as long as it takes."""

_STRING = re.compile(
    rb'"[^"\\]*+(?:\\.?[^"\\]*+)*+(?:"|\Z)', re.DOTALL
)  # an unended one too, so that time stays linear


def parsed(raw: bytes, *, field: str = "body") -> dict[str, Any]:
    """Return the JSON object in `raw`.

    :param field: what the errors call the whole of it.
    :raises InvalidRequest: it is not UTF-8, no JSON, no object, or holds what no call may hold.
    """
    between = _STRING.sub(b"", raw, count=2 * MOST_THINGS)  # no more strings than that are in what is not too long
    if sum(between.count(mark) for mark in (b",", b"[", b"{")) > MOST_THINGS:
        raise _wrong(field, "too_long", f"it holds more than {MOST_THINGS} values")
    try:
        value = json.loads(
            raw.decode(), object_pairs_hook=_object, parse_constant=_no_number, parse_float=_number
        )  # fmt: skip
    except InvalidRequest:
        raise
    except UnicodeDecodeError:
        raise _wrong(field, "not_json", "it is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise _wrong(field, "not_json", f"it is no JSON: {error.msg} at character {error.pos}") from None
    except RecursionError:
        raise _wrong(field, "too_deep", f"objects and lists stand at most {MOST_DEEP} deep in each other") from None
    except ValueError:  # what Python refuses to read as a number
        raise _wrong(field, "not_json", "it holds a number longer than any can be") from None
    if not isinstance(value, dict):
        raise _wrong(field, "not_an_object", "it must be a JSON object, like {}")
    _check(value, field)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(pairs) > MOST_WIDE:
        raise _wrong("body", "too_long", f"an object has at most {MOST_WIDE} fields")
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise _wrong(shown_field(twice), "duplicate_field", "it is given twice")
    return found


def _no_number(name: str) -> float:
    raise _wrong("body", "not_json", f"{name} is no number in JSON")


def _number(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _wrong("body", "not_json", "it holds a number larger than any can be")
    return number


def _check(value: dict[str, Any], field: str) -> None:
    """Look at all there is, without walking deeper than may be."""
    level: list[tuple[str, Any]] = [("", value)]
    for _ in range(MOST_DEEP + 1):
        level = [below for path, outer in level for below in _inside(path, outer)]
        if not level:
            return
    raise _wrong(field, "too_deep", f"objects and lists stand at most {MOST_DEEP} deep in each other")


def _inside(path: str, outer: Any) -> Iterable[tuple[str, Any]]:
    """Return the objects and lists in one; refuse what is wrong with anything in it."""
    if len(outer) > MOST_WIDE:
        raise _wrong(path or "body", "too_long", f"a list has at most {MOST_WIDE} items")
    named: Iterable[tuple[Any, Any]] = outer.items() if isinstance(outer, dict) else enumerate(outer)
    found = []
    for name, item in named:
        if isinstance(name, str) and not _is_text(name):
            raise _wrong(path or "body", "lone_surrogate", "the name of a field holds half of a character")
        if isinstance(item, str) and not _is_text(item):
            where = shown_field(f"{path}.{name}" if path else str(name))
            raise _wrong(where, "lone_surrogate", "it holds half of a character (a lone surrogate)")
        if isinstance(item, dict | list):
            found.append((f"{path}.{name}" if path else str(name), item))
    return found


def _is_text(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _wrong(field: str, code: str, detail: str) -> InvalidRequest:
    return InvalidRequest(errors=[FieldError(shown_field(field), code, detail)])
