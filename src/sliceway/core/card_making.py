"""Cards, records and drafts made from proposals (AP4, AP14, AP18, AP19, AP23, AP24). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from sliceway.core.card_texts import WHOLE, Budget, plain_text, texts_of
from sliceway.core.cards import Button, Card, Fact, button_value
from sliceway.core.clock import from_text, to_text
from sliceway.core.grants import why_ended
from sliceway.core.ids import display_name
from sliceway.core.pages import ApprovedBy
from sliceway.core.policy import Policy, approvers_of
from sliceway.core.proposals import Proposal, State
from sliceway.core.slices import Approver, Landing, kind_of
from sliceway.core.text import cut, visible
from sliceway.core.turns import PlaceKind

CARD = Budget(texts=6000, diffs=3000, field=1000)
"""What one card shows; the rest is in the review form."""

_HEADINGS = {
    "write": "Save to {slice}?",
    "delete": "Delete from {slice}?",
    "restore": "Restore in {slice}?",
    "undo": "Undo a change in {slice}?",
}
_OUTCOMES = {
    State.APPLIED: ("Approved", ""),
    State.DENIED: ("Denied", ""),
    State.EXPIRED: ("Expired", "nobody decided in time; nothing was written"),
    State.WITHDRAWN: ("Withdrawn", "nothing was written"),
    State.SUPERSEDED: (
        "Superseded",
        "the page changed meanwhile; nothing was written, and a new card shows the new text",
    ),
    State.PENDING: ("Sent to approvers", ""),
}


def card_for(
    proposal: Proposal, policy: Policy, now: datetime, *, agent_name: str | None = None, budget: Budget = CARD
) -> Card:
    """Return the card of a pending proposal, with buttons; a card that hides a part offers Review, not Approve.

    :param agent_name: what people call the agent; its id otherwise. :param budget: how much it shows.
    """
    card = _bare(proposal, _heading(proposal), _facts(proposal, policy, now, agent_name), budget)
    value = button_value(proposal.id, proposal.revision)
    first = Button("review", "Review", value) if card.is_cut else Button("approve", "Approve", value, "primary")
    buttons = [first, Button("deny", "Deny", value, "danger")]
    if not card.is_cut and can_grant(proposal, policy):
        buttons.append(Button("approve_thread", "Approve for this thread", value))
    return _finished(replace(card, buttons=tuple(buttons)))


def can_grant(proposal: Proposal, policy: Policy) -> bool:
    """Say whether a grant for its thread can be given with a proposal's approval: it is a person's write to a slice
    of the team, from a thread that is not private, and no plugin asked for the card (AP15, AP16)."""
    kind, place = kind_of(proposal.slice), proposal.origin.place
    return (
        policy.grant_for > timedelta()
        and proposal.op == "write"
        and kind is not None
        and kind.landing is Landing.ASKS
        and proposal.requested_by is not None
        and place is not None
        and place.thread is not None
        and not (proposal.origin.private or proposal.raised)
    )


def record_for(proposal: Proposal, policy: Policy, now: datetime, *, agent_name: str | None = None) -> Card:
    """Return the record of a decided, expired, withdrawn or superseded proposal: the outcome, who, when. It has no
    buttons, but Revoke while a grant holds that was given with it (AP15)."""
    heading = _heading(proposal).rstrip("?")
    card = _bare(proposal, heading, _facts(proposal, policy, now, agent_name, decided=True), CARD)
    card, grant = replace(card, outcome=outcome_of(proposal)), proposal.grant
    if grant is not None and why_ended(grant, policy, to_text(now)) is None:
        granted = Fact("Granted", "further writes in this thread need no card", people=(grant.writer.user,))
        value = button_value(proposal.id, proposal.revision)
        card = replace(
            card,
            facts=(*card.facts, granted, Fact("Granted until", at=grant.until)),
            buttons=(Button("revoke", "Revoke", value),),
        )
    return _finished(card)


def draft_card_for(proposal: Proposal, policy: Policy, now: datetime, *, budget: Budget = CARD) -> Card:
    """Return what its owner sees of a draft: the exact text, who would see it, and the choice (AP23)."""
    kind = kind_of(proposal.slice)
    readers = kind.readers if kind is not None else "nobody"
    facts = (
        Fact("Would be seen by", f"{readers}; and before that by those who decide"),
        _who_decides(proposal, policy),
        Fact("Until you send it", "nobody but you sees this; it is saved in your private corner"),
        _expiry(proposal, now),
    )
    card = _bare(proposal, f"Share with {_readers(proposal)}?", facts, budget)
    value = button_value(proposal.id, proposal.revision)
    first = Button("review", "Review", value) if card.is_cut else Button("send", "Send to approvers", value, "primary")
    return _finished(replace(card, buttons=(first, Button("keep", "Keep private", value))))


def draft_record_for(proposal: Proposal, policy: Policy, now: datetime) -> Card:
    """Return what its owner's draft card becomes once it was sent, kept private or expired."""
    outcome = outcome_of(proposal)
    if proposal.state is State.WITHDRAWN:
        outcome = replace(outcome, label="Kept private", words="nobody else saw it")
    waits = proposal.state is State.PENDING
    facts = (_who_decides(proposal, policy), _expiry(proposal, now)) if waits else ()
    card = _bare(proposal, f"Share with {_readers(proposal)}", facts, CARD)
    return _finished(replace(card, outcome=outcome))


def bare(card: Card) -> Card:
    """Return a record without the text, the reason and the people of it, for a place that outsiders came into since the
    card was posted (SC10)."""
    outcome = Fact(card.outcome.label, at=card.outcome.at) if card.outcome is not None else None
    return _finished(replace(card, outcome=outcome, facts=(), texts=(), warnings=(), buttons=()))


def outcome_of(proposal: Proposal) -> Fact:
    """Return what became of a proposal: by whom, when and why."""
    label, words = _OUTCOMES.get(proposal.state, (proposal.state.value.capitalize(), ""))
    last = proposal.events[-1] if proposal.events else None
    at = proposal.decided_at or (last.at if last is not None else None)
    people: tuple[str, ...] = ()
    if proposal.decided_by is not None and proposal.state in {State.APPLIED, State.DENIED}:
        words, people = _decider(proposal.decided_by)
    elif proposal.state is State.WITHDRAWN and last is not None and last.by is not None:
        people = (last.by.user,)
    if proposal.reason:
        reason, _ = cut(visible(proposal.reason)[0], 300)
        words = f"{words} – {reason}" if words else reason
    return Fact(label, words, people=people, at=at)


def destination_words(slice_name: str) -> str:
    """Return where a proposal lands, in words: the slice's name only where people know it by that name."""
    kind = kind_of(slice_name)
    if kind is None:
        return slice_name
    return (
        f"{slice_name} – {kind.title}" if kind.approver is Approver.APPROVERS or slice_name == "public" else kind.title
    )


def _readers(proposal: Proposal) -> str:
    """Return with whom a draft would be shared, in a heading's words."""
    kind = kind_of(proposal.slice)
    return {"shared": "the team", "public": "everyone"}.get(proposal.slice, kind.title if kind else proposal.slice)


def _decider(by: ApprovedBy) -> tuple[str, tuple[str, ...]]:
    """Return in words and by id who decided."""
    if by.operator is not None:
        return f"by the operator {display_name(by.operator)}", ()
    own = "their own request" if by.self_approval else ""
    return own, (by.user,) if by.user else ()


def _heading(proposal: Proposal) -> str:
    """Return the question a card asks."""
    kind = kind_of(proposal.slice)
    where = proposal.slice if proposal.slice in {"shared", "public"} or kind is None else kind.title
    return _HEADINGS.get(proposal.op, "Change {slice}?").format(slice=where)


def _facts(
    proposal: Proposal, policy: Policy, now: datetime, agent_name: str | None, *, decided: bool = False
) -> tuple[Fact, ...]:
    """Return what a card states above its text."""
    number = f", {len(proposal.pages)} pages, one decision" if len(proposal.pages) > 1 else ""
    facts = [
        Fact("Agent", display_name(agent_name or proposal.agent) or proposal.agent),
        _requester(proposal),
        _source(proposal),
        Fact("Goes to", destination_words(proposal.slice) + number),
    ]
    if not decided:
        facts += [_who_decides(proposal, policy), _expiry(proposal, now)]
    return tuple(facts)


def _requester(proposal: Proposal) -> Fact:
    """Return who asked; work that nobody in chat began has no person."""
    who = proposal.requested_by
    if who is None:
        return Fact("Asked by", "the agent itself, in background work")
    return Fact("Asked by", people=(who.user,))


def _source(proposal: Proposal) -> Fact:
    """Return where it was asked. A private place is named by its kind alone."""
    place = proposal.origin.place
    if proposal.origin.private or (place is not None and place.kind in {PlaceKind.IM, PlaceKind.MPIM}):
        return Fact("Asked in", "a private session")
    if place is None or place.kind is PlaceKind.BACKGROUND or not place.channel:
        return Fact(
            "Asked in", "background work" if place is not None and place.kind is PlaceKind.BACKGROUND else "no chat"
        )
    return Fact("Asked in", channel=place.channel, link=place.link)


def _who_decides(proposal: Proposal, policy: Policy) -> Fact:
    """Return who may decide. An empty list never means anyone (AP7)."""
    kind = kind_of(proposal.slice)
    if kind is not None and kind.approver is Approver.OWNER and proposal.requested_by is not None:
        return Fact("Can decide", people=(proposal.requested_by.user,))
    listed = sorted(entry.rpartition(":")[2] for entry in approvers_of(policy, proposal.slice))
    if not listed:
        return Fact("Can decide", "nobody yet: an approver has to be named in the policy first")
    return Fact("Can decide", people=tuple(listed))


def _expiry(proposal: Proposal, now: datetime) -> Fact:
    """Return until when it waits."""
    left = from_text(proposal.expires_at) - now
    return Fact(
        "Waits until", f"{_left(left)} left" if left > timedelta() else "its time is over", at=proposal.expires_at
    )


def _left(length: timedelta) -> str:
    """Return a length of time as people say it, to the nearest of its largest unit."""
    minutes = max(1, round(length.total_seconds() / 60))
    larger = (one for one in ((1440, "day"), (60, "hour")) if minutes >= 2 * one[0])
    size, unit = next(larger, (1, "minute"))
    number = round(minutes / size)
    return f"{number} {unit}{'' if number == 1 else 's'}"


def _bare(proposal: Proposal, heading: str, facts: tuple[Fact, ...], budget: Budget) -> Card:
    """Return a card without buttons, outcome or fallback."""
    texts, odd = texts_of(proposal, budget)
    warnings = list(odd)
    if not proposal.pages:
        warnings.append("Its text was erased.")
    if proposal.asked_before:
        warnings.insert(0, "The same was asked before and denied.")
    if proposal.raised:
        warnings.insert(0, "A plugin wants a person's decision on this.")
    return Card(
        proposal=proposal.id,
        revision=proposal.revision,
        state=proposal.state.value,
        heading=heading,
        facts=facts,
        texts=texts,
        fallback="",
        warnings=tuple(warnings),
        footer=(f"Proposal {proposal.id}",),
    )


def whole_card(proposal: Proposal, heading: str) -> Card:
    """Return a card that hides nothing and asks nothing, for a form."""
    return _finished(_bare(proposal, heading, (), WHOLE))


def named(card: Card, names: Mapping[str, str]) -> Card:
    """Return a card whose plain-text form calls people and channels by these names, by id."""
    return replace(card, fallback=plain_text(card, {id: display_name(name) for id, name in names.items()}))


def _finished(card: Card) -> Card:
    """Return the card with its plain-text form; `named` gives it names."""
    return named(card, {})
