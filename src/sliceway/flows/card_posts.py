"""Posting cards and turning them into records: one card per (proposal, place), whatever dies when (AP3, AP27)."""

from __future__ import annotations

import logging
from collections.abc import Awaitable

from sliceway.core.card_making import bare, card_for, record_for
from sliceway.core.clock import from_text, to_text
from sliceway.core.grants import why_ended
from sliceway.core.proposals import CardPlace, Proposal, State, place_key
from sliceway.core.slices import Landing, kind_of
from sliceway.core.turns import Person, Place
from sliceway.errors import ChatError, NotFound
from sliceway.flows.deciders import deciders_of
from sliceway.flows.names import agent_names, with_names
from sliceway.flows.parts import Parts
from sliceway.flows.posting import is_hopeless
from sliceway.flows.routing import card_place, is_for_us, is_ours_alone
from sliceway.ports import CardRef, Owed

log = logging.getLogger(__name__)

CARD, RECORD = "card", "record"
"""The kinds of debt: a pending proposal's cards; every copy turned into the record."""

_CLAIM_S = 20.0
_LONGEST_LOOK_S = 3600.0


async def post_cards(parts: Parts, item: Owed) -> float | None:
    """Post the cards of a pending proposal where they are missing. Returns when to look again where another gateway
    is posting one.

    A place that refuses a card for good keeps it from nobody else: what a channel refuses goes to those who decide,
    and what one of them cannot get, the others do (R38).

    :raises ChatError: a card could not be posted now, or by nobody be seen; the others were.
    """
    proposal = await _proposal(parts, item)
    if proposal is None or proposal.state is not State.PENDING or not parts.config.decides:
        return None
    if proposal.quiet or not _may_show(parts, proposal) or not is_for_us(parts, proposal):
        return None
    policy = await parts.brain.policy()
    deciders = await deciders_of(parts, policy, proposal.slice, proposal.requested_by)
    if not deciders:
        log.warning("nobody can decide proposal %s for %s: name an approver in the policy", proposal.id, proposal.slice)
    posting = _Posting(item.attempts)
    place = await card_place(parts, proposal, policy, deciders)
    if place is not None:
        await posting.tried(proposal, _post_in(parts, proposal, place, item))
    if place is None or posting.refused is not None:
        for who in deciders:
            await posting.tried(proposal, _post_to(parts, proposal, who, item))
    if posting.trouble is not None:
        raise posting.trouble
    if deciders and not posting.stand and posting.again is None:
        log.error("the card of %s can be shown to nobody; decide it with 'sliceway proposals'", proposal.id)
        if posting.refused is not None:
            raise posting.refused
    return posting.again


class _Posting:
    """What came of the places of one card so far."""

    def __init__(self, attempts: int) -> None:
        """Begin with none tried in this round; so many rounds failed before."""
        self._attempts = attempts
        self.stand = 0
        self.refused: ChatError | None = None
        self.trouble: ChatError | None = None
        self.again: float | None = None

    async def tried(self, proposal: Proposal, posting: Awaitable[float | None]) -> None:
        """Note what comes of posting in one place: it stands, is another's for a while, or is refused, for good or
        for now."""
        try:
            wait = await posting
        except ChatError as error:
            if is_hopeless(error, self._attempts):
                self.refused = error
                log.warning("a copy of card %s cannot be posted (%s)", proposal.id, error.reason)
            else:
                self.trouble = error
            return
        if wait is None:
            self.stand += 1
        else:
            self.again = wait if self.again is None else min(self.again, wait)


async def _post_to(parts: Parts, proposal: Proposal, who: Person, item: Owed) -> float | None:
    """Post the card in the direct messages of somebody who decides."""
    return await _post_in(parts, proposal, await parts.chat.open_dm(who), item)


async def _post_in(parts: Parts, proposal: Proposal, place: Place, item: Owed) -> float | None:
    """Post the card in one place, if it is not there and nobody else is posting it."""
    key, brain = place_key(place), parts.brain
    claim = await brain.claim_card(id=proposal.id, place=key, holder=parts.desk_id, lease_s=_CLAIM_S)
    if claim.ref is not None:
        return None
    if not claim.claimed:
        until = from_text(claim.until) if claim.until is not None else parts.clock()
        return max(0.5, (until - parts.clock()).total_seconds())
    name = (await agent_names(parts)).get(proposal.agent)
    card = card_for(proposal, await brain.policy(), parts.clock(), agent_name=name)
    card = await with_names(parts, proposal, card)
    looks = bool(item.payload.get("looks"))
    tried = looks or item.attempts > 0 or any(card_place.place == key for card_place in proposal.cards)
    ref = await parts.chat.find(place, key=card.key) if tried else None
    if ref is None:
        ref = await parts.chat.post_card(place, card)
        parts.metrics.count("cards")
        parts.metrics.took("card", (parts.clock() - from_text(proposal.created_at)).total_seconds())
    posted = await brain.card_posted(id=proposal.id, place=key, holder=parts.desk_id, ref=ref.text)
    return None if posted.claimed or posted.ref is not None else 1.0


async def make_records(parts: Parts, item: Owed) -> float | None:
    """Make every copy of a card say what became of it. Returns when to look again where it offers Revoke: its grant
    ends by itself too.

    :raises ChatError: a copy could not be changed now; the others were.
    """
    if (proposal := await _proposal(parts, item)) is None:
        return None
    await repair_cards(parts, proposal, attempts=item.attempts)
    grant, now = proposal.grant, parts.clock()
    if grant is None or why_ended(grant, await parts.brain.policy(), to_text(now)) is not None:
        return None
    return min(_LONGEST_LOOK_S, max(0.0, (from_text(grant.until) - now).total_seconds()) + 0.5)


async def repair_cards(parts: Parts, proposal: Proposal, *, attempts: int = 0) -> None:
    """Make every copy of a proposal's card show how it stands.

    :param attempts: how many tries failed before.
    :raises ChatError: a copy could not be changed now; the others were.
    """
    policy, now = await parts.brain.policy(), parts.clock()
    name = (await agent_names(parts)).get(proposal.agent)
    shown = (card_for if proposal.state is State.PENDING else record_for)(proposal, policy, now, agent_name=name)
    shown = await with_names(parts, proposal, shown)
    trouble: ChatError | None = None
    for copy in proposal.cards:
        try:
            ref = CardRef.parse(copy.ref) if copy.ref is not None else await _lost(parts, copy, shown.key)
            if ref is not None:
                fit = proposal.state is State.PENDING or await is_ours_alone(parts, _place_of(copy), policy)
                await parts.chat.update_card(ref, shown if fit else bare(shown))
        except ChatError as error:
            if is_hopeless(error, attempts):
                log.warning("a copy of card %s cannot be changed (%s)", proposal.id, error.reason)
            else:
                trouble = error
    if trouble is not None:
        raise trouble


async def _lost(parts: Parts, copy: CardPlace, key: str) -> CardRef | None:
    """Return where a card stands that was posted but never noted."""
    return await parts.chat.find(_place_of(copy), key=key)


def _place_of(copy: CardPlace) -> Place:
    """Return the place that a copy's key was made from."""
    team, channel, *thread = copy.place.split("/")
    return Place("slack", team, channel, thread[0] if thread else None)


def _may_show(parts: Parts, proposal: Proposal) -> bool:
    """Say whether this gateway may card a proposal: what is meant for one mind or corner, its own agent's only."""
    kind = kind_of(proposal.slice)
    asks = kind is not None and kind.landing is Landing.ASKS
    return asks or proposal.agent == parts.agent_id


async def _proposal(parts: Parts, item: Owed) -> Proposal | None:
    """Return the proposal that a debt is about; None where it is not this gateway's to see."""
    try:
        return await parts.brain.proposal(id=item.payload["id"])
    except NotFound:
        return None
