"""What happens behind the page that the workspace cannot do itself: somebody who holds the app's process does it."""

from __future__ import annotations

from abc import ABC, abstractmethod

from sliceway.workspace.model import Json


class Backstage(ABC):
    """The app's process, and another agent on the same brain. Only who has the page's key can ask for either."""

    @abstractmethod
    async def crash(self) -> Json:
        """Kill the app's process as a crash would, start it again, and return `{killed, started}`: their numbers.

        :raises SlicewayError: it did not start again, or everything is about to end.
        """

    @abstractmethod
    async def ask_other(self, query: str) -> Json:
        """Have the other agent recall something; return `{agent, hits: [{slice, text, by, for, yes}]}`.

        :raises SlicewayError: the brain cannot be asked.
        """
