"""Proposals for tests of cards."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sliceway.core.pages import PageDraft
from sliceway.core.policy import Policy
from sliceway.core.principals import Origin
from sliceway.core.proposals import PageDiff, Proposal, ProposedPage, State
from sliceway.core.turns import Person, Place

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
POLICY = Policy(managers=frozenset({"UBOSS", "T1:UCHIEF"}), teams=frozenset({"T1"}))
MARA = Person("T1", "UMARA", name="Mara")
THREAD = Place("slack", "T1", "CDEPLOY", "1.2", link="https://team.slack.example/archives/CDEPLOY/p12")


def proposal(content: str = "The on-call rotation moved to Mondays.", **changes: Any) -> Proposal:
    """Return a pending proposal of one new page for `shared`, with `changes`."""
    page = ProposedPage("on-call", None, PageDraft("on-call", content, title="On call"))
    fields: dict[str, Any] = {
        "id": "01JABCDEFGHJKMNPQRSTVWXYZ0",
        "slice": "shared",
        "revision": 1,
        "state": State.PENDING,
        "op": "write",
        "agent": "ada",
        "pages": (page,),
        "requested_by": MARA,
        "origin": Origin(MARA, THREAD),
        "created_at": "2026-05-04T09:00:00.000000Z",
        "expires_at": "2026-05-07T09:00:00.000000Z",
    }
    return Proposal(**{**fields, **changes})


def replacing(content: str, before: str) -> Proposal:
    """Return a proposal that replaces a page's text."""
    lines = (f"-{before}", f"+{content}")
    page = ProposedPage("on-call", 3, PageDraft("on-call", content))
    return proposal(pages=(page,), diff=(PageDiff("on-call", before, lines),))
