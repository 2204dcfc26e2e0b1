"""The plugins, as the flows call them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import datetime

from sliceway.core.gate import Verdict
from sliceway.core.pages import Receipt
from sliceway.core.proposals import Proposal
from sliceway.core.turns import Turn


class Hooks(ABC):
    """Every enabled plugin behind one call. A plugin tightens; it never loosens (GT)."""

    @abstractmethod
    async def tighten(self, op: str, destination: str, verdict: Verdict, now: datetime) -> Verdict:
        """Return the strictest of `verdict` and what each plugin says; an exception or 250 ms without an answer is
        DENY; after three such strikes in a row every write of the agent is DENY until a restart (PL2)."""

    @abstractmethod
    async def turn_done(self, turn: Turn, receipts: tuple[Receipt, ...], proposals: tuple[Proposal, ...]) -> None:
        """Tell the observers that a turn ended; their errors are logged and go no further (PL3)."""

    @abstractmethod
    async def proposal_changed(self, proposal: Proposal) -> None:
        """Tell the observers that a proposal changed; their errors are logged and go no further (PL3)."""

    @property
    @abstractmethod
    def can_tighten(self) -> bool:
        """Whether any plugin tightens, so that a verdict without one costs nothing."""
