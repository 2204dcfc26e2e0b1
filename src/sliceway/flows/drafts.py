"""What its owner alone sees of a proposal: a draft until it is sent or kept (AP23), and what a plugin wants their own
yes for in their own corner. The brain's feed shows neither, so both are watched from here."""

from __future__ import annotations

import logging
from dataclasses import asdict

from sliceway.core.card_making import card_for, draft_card_for, draft_record_for, record_for
from sliceway.core.clock import from_text
from sliceway.core.principals import Origin
from sliceway.core.proposals import Proposal, State
from sliceway.core.turn_codec import person_from_json, place_from_json
from sliceway.core.turns import Person, Place
from sliceway.errors import NotFound
from sliceway.flows.names import with_names
from sliceway.flows.parts import Parts
from sliceway.ports import Owed

log = logging.getLogger(__name__)

DRAFT, DRAFT_RECORD = "draft", "draft_record"
"""The kinds of debt: to show a draft and watch it to its end; to show what became of it."""

_LONGEST_WATCH_S = 3600.0
_AFTER_ITS_TIME_S = 0.5


def origin_of_owner(owner: Person, place: Place) -> Origin:
    """Return the origin by which the brain shows a draft: its owner, in private."""
    return Origin(person=owner, place=place, private=True)


async def owe_draft(parts: Parts, proposal: Proposal, owner: Person, place: Place) -> None:
    """Owe the owner a look at a draft; it is watched until it is none any more."""
    await parts.desk.owe(key=f"{DRAFT}/{proposal.id}", kind=DRAFT, payload=_payload(proposal.id, owner, place))


async def owe_draft_record(parts: Parts, id: str, owner: Person, place: Place) -> None:
    """Owe the owner what became of a draft, on the draft's own card."""
    await parts.desk.owe(key=f"{DRAFT_RECORD}/{id}", kind=DRAFT_RECORD, payload=_payload(id, owner, place))


def is_owners(proposal: Proposal, owner: Person) -> bool:
    """Say whether a proposal is its owner's alone to see now: a draft, or one for their own corner."""
    return proposal.state is State.DRAFT or proposal.slice == owner.slice


async def show_draft(parts: Parts, item: Owed) -> float | None:
    """Post the card for its owner once, then look again when its time is over."""
    id, owner, place = _read(item)
    try:
        proposal = await parts.brain.proposal(id=id, origin=origin_of_owner(owner, place))
    except NotFound:
        return None
    now = parts.clock()
    if proposal.state not in {State.DRAFT, State.PENDING} or not is_owners(proposal, owner):
        await owe_draft_record(parts, id, owner, place)
        return None
    policy = await parts.brain.policy()
    card = (draft_card_for if proposal.state is State.DRAFT else card_for)(proposal, policy, now)
    card = await with_names(parts, proposal, card)
    if not item.attempts or await parts.chat.find(place, key=card.key) is None:
        await parts.chat.post_card(place, card)
    left = (from_text(proposal.expires_at) - now).total_seconds()
    return min(_LONGEST_WATCH_S, max(0.0, left) + _AFTER_ITS_TIME_S)


async def record_draft(parts: Parts, item: Owed) -> None:
    """Make the owner's card say what became of it; the owner alone is told."""
    id, owner, place = _read(item)
    try:
        proposal = await parts.brain.proposal(id=id, origin=origin_of_owner(owner, place))
    except NotFound:
        return
    own = proposal.slice == owner.slice
    ref = await parts.chat.find(place, key=f"{'card' if own else 'draft'}/{id}")
    if ref is None:
        log.info("the owner's card of %s is not there any more", id)
        return
    policy = await parts.brain.policy()
    card = (record_for if own else draft_record_for)(proposal, policy, parts.clock())
    await parts.chat.update_card(ref, await with_names(parts, proposal, card))


def _payload(id: str, owner: Person, place: Place) -> dict[str, object]:
    """Return what a debt about a draft keeps: ids only."""
    return {"id": id, "owner": asdict(owner), "place": asdict(place)}


def _read(item: Owed) -> tuple[str, Person, Place]:
    """Return what `_payload` kept."""
    owner, place = person_from_json(item.payload["owner"]), place_from_json(item.payload["place"])
    assert owner is not None
    return item.payload["id"], owner, place
