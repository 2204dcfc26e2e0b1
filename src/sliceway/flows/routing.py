"""Where the card of a proposal goes (AP22, AP27)."""

from __future__ import annotations

from dataclasses import replace

from sliceway.core.policy import Policy, trust_of
from sliceway.core.proposals import Proposal
from sliceway.core.turns import Person, Place, PlaceKind, Trust
from sliceway.errors import ChatError
from sliceway.flows.parts import Parts
from sliceway.flows.standing import place_now


async def card_places(
    parts: Parts, proposal: Proposal, policy: Policy, deciders: tuple[Person, ...]
) -> tuple[Place, ...]:
    """Return the places where a pending proposal's card stands: `approvals.channel` if set; else, for this agent's
    own proposals, the thread they come from where someone who decides is a member; else a direct message to each.
    """
    origin = proposal.origin.place
    if parts.config.approvals_channel is not None:
        team, _, channel = parts.config.approvals_channel.rpartition(":")
        home = team or (origin.team if origin is not None and origin.team else _only(policy.teams))
        return (Place(origin.surface if origin is not None else "slack", home, channel),)
    if proposal.agent != parts.agent_id:
        return ()
    if origin is not None and not proposal.origin.private and await _someone_reads(parts, origin, policy, deciders):
        return (replace(origin, link=None),)
    return tuple([await parts.chat.open_dm(who) for who in deciders])


async def _someone_reads(parts: Parts, origin: Place, policy: Policy, deciders: tuple[Person, ...]) -> bool:
    """Say whether the thread of origin is a trusted channel that someone who decides is a member of."""
    if origin.kind not in {PlaceKind.CHANNEL, PlaceKind.PRIVATE} or not origin.channel:
        return False
    try:
        facts = await parts.chat.place(origin.team, origin.channel)
        fresh = await place_now(parts, origin)
    except ChatError as error:
        if error.ambiguous or error.retry_after is not None:
            raise
        return False
    if trust_of(policy, fresh) is not Trust.TRUSTED or not facts.member:
        return False
    return any(who.user in (facts.members or ()) for who in deciders)


def _only(teams: frozenset[str]) -> str:
    """Return the team, where there is but one."""
    return next(iter(teams)) if len(teams) == 1 else ""
