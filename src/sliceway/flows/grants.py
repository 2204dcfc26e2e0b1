"""Grants as people meet them: a line and a Revoke with each write under one, and the end of one by a click (AP15-AP17).
The brain judges each grant anew at every use; here it is only shown and ended."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator

from sliceway.core.clock import to_text
from sliceway.core.grants import Grant, covers, why_ended
from sliceway.core.policy import Policy, may_decide
from sliceway.core.turns import Click, Turn
from sliceway.errors import NotEligible, NotFound
from sliceway.flows.card_posts import RECORD
from sliceway.flows.lines import owe_line
from sliceway.flows.names import place_words
from sliceway.flows.parts import Parts
from sliceway.flows.standing import person_now

log = logging.getLogger(__name__)

NO_GRANT = "There is no standing yes to take back any more; nothing changed."
_PAGE = 200


async def grants_of(parts: Parts) -> AsyncIterator[Grant]:
    """Yield the live grants that this gateway may know of, newest first."""
    cursor: str | None = None
    while True:
        listed = await parts.brain.grants(limit=_PAGE, cursor=cursor)
        for grant in listed:
            yield grant
        if (cursor := listed.next_cursor) is None:
            return


async def live_grant(parts: Parts, name: str) -> Grant | None:
    """Return the live grant of an id, or that was given with the approval of a proposal of that id."""
    async for grant in grants_of(parts):
        if name in {grant.id, grant.proposal}:
            return grant
    return None


async def revoke(parts: Parts, click: Click) -> str:
    """End the grant that a button names, and return what the clicker is told. The thread hears of it too.

    :raises Unavailable: the brain cannot be reached; the click is carried out again.
    """
    grant = await live_grant(parts, click.proposal)
    if grant is None:
        return await _why_not(parts, click)
    try:
        await parts.brain.revoke_grant(id=grant.id, by=click.by)
    except NotEligible:
        parts.metrics.count("clicks_refused")
        return (
            f"You cannot take this back: {grant.granted_by.shown}, who gave it, {grant.writer.shown}, who writes "
            "under it, and the managers can. Nothing changed."
        )
    except NotFound:
        return NO_GRANT
    parts.metrics.count("grants_revoked")
    await _owe_the_end(parts, grant, click)
    return (
        f"Taken back: what {grant.writer.shown} writes to {place_words(grant.slice)} in that thread gets a card again."
    )


async def _why_not(parts: Parts, click: Click) -> str:
    """Return why there is nothing to take back, and have the card put right."""
    try:
        proposal = await parts.brain.proposal(id=click.proposal)
    except NotFound:
        return NO_GRANT
    if proposal.grant is None:
        return NO_GRANT
    why = why_ended(proposal.grant, await parts.brain.policy(), to_text(parts.clock())) or "ended"
    await _owe_record(parts, proposal.grant)
    return f"This standing yes has ended already ({why}); nothing changed."


async def _owe_the_end(parts: Parts, grant: Grant, click: Click) -> None:
    """Owe the thread a word, and every copy of the card its last state."""
    text = (
        f"{click.by.shown} took back the standing yes of {grant.granted_by.shown}: what {grant.writer.shown} writes to "
        f"{place_words(grant.slice)} in this thread gets a card again."
    )
    await owe_line(parts, grant.place, text, key=f"grant/{grant.id}")
    await _owe_record(parts, grant)


async def _owe_record(parts: Parts, grant: Grant) -> None:
    """Owe the card a look, so that it offers no Revoke any more."""
    await parts.desk.owe(
        key=f"{RECORD}/{grant.proposal}/{grant.id}",
        kind=RECORD,
        payload={"id": grant.proposal},
        lane=f"card/{grant.proposal}/grant",
    )


async def is_granter_fallen(parts: Parts, turn: Turn, slice_name: str, policy: Policy) -> bool:
    """Say whether a grant that would cover a write of this turn was given by somebody who may no longer decide, by what
    chat says of them now: they left or became a guest, and the brain has not heard of it (AP7, AP17)."""
    async for grant in grants_of(parts):
        if covers(grant, agent=parts.agent_id, writer=turn.speaker, place=turn.place, slice_name=slice_name):
            granter = await person_now(parts, grant.granted_by)
            if may_decide(policy, slice_name, granter, None) is not None:
                return True
    return False
