"""Values as the store keeps them: plain JSON of the frozen dataclasses, nothing that is absent spelled out."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

from sliceway.store.ledger import from_json, to_json

Shape = TypeVar("Shape")


@cache
def _adapter(shape: Any) -> TypeAdapter[Any]:
    return TypeAdapter(shape)


def plain(value: Any) -> Any:
    """Return a dataclass as dicts, lists and scalars, without what is None."""
    return _adapter(type(value)).dump_python(value, mode="json", exclude_none=True)


def keep(value: Any) -> str | None:
    """Return the text that a column keeps for a dataclass, None for None."""
    return None if value is None else to_json(plain(value))


def shaped(shape: type[Shape], value: Any) -> Shape:
    """Return the dataclass that `plain` made `value` of."""
    made: Shape = _adapter(shape).validate_python(value)
    return made


def kept(shape: type[Shape], text: str) -> Shape:
    """Return the dataclass that a column keeps."""
    return shaped(shape, from_json(text))


def kept_or_none(shape: type[Shape], text: str | None) -> Shape | None:
    """Return the dataclass that a column keeps, None where it keeps nothing."""
    return None if text is None else kept(shape, text)
