"""What the requester's thread, the agent and the observers hear of a decision (AP5, AP12, AP14)."""

from __future__ import annotations

import logging

from sliceway.core.cards import Message
from sliceway.core.pages import ApprovedBy
from sliceway.core.proposals import Proposal, State
from sliceway.core.scope import scope_for
from sliceway.core.slices import SHARED
from sliceway.core.text import visible
from sliceway.core.traces import trace_of
from sliceway.core.turns import Turn
from sliceway.errors import ChatError, NotFound
from sliceway.flows.deciders import deciders_of
from sliceway.flows.grant_words import grant_words, live_grant_of, revoke_button
from sliceway.flows.names import place_words
from sliceway.flows.parts import Parts
from sliceway.flows.posting import say_once
from sliceway.flows.standing import may_be_told, policy_now, turn_now
from sliceway.flows.trouble import trouble_of
from sliceway.ports import Decision, Owed

log = logging.getLogger(__name__)

NOTICE, HEARD = "notice", "heard"
"""The kinds of debt: a line in the requester's thread; the agent's and the observers' news."""


async def post_notice(parts: Parts, item: Owed) -> None:
    """Tell the requester, in the thread they asked in, what became of it: there if the place may still hear it, else
    to them alone, else nobody (SC10)."""
    proposal = await _own(parts, item)
    if proposal is None or proposal.requested_by is None or proposal.origin.place is None:
        return
    words = await notice_words(parts, proposal)
    if words is None or not proposal.origin.place.channel:
        return
    asked = Turn(item.key, parts.agent_id, proposal.requested_by, proposal.origin.place)
    asked = await turn_now(parts, asked)
    policy = await policy_now(parts, asked.place)
    grant = await live_grant_of(parts, proposal) if proposal.state is State.APPLIED else None
    message = Message(words)
    if grant is not None:
        message = Message(f"{words} {grant_words(grant)}", buttons=(revoke_button(grant),))
    if proposal.origin.private or SHARED in scope_for(asked, policy).reads:
        await say_once(parts, proposal.origin.place, message, key=item.key, attempts=item.attempts)
    elif asked.speaker is not None and may_be_told(policy, asked.speaker):
        try:
            await parts.chat.say_privately(proposal.origin.place, asked.speaker, message)
        except ChatError as error:
            if error.ambiguous or error.retry_after is not None:
                raise
            log.warning("notice %s is withheld: its requester cannot be told alone (%s)", item.key, error.reason)


async def notice_words(parts: Parts, proposal: Proposal) -> str | None:
    """Return what the requester is told; None where there is nothing they do not know."""
    what, where = titles_of(proposal), place_words(proposal.slice)
    match proposal.state:
        case State.PENDING:
            if proposal.quiet and proposal.origin.private:
                return f"The same was denied within the last days, so {what} gets no card; it waits in the list."
            policy = await parts.brain.policy()
            if await deciders_of(parts, policy, proposal.slice, proposal.requested_by):
                return None
            return (
                f"Nobody can decide about {what} yet: no approver is named for {where}, or none of them may. It waits; "
                "an admin has to name one."
            )
        case State.APPLIED:
            signed = proposal.requested_by.shown if proposal.requested_by is not None else "the agent"
            return f"{by_words(proposal.decided_by)} approved it: {what} is now in {where}, for {signed}."
        case State.DENIED:
            why = f" The reason: {visible(proposal.reason)[0]}" if proposal.reason else ""
            return f"{by_words(proposal.decided_by)} denied it: {what} is not in {where}.{why}"
        case State.EXPIRED:
            return f"Nobody decided about {what} in time, so nothing was written. Ask me again to resubmit it."
        case State.SUPERSEDED:
            return f"The page changed before anyone decided about {what}; those who decide see a new card."
        case State.WITHDRAWN:
            last = proposal.events[-1].by if proposal.events else None
            if last is not None and last == proposal.requested_by:
                return None
            return f"The proposal about {what} was taken back; nothing was written."
        case State.DRAFT:
            return None


async def tell_agent(parts: Parts, item: Owed) -> None:
    """Tell the agent what became of its proposal, and the observers that it changed; their errors go no further."""
    proposal = await _own(parts, item)
    if proposal is None:
        return
    if proposal.state not in {State.DRAFT, State.PENDING}:
        trouble = await trouble_of(parts.agent.on_decision(Decision(proposal)))
        if trouble is not None:
            log.error("the agent failed on the decision of %s: %s", proposal.id, trace_of(trouble))
            log.debug("the agent failed on the decision of %s", proposal.id, exc_info=trouble)
    await parts.hooks.proposal_changed(proposal)


def titles_of(proposal: Proposal) -> str:
    """Return the pages of a proposal by title, quoted, with nothing in them that a reader would not see (AP4)."""
    titles = [page.draft.title if page.draft is not None and page.draft.title else page.slug for page in proposal.pages]
    titles = [visible(title)[0] for title in titles]
    more = f" and {len(titles) - 3} more" if len(titles) > 3 else ""
    return ", ".join(f"“{title}”" for title in titles[:3]) + more


def by_words(by: ApprovedBy | None) -> str:
    """Return who decided."""
    if by is None:
        return "Somebody"
    if by.operator is not None:
        return f"The operator {by.operator}"
    return by.name or by.user or "Somebody"


async def _own(parts: Parts, item: Owed) -> Proposal | None:
    """Return this agent's own proposal that a debt is about; None for all others, and where it has moved on since:
    each later step owes its own news, and one that a crash held up must not tell it a second time (AP3)."""
    try:
        proposal = await parts.brain.proposal(id=item.payload["id"])
    except NotFound:
        return None
    moved_on = (proposal.revision, proposal.state.value) != (item.payload["revision"], item.payload["state"])
    return None if moved_on or proposal.agent != parts.agent_id else proposal
