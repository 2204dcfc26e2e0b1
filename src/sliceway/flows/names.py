"""What people call the agents, slices, people and channels of this brain: ids are for machines."""

from __future__ import annotations

from sliceway.core.card_making import named
from sliceway.core.cards import Card
from sliceway.core.proposals import Proposal
from sliceway.core.slices import kind_of
from sliceway.core.turns import Person, PlaceKind
from sliceway.errors import ChatError
from sliceway.flows.parts import Parts
from sliceway.flows.standing import person_now
from sliceway.ports.lists import whole


async def agent_names(parts: Parts) -> dict[str, str]:
    """Return the display names of the agents that this gateway may know of, by id."""
    return {entry.id: entry.display for entry in await whole(parts.brain.agents) if entry.display}


def place_words(slice_name: str) -> str:
    """Return a destination in words, with its name."""
    kind = kind_of(slice_name)
    return f"{kind.title} (`{slice_name}`)" if kind is not None else slice_name


async def with_names(parts: Parts, proposal: Proposal, card: Card) -> Card:
    """Return a card whose plain-text form, which a telephone shows, calls people and channels by name. A channel that
    not everybody may know of stays unnamed, and so does whom chat does not tell of now."""
    place, who = proposal.origin.place, proposal.requested_by
    team = place.team if place is not None else who.team if who is not None else ""
    facts = [*card.facts, *([card.outcome] if card.outcome is not None else [])]
    names = {who.user: who.name} if who is not None and who.name else {}
    for user in dict.fromkeys(user for fact in facts for user in fact.people):
        try:
            names[user] = (await person_now(parts, Person(team, user))).name or names.get(user, "")
        except ChatError:
            continue
    for channel in dict.fromkeys(fact.channel for fact in facts if fact.channel):
        try:
            seen = await parts.chat.place(team, channel)
        except ChatError:
            continue
        if seen.kind is PlaceKind.CHANNEL and not seen.external and seen.name:
            names[channel] = f"#{seen.name}"
    return named(card, names)
