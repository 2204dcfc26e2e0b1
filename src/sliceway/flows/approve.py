"""A click, from the button to the brain's decision (AP5-AP12, AP23, AP24). The brain decides; what only chat knows
about the clicker is checked here; both must say yes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sliceway.core.card_making import can_grant
from sliceway.core.cards import Card, Message
from sliceway.core.forms import deny_form, reason_text, review_form
from sliceway.core.policy import Policy, is_gone, may_decide
from sliceway.core.principals import Origin
from sliceway.core.proposals import Proposal, State
from sliceway.core.traces import trace_of
from sliceway.core.turns import Click, Person, Place, PlaceKind
from sliceway.errors import ChatError, Forbidden, NotFound, NotPending, SlicewayError, StaleRevision
from sliceway.flows import click_words as words
from sliceway.flows.card_posts import repair_cards
from sliceway.flows.deciders import deciders_of
from sliceway.flows.drafts import origin_of_owner, owe_draft_record
from sliceway.flows.grants import revoke
from sliceway.flows.parts import Parts
from sliceway.flows.standing import person_now, place_now
from sliceway.flows.trouble import BRAIN_AWAY, trouble_of, why_words
from sliceway.ports import CardRef

log = logging.getLogger(__name__)

DECISIONS = frozenset({"approve", "approve_thread", "deny"})
DRAFT_CHOICES = frozenset({"send", "keep"})
ACTIONS = DECISIONS | DRAFT_CHOICES | {"review", "revoke"}
"""What a button or form of the host's own may ask for; anything else is not active (T3)."""


class Clicks:
    """Carries out clicks. Each ends in one outcome, and the clicker hears of every one but the plain success."""

    def __init__(self, parts: Parts, kick: Callable[[], None]) -> None:
        """Take the ports, and what to call when something is owed."""
        self._parts, self._kick = parts, kick

    async def run(self, click: Click) -> None:
        """Carry out a click.

        :raises Unavailable: the brain cannot be reached; the click is carried out again.
        """
        who = await person_now(self._parts, click.by)
        click = replace(click, by=who)
        if click.action not in ACTIONS or not click.proposal:
            await self._tell(click, words.INACTIVE)
            return
        if click.action == "revoke":
            await self._tell(click, await revoke(self._parts, click))
            self._kick()
            return
        proposal = await self._shown(click)
        if proposal is None:
            await self._unknown(click)
        elif proposal.state is State.DRAFT or click.action in DRAFT_CHOICES:
            await self._draft(click, proposal)
        else:
            await self._decision(click, proposal)

    async def not_counted(self, click: Click, error: Exception) -> None:
        """Tell the clicker that their click did not count, after it failed too often."""
        await self._tell(click, words.NOT_COUNTED.format(why=why_words(error)))

    async def _shown(self, click: Click) -> Proposal | None:
        """Return the proposal as this gateway, or the clicker as a draft's owner, may see it."""
        for origin in (None, self._private(click)):
            try:
                return await self._parts.brain.proposal(id=click.proposal, origin=origin)
            except (NotFound, Forbidden):
                continue
        return None

    def _private(self, click: Click) -> Origin:
        """Return the origin of the clicker's own private session."""
        return origin_of_owner(click.by, click.place)

    async def _decision(self, click: Click, proposal: Proposal) -> None:
        """Decide about a pending proposal, or open the form that does."""
        policy = await self._parts.brain.policy()
        if proposal.state is not State.PENDING:
            await self._too_late(click, proposal)
            return
        why = may_decide(policy, proposal.slice, click.by, proposal.requested_by)
        if why is not None:
            await self._refuse(click, proposal, policy, why)
        elif click.revision != proposal.revision:
            await self._stale(click, proposal)
        elif click.action == "review" or (click.action == "deny" and click.form is None):
            await self._open(click, proposal)
        elif click.action == "approve_thread" and not can_grant(proposal, policy):
            await self._tell(click, words.NO_GRANT)
            await self._repair(proposal)
        elif click.action != "deny" and await self._asker_is_gone(proposal, policy):
            await self._tell(click, words.ASKER_GONE)
        else:
            await self._decide(click, proposal, policy)

    async def _asker_is_gone(self, proposal: Proposal, policy: Policy) -> bool:
        """Say whether who asked has left: nothing is written for them any more, whoever says yes."""
        who = proposal.requested_by
        return who is not None and is_gone(policy, await person_now(self._parts, who))

    async def _decide(self, click: Click, proposal: Proposal, policy: Policy) -> None:
        """Have the brain decide, and say in words whatever it refuses."""
        grant = int(policy.grant_for.total_seconds()) if click.action == "approve_thread" else None
        try:
            await self._parts.brain.decide(
                id=proposal.id,
                decision="deny" if click.action == "deny" else "approve",
                revision=click.revision,
                decided_by=click.by,
                reason=reason_text(click.values) if click.action == "deny" else None,
                grant_seconds=grant,
            )
        except NotPending:
            await self._too_late(click, await self._shown(click) or proposal)
        except StaleRevision:
            await self._stale(click, await self._shown(click) or proposal)
        except Forbidden as error:
            await self._tell(click, words.refused(error.detail.rstrip("."), await self._can(proposal, policy)))
        except BRAIN_AWAY:
            raise
        except SlicewayError as error:
            log.warning("click %s could not be carried out: %s", click.key, error.code)
            await self._tell(click, words.failed(error.detail))
        else:
            self._parts.metrics.count("decisions")
            if proposal.slice != click.by.slice and not _is_on_card(click, proposal):
                await self._tell(click, words.done(click.action, proposal))
            if proposal.slice == click.by.slice:
                await owe_draft_record(self._parts, proposal.id, click.by, click.place)
            self._kick()

    async def _refuse(self, click: Click, proposal: Proposal, policy: Policy, why: str) -> None:
        """Refuse privately, naming who can; recorded by the brain (AP6)."""
        self._parts.metrics.count("clicks_refused")
        place = await place_now(self._parts, click.place)
        await self._parts.brain.report_denial(
            op="decide",
            slice=proposal.slice,
            origin=Origin(person=click.by, place=place if place.channel else None, turn=click.key),
            reason=f"{click.action} of {proposal.id}: {why}",
        )
        await self._tell(click, words.refused(why, await self._can(proposal, policy)))

    async def _can(self, proposal: Proposal, policy: Policy) -> tuple[Person, ...]:
        """Return who can decide."""
        return await deciders_of(self._parts, policy, proposal.slice, proposal.requested_by)

    async def _too_late(self, click: Click, proposal: Proposal) -> None:
        """Say truthfully what became of it, and put the card right; whoever decided it pressing again hears nothing."""
        same = {"deny": State.DENIED}.get(click.action, State.APPLIED)
        if not (words.is_by(_facts(proposal), click.by) and proposal.state is same):
            await self._tell(click, words.already(_facts(proposal)))
        await self._repair(proposal)

    async def _stale(self, click: Click, proposal: Proposal) -> None:
        """Say that it changed since it was shown, and put the card right."""
        await self._tell(click, words.STALE)
        await self._repair(proposal)

    async def _repair(self, proposal: Proposal) -> None:
        """Put every copy of a card right; what chat does not take now is owed already, from the brain's changes."""
        if (trouble := await trouble_of(repair_cards(self._parts, proposal))) is not None:
            log.warning("the card of %s is not put right yet: %s", proposal.id, trace_of(trouble))

    async def _unknown(self, click: Click) -> None:
        """Say that a card is of nothing known, and take its buttons away if it really is that card's message. In a
        direct message it may be known to its owner alone, so there it is left as it is."""
        await self._tell(click, words.INACTIVE)
        if click.message is None or click.place.kind is PlaceKind.IM:
            return
        ref = CardRef(click.place.channel, click.message)
        try:
            if await self._parts.chat.find(click.place, key=f"card/{click.proposal}") == ref:
                await self._parts.chat.update_card(ref, _empty_card(click))
        except ChatError as error:
            log.warning("the unknown card at %s cannot be put right (%s)", ref.text, error.reason)

    async def _open(self, click: Click, proposal: Proposal) -> None:
        """Open the form that shows it whole or asks for a reason (AP4, AP12)."""
        form = deny_form(proposal, click=click) if click.action == "deny" else review_form(proposal, click=click)
        if click.trigger is None:
            await self._tell(click, words.AGAIN)
            return
        try:
            await self._parts.chat.open_form(click.trigger, form)
        except ChatError as error:
            log.warning("the form for click %s did not open (%s)", click.key, error.reason)
            await self._tell(click, words.AGAIN)

    async def _draft(self, click: Click, proposal: Proposal) -> None:
        """Send a draft or keep it private: its owner's choice alone (AP23)."""
        owner = proposal.requested_by
        if owner is None or owner.key != click.by.key:
            await self._tell(click, words.NOT_OWNER)
            return
        if click.action not in DRAFT_CHOICES | {"review"}:
            await self._tell(click, words.INACTIVE)
            return
        if click.action == "review" and proposal.state is State.DRAFT:
            await self._open(click, proposal)
            return
        brain, origin = self._parts.brain, await self._own_origin(click, proposal)
        try:
            if click.action == "send":
                await brain.send_draft(id=proposal.id, revision=click.revision, origin=origin)
            else:
                await brain.withdraw(id=proposal.id, revision=click.revision, origin=origin)
        except NotPending as error:
            facts = {**_facts(proposal), **error.facts}
            repeated = (click.action, State(facts["state"])) in _REPEATS
            await self._tell(click, words.SENT if repeated and click.action == "send" else words.already(facts))
        except StaleRevision:
            await self._tell(click, words.STALE)
        except BRAIN_AWAY:
            raise
        except SlicewayError as error:
            await self._tell(click, words.failed(error.detail))
            return
        if click.place.thread is None:  # in the list of `/slices`, which shows no outcome; a card stands in its thread
            await self._tell(click, words.SENT if click.action == "send" else words.KEPT)
        where = proposal.origin.place or click.place
        await owe_draft_record(self._parts, proposal.id, click.by, where)
        self._kick()

    async def _own_origin(self, click: Click, proposal: Proposal) -> Origin:
        """Return the private origin of a draft's owner, from where the draft was made."""
        place: Place = proposal.origin.place or click.place
        return origin_of_owner(click.by, await place_now(self._parts, place))

    async def _tell(self, click: Click, said: str | Message) -> None:
        """Show something to the clicker alone."""
        message = said if isinstance(said, Message) else Message(said)
        try:
            await self._parts.chat.say_privately(click.place, click.by, message)
        except ChatError as error:
            log.warning("the clicker of %s cannot be told (%s)", click.key, error.reason)


_REPEATS = frozenset({("send", State.PENDING), ("keep", State.WITHDRAWN)})
"""A choice made again, and the state that the first one led to."""


def _facts(proposal: Proposal) -> dict[str, Any]:
    """Return what a person is told of a proposal that waits no more."""
    return {"state": proposal.state.value, "decided_by": proposal.decided_by, "decided_at": proposal.decided_at}


def _is_on_card(click: Click, proposal: Proposal) -> bool:
    """Say whether the message that was pressed is a copy of the card, which shows what became of it."""
    here = CardRef(click.place.channel, click.message or "").text
    return any(copy.ref == here for copy in proposal.cards)


def _empty_card(click: Click) -> Card:
    """Return what a card of nothing known becomes."""
    return Card(
        proposal=click.proposal,
        revision=click.revision,
        state="unknown",
        heading="No longer active",
        facts=(),
        texts=(),
        fallback=words.INACTIVE,
    )
