"""What a clicker is told, privately, when a click did not do what its button says (AP6, AP9, AP11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sliceway.core.cards import Message
from sliceway.core.clock import minute_words
from sliceway.core.pages import ApprovedBy
from sliceway.core.proposals import Proposal, State
from sliceway.core.text import visible
from sliceway.core.turns import Person
from sliceway.flows.deciders import SHOWN
from sliceway.flows.names import place_words

INACTIVE = "This card is no longer active; nothing happened."
AGAIN = "That came too late for the form to open. Please press the button once more."
NOT_COUNTED = "Your click did not count, and nothing was written. {why} Please press again."
STALE = "This changed since the card you pressed was made, so nothing happened. Look at the card again, then decide."
NO_GRANT = (
    "Grants are switched off here, or this is nothing that a thread can be granted for, so nothing happened. Press "
    "Approve for this one alone."
)
NOT_OWNER = "Only the person whose draft this is can send it or keep it private; nothing happened."
SENT = "Sent to the approvers. You will hear here what they decide."
KEPT = "Kept private; nobody else saw it."
ASKER_GONE = (
    "Nothing was written: who asked for this has left the team, and nothing is written for them any more. Deny it; "
    "whoever still wants it saved asks for it themselves."
)

_STATES = {
    State.APPLIED: "approved",
    State.DENIED: "denied",
    State.EXPIRED: "expired before anyone decided",
    State.WITHDRAWN: "taken back",
    State.SUPERSEDED: "superseded: the page changed meanwhile, and a new card shows the new text",
    State.DRAFT: "still a draft",
    State.PENDING: "waiting for a decision",
}


def refused(why: str, people: tuple[Person, ...]) -> Message:
    """Return the refusal of somebody who may not decide, naming who can (AP6)."""
    said = f"You cannot decide this: {why}. Nothing changed."
    if not people:
        return Message(f"{said} Nobody can decide it yet: an admin has to name an approver first.")
    more = f", and {len(people) - SHOWN} more" if len(people) > SHOWN else ""
    return Message(f"{said} These can{more}:", people=tuple(who.user for who in people[:SHOWN]))


def already(facts: Mapping[str, Any]) -> str:
    """Return what became of a proposal that waits no more, with who decided and when (AP9, AP11)."""
    state = State(facts["state"])
    said = _STATES[state]
    if state in {State.APPLIED, State.DENIED}:
        said = f"already {said}{_by(facts.get('decided_by'))}{_at(facts.get('decided_at'))}"
    return f"Nothing happened: this was {said}."


def done(action: str, proposal: Proposal) -> str:
    """Return what a decision came to, for who pressed where no card shows it: in a list."""
    named = [page.draft.title or page.slug if page.draft is not None else page.slug for page in proposal.pages[:3]]
    titles = ", ".join(f"“{visible(title)[0]}”" for title in named)
    if action == "deny":
        return f"Denied: {titles} is not in {place_words(proposal.slice)}. Who asked is told."
    return f"Approved: {titles} is in {place_words(proposal.slice)}. Who asked is told."


def failed(detail: str) -> str:
    """Return why a decision could not be carried out; the proposal still waits (AP5)."""
    return f"That could not be done, and the proposal still waits: {detail}"


def is_by(facts: Mapping[str, Any], who: Person) -> bool:
    """Say whether a decision was this person's own."""
    by = facts.get("decided_by")
    return isinstance(by, ApprovedBy) and (by.team, by.user) == (who.team, who.user)


def _by(by: object) -> str:
    """Return who decided, as far as it is said."""
    if isinstance(by, ApprovedBy):
        name = by.name or by.user or (f"the operator {by.operator}" if by.operator else "")
        return f" by {name}" if name else ""
    return f" by {by}" if isinstance(by, str) else ""


def _at(at: object) -> str:
    """Return when it was decided, to the minute."""
    return f" on {minute_words(at)}" if isinstance(at, str) else ""
