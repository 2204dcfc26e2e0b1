"""Proposals and grants as entries of a list that one person alone is shown (AP18, AP26, R42). Pure."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from sliceway.core.card_making import card_for, destination_words, draft_card_for
from sliceway.core.card_texts import Budget
from sliceway.core.cards import Button, Card, Fact, Item, button_value
from sliceway.core.grants import Grant
from sliceway.core.policy import Policy
from sliceway.core.proposals import Proposal, State

LISTED = Budget(texts=900, diffs=500, field=200)
"""What one entry shows of a proposal; the rest is in the review form."""
PER_MESSAGE = 8
"""Entries of one message: each is two blocks of the fifty that a message may have."""


def item_to_decide(proposal: Proposal, policy: Policy, now: datetime, *, agent_name: str | None = None) -> Item:
    """Return an entry of a decider's inbox; like a card, it offers Approve only where nothing is hidden (AP4)."""
    card = card_for(proposal, policy, now, agent_name=agent_name, budget=LISTED)
    value = button_value(proposal.id, proposal.revision)
    buttons = [Button("review", "Review", value)]
    if not card.is_cut:
        buttons.append(Button("approve", "Approve", value, "primary"))
    buttons.append(Button("deny", "Deny", value, "danger"))
    quiet = ("It got no card: the same was denied within the last days.",) if proposal.quiet else ()
    return replace(_item(card), buttons=tuple(buttons), warnings=(*card.warnings, *quiet))


def item_of_requester(proposal: Proposal, policy: Policy, now: datetime) -> Item:
    """Return an entry for who asked: a draft with its choice, what waits without buttons."""
    if proposal.state is State.DRAFT:
        return _item(draft_card_for(proposal, policy, now, budget=LISTED))
    return replace(_item(card_for(proposal, policy, now, budget=LISTED)), buttons=())


def item_of_grant(grant: Grant, button: Button) -> Item:
    """Return an entry for a grant: who writes what, where, under whose yes, until when."""
    facts = (
        Fact("Writes without a card", people=(grant.writer.user,)),
        Fact("To", destination_words(grant.slice)),
        Fact("In a thread of", channel=grant.place.channel),
        Fact("Under the standing yes of", people=(grant.granted_by.user,)),
        Fact("Until", at=grant.until),
    )
    return Item("Grant", facts, buttons=(button,))


def _item(card: Card) -> Item:
    """Return a card as an entry."""
    return Item(card.heading, card.facts, card.texts, card.warnings, card.buttons)
