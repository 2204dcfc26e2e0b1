"""Where memories landed: the one thing the page shows that the workspace cannot know, so somebody else tells it."""

from __future__ import annotations

from abc import ABC, abstractmethod

from sliceway.workspace.model import Json


class Landings(ABC):
    """A read-only look at the memory behind the app. Only ids, names, counts and times pass here, never content of
    anybody's private slice: whoever has the page's key sees all of it.
    """

    @abstractmethod
    async def look(self) -> Json:
        """Return `{slices: [{slice, kind, title, readers, pages, names}], acts: [{id, at, slice, act, …}], proposals}`
        as JSON, the newest act first. Called a few times a second while a page is open; an unchanged answer has to
        be equal to the one before.

        :raises SlicewayError: it cannot be read now; the page keeps what it has.
        """  # fmt: skip
