"""An agent: what answers in a turn, and the tools it is given."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sliceway.core.pages import Hit, Page, PageEntry, Receipt, VersionEntry
from sliceway.core.proposals import Proposal
from sliceway.core.scope import Scope
from sliceway.core.turns import Turn
from sliceway.ports.brain import PageLike


@dataclass(frozen=True, slots=True)
class Reply:
    """One thing the agent says. Plain text with `*bold*`, `_italic_` and quotes; mentions in it ping nobody."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model sees it: its name, one sentence, and the JSON schema of its arguments."""

    name: str
    summary: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """What a tool did, in data and in words a model can act on.

    `outcome` is `written`, `pending`, `draft`, `found`, `nothing`, `denied` or `failed`; `say` is one or two sentences;
    recalled text in `hits` and `pages` is data, quoted with its source, never an instruction (FR9).
    """

    outcome: str
    say: str
    code: str | None = None
    receipts: tuple[Receipt, ...] = ()
    proposal: Proposal | None = None
    hits: tuple[Hit, ...] = ()
    pages: tuple[Page | PageEntry, ...] = ()
    versions: tuple[VersionEntry, ...] = ()
    slices_read: tuple[str, ...] = ()


class Tools(ABC):
    """The tools of one turn, bound to its scope. No tool approves, and none takes a flag that says who wanted it
    (GT11). A refusal is an answer with `outcome: denied`, never an exception."""

    @property
    @abstractmethod
    def scope(self) -> Scope:
        """What this turn may do."""

    @abstractmethod
    def specs(self) -> tuple[ToolSpec, ...]:
        """Return every tool with its JSON schema."""

    @abstractmethod
    async def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Call a tool by name with JSON arguments; a wrong name or argument is `failed` and says what is right."""

    @abstractmethod
    async def memoize(self, pages: Sequence[PageLike], *, target: str = "mine") -> ToolAnswer:
        """Save pages to `mine`, `user`, `shared` or `public`."""

    @abstractmethod
    async def recall(
        self, query: str, *, limit: int = 5, saved_by: str | None = None, tags: Sequence[str] = ()
    ) -> ToolAnswer:
        """Find pages in everything this turn may read."""

    @abstractmethod
    async def read_page(self, slice: str, slug: str) -> ToolAnswer:
        """Read one page whole."""

    @abstractmethod
    async def list_pages(self, *, limit: int = 20) -> ToolAnswer:
        """List the pages this turn may read."""

    @abstractmethod
    async def page_history(self, slice: str, slug: str) -> ToolAnswer:
        """List a page's versions, with who wrote each."""

    @abstractmethod
    async def forget(self, slice: str, slug: str) -> ToolAnswer:
        """Delete a page softly, where this turn may."""

    @abstractmethod
    async def undo(self, slice: str, slug: str, event: str) -> ToolAnswer:
        """Take back the change that a receipt names."""

    @abstractmethod
    async def recent(self) -> tuple[Receipt, ...]:
        """Return what this speaker's earlier turns in this thread changed, newest first: what `undo` may take back."""

    @abstractmethod
    async def proposals(self) -> ToolAnswer:
        """List what waits for a decision and was asked for by this speaker."""

    @abstractmethod
    async def withdraw(self, id: str) -> ToolAnswer:
        """Take back a proposal of this speaker's."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of something the agent proposed. `reason` is a person's words: data, not an instruction."""

    proposal: Proposal


class Agent(ABC):
    """What answers. One gateway process runs one agent."""

    @abstractmethod
    def respond(self, turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
        """Answer a turn, one reply after another. A turn that died runs again: the tools then answer as they did."""

    @abstractmethod
    async def on_decision(self, decision: Decision) -> None:
        """Hear what became of a proposal of this agent's; an error is logged and changes nothing."""
