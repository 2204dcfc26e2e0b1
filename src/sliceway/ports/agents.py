"""The part of the brain's port about the agents themselves: alias, rename, merge, retire (ID12)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from sliceway.ports.outcomes import AgentChange


class AgentKeeping(ABC):
    """What an admin or the operator does to agents (GT9); from others each of these is `NotPermitted`, and recorded.

    Each is recorded in the ledger, again is `nochange`, and is taken back with `undo`, the later before the earlier.
    `dry_run` changes nothing and says what would happen. After a rename, a merge or a retirement, and while its mind is
    an alias, an agent may not act by its id: it writes nothing and reads `public` alone.
    """

    @abstractmethod
    async def alias_agent(self, *, id: str, alias: str, undo: bool = False, dry_run: bool = False) -> AgentChange:
        """Let an agent read an earlier mind as its own; nobody writes it any more.

        :param id: the agent that reads it. :param alias: `agent`, `agent-…`, or the id of the agent whose it was.
        :raises Conflict: it has an owner, or its agent has tokens that are good.
        """

    @abstractmethod
    async def rename_agent(
        self, *, id: str, to: str | None = None, display: str | None = None, undo: bool = False, dry_run: bool = False
    ) -> AgentChange:
        """Give an agent another id, another display name, or both. Under the new id it has a new mind and reads the
        earlier one as an alias; its aliases, tokens and mounted reference go with it. Nothing is copied.

        :raises NotFound: there is no such agent. :raises Conflict: one of the two ids may not act any more.
        """

    @abstractmethod
    async def merge_agent(
        self,
        *,
        id: str,
        mind: str,
        undo: bool = False,
        dry_run: bool = False,
        progress: Callable[[int, int | None], None] | None = None,
    ) -> AgentChange:
        """Take a whole mind into that of an agent, as events of the caller's with `imported_from`. Broken off, the same
        call goes on. A page whose slug is taken comes in under `<mind>/<slug>`.

        :param id: the agent that goes on. :param mind: `agent`, `agent-…`, or the id of the agent whose it is.
        :param progress: told how many events were copied.
        :raises NotFound: there is no such mind. :raises Conflict: it is another agent's alias, or went elsewhere.
        """

    @abstractmethod
    async def retire_agent(self, *, id: str, undo: bool = False, dry_run: bool = False) -> AgentChange:
        """End an agent: its tokens are revoked, for good, and it may not act. Its mind is kept.

        :raises NotFound: there is no such agent. :raises Conflict: it was renamed or merged.
        """
