"""Proposals: writes that wait for a person, as a state machine over durable rows (AP1-AP27)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from sliceway.core.grants import Grant
from sliceway.core.pages import ApprovedBy, PageDraft
from sliceway.core.principals import Origin
from sliceway.core.records import Record
from sliceway.core.turns import Person, Place
from sliceway.errors import NotPending

MAX_PROPOSAL = 24 * 1024
"""Bytes that a person is asked to review at most (AP4)."""
MAX_PENDING_PER_REQUESTER = 5
MAX_PENDING_PER_AGENT = 20
ASKED_AGAIN_DAYS = 7
"""A denied content asked again within these days gets no card (AP18)."""


class State(StrEnum):
    """Where a proposal stands."""

    DRAFT = "draft"
    PENDING = "pending"
    APPLIED = "applied"
    DENIED = "denied"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    SUPERSEDED = "superseded"


class Act(StrEnum):
    """What can happen to a proposal."""

    SEND = "send"
    APPROVE = "approve"
    DENY = "deny"
    EXPIRE = "expire"
    WITHDRAW = "withdraw"
    SUPERSEDE = "supersede"


TRANSITIONS: dict[tuple[State, Act], State] = {
    (State.DRAFT, Act.SEND): State.PENDING,
    (State.DRAFT, Act.WITHDRAW): State.WITHDRAWN,
    (State.DRAFT, Act.EXPIRE): State.EXPIRED,
    (State.PENDING, Act.APPROVE): State.APPLIED,
    (State.PENDING, Act.DENY): State.DENIED,
    (State.PENDING, Act.EXPIRE): State.EXPIRED,
    (State.PENDING, Act.WITHDRAW): State.WITHDRAWN,
    (State.PENDING, Act.SUPERSEDE): State.SUPERSEDED,
}
"""Every path there is; from any other state nothing moves."""


def after(state: State, act: Act) -> State:
    """Return the state that an act leads to.

    :raises NotPending: the act cannot happen in that state; carries `state`.
    """
    if (state, act) not in TRANSITIONS:
        raise NotPending(f"This proposal is {state.value}; it can no longer be changed that way.", state=state.value)
    return TRANSITIONS[state, act]


def state_at(state: State, expires_at: str, now: str) -> State:
    """Return the state as it reads at `now`: past its time, what waited is expired everywhere at once (AP14)."""
    return State.EXPIRED if (state, Act.EXPIRE) in TRANSITIONS and now >= expires_at else state


@dataclass(frozen=True, slots=True)
class ProposedPage(Record):
    """One page as proposed. `base_version` is the live version it would replace, None where there is no page."""

    slug: str
    base_version: int | None
    draft: PageDraft | None = None
    version: int | None = None
    event: str | None = None


@dataclass(frozen=True, slots=True)
class PageDiff(Record):
    """What a proposal changes on one page: the text it stands against (None: a new page) and the unified lines."""

    slug: str
    before: str | None
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardPlace(Record):
    """Where a card stands or is being posted: the place, who holds the claim until when, and the message."""

    place: str
    holder: str
    until: str
    ref: str | None = None


@dataclass(frozen=True, slots=True)
class ProposalEvent(Record):
    """One step in a proposal's life."""

    at: str
    act: str
    state: State
    revision: int
    by: Person | None = None
    operator: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Proposal(Record):
    """A write that waits for a person, as those who may see it see it (AP26).

    :ivar slice: where it lands when approved; a draft too says its destination here.
    :ivar revision: starts at 1; every change of state or text adds one.
    :ivar op: `write`, `delete`, `restore` or `undo`.
    :ivar asked_before: the same content was denied before; `quiet`: so lately that it gets no card (AP18).
    """

    id: str
    slice: str
    revision: int
    state: State
    op: str
    agent: str
    pages: tuple[ProposedPage, ...]
    requested_by: Person | None
    origin: Origin
    created_at: str
    expires_at: str
    diff: tuple[PageDiff, ...] = ()
    asked_before: bool = False
    quiet: bool = False
    raised: bool = False
    superseded_by: str | None = None
    decided_by: ApprovedBy | None = None
    decided_at: str | None = None
    reason: str | None = None
    cards: tuple[CardPlace, ...] = ()
    events: tuple[ProposalEvent, ...] = ()
    grant: Grant | None = None

    @property
    def size(self) -> int:
        """Bytes that a person would have to read."""
        return sum(page.draft.size for page in self.pages if page.draft is not None)


@dataclass(frozen=True, slots=True)
class Change(Record):
    """One entry of the feed: a proposal as it stands now."""

    id: str
    slice: str
    revision: int
    state: State
    at: str
    superseded_by: str | None = None
    grant: str | None = None


@dataclass(frozen=True, slots=True)
class Changes(Record):
    """A part of the feed. `cursor` is opaque and shows no gaps (BR16)."""

    items: tuple[Change, ...]
    cursor: str


@dataclass(frozen=True, slots=True)
class CardClaim(Record):
    """The answer to a claim to post: whether the caller may post, until when, and where the card stands if it does."""

    claimed: bool
    until: str | None = None
    ref: str | None = None


def place_key(place: Place) -> str:
    """Return what a card's place is kept by: team, channel and thread. An empty team or channel keeps its seat."""
    return "/".join((place.team, place.channel, *filter(None, (place.thread,))))
