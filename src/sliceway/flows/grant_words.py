"""What is said of grants, and the button that ends one (AP15, AP16)."""

from __future__ import annotations

from collections.abc import Sequence

from sliceway.core.cards import Button, button_value
from sliceway.core.clock import minute_words, to_text
from sliceway.core.grants import Grant, GrantNote, why_ended
from sliceway.core.pages import Receipt
from sliceway.core.proposals import Proposal
from sliceway.flows.names import place_words
from sliceway.flows.parts import Parts


def revoke_button(grant: Grant) -> Button:
    """Return what ends a grant: it names the proposal that the grant was given with."""
    return Button("revoke", "Revoke", button_value(grant.proposal, 1))


def notes_in(receipts: Sequence[Receipt]) -> dict[str, GrantNote]:
    """Return the grants that writes happened under, by id."""
    return {receipt.grant.id: receipt.grant for receipt in receipts if receipt.grant is not None}


def note_words(note: GrantNote) -> str:
    """Return under whose grant something was written, and until when it holds."""
    return f"_Written under the standing yes of {note.granted_by.shown}, which holds until {minute_words(note.until)}._"


def grant_words(grant: Grant) -> str:
    """Return what a grant allows, towards the thread it holds in."""
    return (
        f"Until {minute_words(grant.until)} {grant.writer.shown} may go on writing to {place_words(grant.slice)} in "
        f"this thread without a card, under the standing yes of {grant.granted_by.shown}."
    )


async def live_grant_of(parts: Parts, proposal: Proposal) -> Grant | None:
    """Return the grant that was given with a proposal's approval, while it holds."""
    grant = proposal.grant
    if grant is None or why_ended(grant, await parts.brain.policy(), to_text(parts.clock())) is not None:
        return None
    return grant
