"""What is being worked on just now, by its ids, so that whatever is logged meanwhile can name it (OP3)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

_NOTHING: Mapping[str, str] = MappingProxyType({})
_DOING: ContextVar[Mapping[str, str]] = ContextVar("sliceway_doing", default=_NOTHING)


@contextmanager
def doing(**ids: str) -> Iterator[None]:
    """Name what is worked on inside the `with`: keys and ids only, never words of people. It nests, and every task that
    is begun inside inherits it."""
    before = _DOING.set({**_DOING.get(), **ids})
    try:
        yield
    finally:
        _DOING.reset(before)


def what_is_done() -> Mapping[str, str]:
    """Return the ids of what is worked on here; empty outside of any work."""
    return _DOING.get()
