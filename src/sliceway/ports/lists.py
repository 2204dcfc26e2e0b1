"""Walking a list of the brain to its end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from sliceway.core.pages import Listing

Item = TypeVar("Item")

LONGEST_PART = 200
"""Items that one part of a list has at most (BR13)."""


async def whole(part: Callable[..., Awaitable[Listing[Item]]]) -> tuple[Item, ...]:
    """Return every item of a list.

    :param part: a method of the brain that takes `limit` and `cursor`.
    """
    found: list[Item] = []
    cursor: str | None = None
    while True:
        listing = await part(limit=LONGEST_PART, cursor=cursor)
        found.extend(listing.items)
        cursor = listing.next_cursor
        if cursor is None:
            return tuple(found)
