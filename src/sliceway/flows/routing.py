"""Where the card of a proposal goes (AP22, AP27)."""

from __future__ import annotations

import logging
from dataclasses import replace

from sliceway.core.policy import Policy, is_external_place, trust_of
from sliceway.core.proposals import Proposal
from sliceway.core.turns import Person, Place, PlaceKind, Trust
from sliceway.errors import ChatError
from sliceway.flows.parts import Parts
from sliceway.flows.standing import place_now
from sliceway.ports import PlaceFacts

log = logging.getLogger(__name__)


def is_for_us(parts: Parts, proposal: Proposal) -> bool:
    """Say whether this gateway cards a proposal at all: its own agent's, or any where it has an approvals channel."""
    return proposal.agent == parts.agent_id or parts.config.approvals_channel is not None


async def card_place(parts: Parts, proposal: Proposal, policy: Policy, deciders: tuple[Person, ...]) -> Place | None:
    """Return the channel or thread where a pending proposal's card stands: `approvals.channel` if set, else the thread
    it comes from where someone who decides is a member. None where that place may not hear it now, or there is none:
    then those who decide get it in their direct messages.
    """
    origin = proposal.origin.place
    if parts.config.approvals_channel is not None:
        team, _, channel = parts.config.approvals_channel.rpartition(":")
        home = team or (origin.team if origin is not None and origin.team else _only(policy.teams))
        place = Place(origin.surface if origin is not None else "slack", home, channel)
        if await is_ours_alone(parts, place, policy):
            return place
        log.warning("approvals.channel %s is shared with others, has guests, or lacks the agent: no card goes there; "
                    "those who decide get it directly", channel)  # fmt: skip
        return None
    if origin is not None and not proposal.origin.private and await _someone_reads(parts, origin, policy, deciders):
        return replace(origin, link=None)
    return None


async def is_ours_alone(parts: Parts, place: Place, policy: Policy) -> bool:
    """Say whether the agent is in a place and nobody from outside the team is: it may be shown a card. It need not be
    trusted for memory: approvals often have a private channel."""
    if (seen := await _seen(parts, place)) is None or not seen[1].member:
        return False
    fresh = seen[0]
    known = policy.channels.get(fresh.key)
    guests = fresh.guests or (known is not None and known.guests)
    return not is_external_place(policy, fresh) and (not guests or trust_of(policy, fresh) is Trust.TRUSTED)


async def _someone_reads(parts: Parts, origin: Place, policy: Policy, deciders: tuple[Person, ...]) -> bool:
    """Say whether the thread of origin is a trusted channel that someone who decides is a member of."""
    if origin.kind not in {PlaceKind.CHANNEL, PlaceKind.PRIVATE} or not origin.channel:
        return False
    if (seen := await _seen(parts, origin)) is None:
        return False
    fresh, facts = seen
    if trust_of(policy, fresh) is not Trust.TRUSTED or not facts.member:
        return False
    return any(who.user in (facts.members or ()) for who in deciders)


async def _seen(parts: Parts, place: Place) -> tuple[Place, PlaceFacts] | None:
    """Return a place as it is now with what chat says of it, None where chat refuses to say.

    :raises ChatError: chat does not answer now.
    """
    try:
        return await place_now(parts, place), await parts.chat.place(place.team, place.channel)
    except ChatError as error:
        if error.ambiguous or error.retry_after is not None:
            raise
        return None


def _only(teams: frozenset[str]) -> str:
    """Return the team, where there is but one."""
    return next(iter(teams)) if len(teams) == 1 else ""
