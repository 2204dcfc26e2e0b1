"""Lists of values in statements of our own: few lengths, so that few statements are made and kept prepared."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic_core import from_json

_SIZES = sorted({base << shift for base in (4, 6) for shift in range(14)} | {1, 2, 3})
_NO_DOC = -1


def size_of(count: int) -> int:
    """Return how many values a list in a statement has that needs `count`."""
    return next((size for size in _SIZES if size >= count), count)


def keys_said(count: int) -> str:
    """Return the rows of a table of `count` pages, by slice and number; their columns are `column1` and `column2`."""
    return "VALUES " + ", ".join(f"(:slice_{at}, CAST(:doc_{at} AS INTEGER))" for at in range(count))


def keys_given(keys: Sequence[tuple[str, int]]) -> dict[str, str | int]:
    """Return the values of `keys_said` for as many as `size_of` says; those that fill it up are no page."""
    values: dict[str, str | int] = {}
    for at in range(size_of(len(keys))):
        name, doc = keys[at] if at < len(keys) else (keys[0][0], _NO_DOC)
        values[f"slice_{at}"], values[f"doc_{at}"] = name, doc
    return values


def filled(values: Sequence[str], name: str) -> dict[str, str]:
    """Return the values of a list in a statement by their names there, the last one repeated to its end."""
    last = len(values) - 1
    return {f"{name}_{at}": values[min(at, last)] for at in range(size_of(len(values)))}


def names_of(name: str, count: int) -> str:
    """Return a list in a statement, by the names of its values."""
    return ", ".join(f":{name}_{at}" for at in range(count))


def numbers(listed: str) -> list[int]:
    """Return the numbers of a list as an engine wrote it, four times as fast as by `int` of each."""
    found: list[int] = from_json(f"[{listed}]")
    return found
