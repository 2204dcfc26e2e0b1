"""The brain as everyone else sees it: one interface, bound to one principal (BR1)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from datetime import timedelta
from types import TracebackType
from typing import Any, Self

from sliceway.core.grants import Grant
from sliceway.core.pages import Listing, Page, PageDraft, PageEntry, RecallResult, VersionEntry
from sliceway.core.policy import Policy
from sliceway.core.principals import Origin, Principal
from sliceway.core.proposals import CardClaim, Changes, Proposal
from sliceway.core.turns import Person
from sliceway.ports.agents import AgentKeeping
from sliceway.ports.erasing import Erasing
from sliceway.ports.mounts import Mounting
from sliceway.ports.outcomes import AgentEntry, AuditEntry, Done, Outcome, SliceEntry, WhoAmI
from sliceway.ports.record import RecordKeeping
from sliceway.ports.tokens import TokenKeeping

PageLike = PageDraft | Mapping[str, Any]
"""A page as a caller gives it: the dataclass, or a mapping with the fields of the HTTP call."""
OriginLike = Origin | Mapping[str, Any] | None
"""An origin as a caller gives it: the dataclass, or a mapping with the fields of the HTTP call."""
PersonLike = Person | Mapping[str, Any]
CardPlaceLike = str | Mapping[str, Any]


class Brain(TokenKeeping, RecordKeeping, AgentKeeping, Mounting, Erasing, ABC):
    """The ledger's owner, bound to one principal. Methods never take a principal; `origin` is a gateway's to give.

    Everywhere: a slice is named in full; `mine` is accepted from `agent` principals, and `user` with a person in the
    origin. `slices` None means all that an `agent` or `reader` may read, and is refused from a `gateway`, which must
    say what this turn may read; empty means none (BR5). What may not be read is answered as if it did not exist
    (BR4). `request_id` makes a retry return the first receipt (BR6). Every method may raise `Unavailable`, and
    `InvalidRequest` with each field that is wrong.
    """

    @abstractmethod
    async def recall(
        self,
        *,
        query: str,
        slices: Sequence[str] | None = None,
        saved_by: str | None = None,
        tags: Sequence[str] = (),
        kind: str | None = None,
        since: str | None = None,
        until: str | None = None,
        as_of: str | None = None,
        prefix: bool = False,
        limit: int = 10,
        origin: OriginLike = None,
    ) -> RecallResult:
        """Return the pages of the readable union that answer `query`, best first (FR1-FR11).

        Filters apply before the limit and combine with AND; `since` is inclusive, `until` exclusive.
        :param prefix: the query's last word may be unfinished: what begins with it, in the slices that are read,
            counts as it.
        :param limit: 1 to 200; a longer limit begins with the shorter answer.
        """  # fmt: skip

    @abstractmethod
    async def read_page(
        self,
        *,
        slice: str,
        slug: str,
        version: int | None = None,
        as_of: str | None = None,
        slices: Sequence[str] | None = None,
        origin: OriginLike = None,
    ) -> Page:
        """Return a page, or one version of it, with links inside `slices` (BR9).

        :raises NotFound: it is missing, deleted, or not the caller's to read: one answer.
        """  # fmt: skip

    @abstractmethod
    async def list_pages(
        self,
        *,
        slice: str | None = None,
        slices: Sequence[str] | None = None,
        saved_by: str | None = None,
        tag: str | None = None,
        kind: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
        origin: OriginLike = None,
    ) -> Listing[PageEntry]:
        """Return live pages by slice and slug; the operator sees of `user-…` no page."""  # fmt: skip

    @abstractmethod
    async def versions(
        self,
        *,
        slice: str,
        slug: str,
        limit: int = 50,
        cursor: str | None = None,
        slices: Sequence[str] | None = None,
        origin: OriginLike = None,
    ) -> Listing[VersionEntry]:
        """Return a page's versions, newest first, of a deleted page too.

        :raises NotFound: there never was such a page for this caller.
        """  # fmt: skip

    @abstractmethod
    async def write_pages(
        self,
        *,
        slice: str,
        pages: Sequence[PageLike],
        origin: OriginLike = None,
        request_id: str | None = None,
        dry_run: bool = False,
    ) -> Outcome:
        """Write 1 to 20 pages to one slice, all or none, or store a proposal where a person must say yes.

        A live grant stands in for the card (AP16). In a private origin the proposal is a draft (AP23).
        :raises VersionConflict: an `if_version` is stale. :raises NotPermitted: the ceiling is DENY.
        :raises SliceForbidden: the kind of slice alone forbids it. :raises TooLarge: a page is over 256 KiB.
        :raises IdempotencyConflict: the `request_id` was used for other content.
        :raises TooManyPending: the requester or the agent has too many proposals waiting (AP25).
        """  # fmt: skip

    @abstractmethod
    async def delete(
        self,
        *,
        slice: str,
        slug: str,
        if_version: int | None = None,
        reason: str | None = None,
        origin: OriginLike = None,
        request_id: str | None = None,
    ) -> Outcome:
        """Delete a page softly; the receipt's `event_id` undoes it. With a person in the origin, an agent's mind
        gives up only what that person caused (GT7).

        :raises NotFound: no such live page for this caller.
        """  # fmt: skip

    @abstractmethod
    async def restore(
        self,
        *,
        slice: str,
        slug: str,
        version: int | None = None,
        if_version: int | None = None,
        reason: str | None = None,
        origin: OriginLike = None,
        request_id: str | None = None,
    ) -> Outcome:
        """Bring back a deleted page, or an earlier `version`; over a live page `version` is needed."""  # fmt: skip

    @abstractmethod
    async def undo(
        self,
        *,
        slice: str,
        slug: str,
        expected_event: str,
        reason: str | None = None,
        origin: OriginLike = None,
        request_id: str | None = None,
    ) -> Outcome:
        """Take back the change of a receipt, as a new event that names it.

        :raises StaleEvent: the page changed since that event.
        """  # fmt: skip

    @abstractmethod
    async def propose(
        self,
        *,
        op: str,
        slice: str,
        pages: Sequence[PageLike] = (),
        slug: str | None = None,
        version: int | None = None,
        expected_event: str | None = None,
        if_version: int | None = None,
        reason: str | None = None,
        origin: OriginLike = None,
        request_id: str | None = None,
    ) -> Proposal:
        """Store a proposal: always asks, uses no grant; the same content pending is the same one (AP2)."""  # fmt: skip

    @abstractmethod
    async def decide(
        self,
        *,
        id: str,
        decision: str,
        revision: int,
        decided_by: PersonLike | None = None,
        reason: str | None = None,
        grant_seconds: int | None = None,
    ) -> Proposal:
        """Approve or deny in one transaction with the write (AP5). `decided_by` None is the operator's.

        :param decision: `approve` or `deny`. :param grant_seconds: also grant the thread for so long (AP15).
        :raises NotPending: with `state`, `decided_by`, `decided_at`, `superseded_by`; before StaleRevision.
        :raises StaleRevision: it changed since it was shown. :raises NotEligible: that person may not (AP7, AP8).
        :raises NotPermitted: the principal relays no decisions. :raises NotFound: not the caller's to see.
        """  # fmt: skip

    @abstractmethod
    async def withdraw(self, *, id: str, revision: int, origin: OriginLike = None) -> Proposal:
        """Take a proposal back: by its requester or its agent; of a draft this is Keep private."""

    @abstractmethod
    async def send_draft(self, *, id: str, revision: int, origin: OriginLike = None) -> Proposal:
        """Turn its owner's draft into a pending proposal under the same id; a repeat finishes what a crash left."""

    @abstractmethod
    async def proposals(
        self, *, state: str | None = None, limit: int = 50, cursor: str | None = None, origin: OriginLike = None
    ) -> Listing[Proposal]:
        """Return the proposals that the caller may see, newest first (AP26)."""

    @abstractmethod
    async def proposal(self, *, id: str, origin: OriginLike = None) -> Proposal:
        """Return one proposal. :raises NotFound: missing and foreign alike."""

    @abstractmethod
    async def changes(self, *, after: str | None = None, wait: float = 0.0, origin: OriginLike = None) -> Changes:
        """Return what changed since `after` (None: all), waiting up to `wait` seconds (0 to 60) for something."""

    @abstractmethod
    async def claim_card(
        self, *, id: str, place: CardPlaceLike, holder: str, lease_s: float, origin: OriginLike = None
    ) -> CardClaim:
        """Claim to post the card of a proposal in a place; one holder at a time, until the lease ends (AP3). The
        card of a draft is claimed with its owner in the origin (AP26). A place is `{team, channel, thread?}`, or
        its text, `TEAM/CHANNEL` and with a thread `TEAM/CHANNEL/THREAD`.

        :param lease_s: seconds, over 0 and up to 600.
        """

    @abstractmethod
    async def card_posted(
        self, *, id: str, place: CardPlaceLike, holder: str, ref: str, origin: OriginLike = None
    ) -> CardClaim:
        """Say where the card stands; a lost lease is `claimed: false` and changes nothing."""

    @abstractmethod
    async def grants(self, *, limit: int = 50, cursor: str | None = None) -> Listing[Grant]:
        """Return live grants: a gateway's own agent's, and all of them where the caller sees all proposals."""

    @abstractmethod
    async def revoke_grant(self, *, id: str, by: PersonLike | None = None) -> Grant:
        """End a grant at once: by the granter, the writer, a manager or the operator (AP15)."""

    @abstractmethod
    async def report_denial(self, *, op: str, slice: str, origin: OriginLike = None, reason: str = "") -> None:
        """Record a refusal decided in a gateway, once per (turn, op, slice) (OP1)."""

    @abstractmethod
    async def observe(
        self, *, place: Mapping[str, Any] | None = None, person: Mapping[str, Any] | None = None
    ) -> Policy:
        """Record what a gateway saw: `{team, channel, external?, guests?}`, `{team, user, deactivated}`.

        Places only fall; returning is for a manager. What changes nothing is not recorded.
        """

    @abstractmethod
    async def policy(self) -> Policy:
        """Return the policy as it stands."""

    @abstractmethod
    async def set_policy(self, **changes: Any) -> Policy:
        """Change fields of the policy, recorded if they differ; an admin's or the operator's."""

    @abstractmethod
    async def set_trust(self, *, team: str, channel: str, trust: str, by: PersonLike) -> Policy:
        """Set a channel's trust; `by` is a manager and the caller `decides` (SC7)."""

    @abstractmethod
    async def register(self, *, display: str | None = None, source: str | None = None) -> AgentEntry:
        """Record the caller's own agent; again: the same answer. Makes no slice."""

    @abstractmethod
    async def agents(self, *, limit: int = 50, cursor: str | None = None) -> Listing[AgentEntry]:
        """Return the caller's own entry; all of them to those who decide, administer or operate."""

    @abstractmethod
    async def done_in(self, *, turn: str, origin: OriginLike = None) -> Done:
        """Return what the caller's agent already did in that turn, so that a re-run repeats nothing (BR6). What it
        did in a person's corner is seen with that person in the origin."""

    @abstractmethod
    async def slices(self, *, limit: int = 50, cursor: str | None = None) -> Listing[SliceEntry]:
        """Return the slices that exist and that the caller may know of, by name."""

    @abstractmethod
    async def audit(
        self, *, slice: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Listing[AuditEntry]:
        """Return acts, newest first: an admin's and the operator's all, another principal's its own."""

    @abstractmethod
    async def whoami(self) -> WhoAmI:
        """Return who the caller is and what it may read and write."""


class BrainDoor(ABC):
    """The way in: opened once, entered by each principal."""

    @abstractmethod
    def enter(self, principal: Principal | None = None) -> Brain:
        """Return the brain bound to `principal`; a door opened with a token takes none.

        :raises InvalidRequest: an embedded door was given none, or a remote one was given one.
        """

    @abstractmethod
    async def close(self) -> None:
        """Let go of files and connections; what was accepted is on disk already."""

    async def __aenter__(self) -> Self:
        """Return the open door."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close it."""
        await self.close()


KEEPER_PERIOD = timedelta(seconds=2)
"""How often the keeper looks for what is past its time."""
