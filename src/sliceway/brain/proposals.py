"""Asking: a write that a person must say yes to is stored before anything else happens (AP1, AP2, AP4, AP18-AP25)."""

from __future__ import annotations

from collections.abc import Sequence

from sliceway.brain.actor import ActorPart
from sliceway.core.access import changing, handling
from sliceway.core.asking import Asking
from sliceway.core.gate import Verdict, ceiling
from sliceway.core.policy import Policy
from sliceway.core.principals import NO_ORIGIN, Origin
from sliceway.core.proposals import Act, Proposal, ProposedPage, State
from sliceway.core.sight import TEAM_SLICES, is_drafted, requester_key
from sliceway.errors import (
    FieldError,
    IdempotencyConflict,
    InvalidRequest,
    NotEligible,
    NotPermitted,
    StaleRevision,
    TooLargeToReview,
    TooManyPending,
)
from sliceway.ports.brain import OriginLike, PageLike
from sliceway.store import proposals as rows
from sliceway.store.inbox import find
from sliceway.store.ledger import SliceTransaction, slice_transaction
from sliceway.store.previews import preview
from sliceway.store.requests import Request, first_answer, keep_answer
from sliceway.store.sends import is_quiet
from sliceway.store.session import Session
from sliceway.wire.calls import ProposeCall, StepCall
from sliceway.wire.checks import checked
from sliceway.wire.models import pages_fields, to_origin


class ProposalsPart(ActorPart):
    """Proposals as those who ask for them know them."""

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
        """Store a proposal: always asks, uses no grant; the same content pending is the same one (AP2)."""
        call = checked(
            ProposeCall, op=op, slice=slice, pages=pages_fields(pages), slug=slug, version=version,
            expected_event=expected_event, if_version=if_version, reason=reason, request_id=request_id,
        )  # fmt: skip
        to_origin(origin)  # refused in this order with and without a wire (BR1)
        wanted = _wanted(call)

        def work(session: Session) -> Proposal:
            given = self._origin(origin)
            name = self._named(call.slice, given, writes=True)
            policy = self._policy(session)
            verdict = ceiling(call.op, name, self._principal, given, policy)
            if verdict is Verdict.DENY:
                raise self._denial(name, given)
            session.enter(changing(call.op, name, self._principal, given, policy, asks=True))
            content = {"call": "propose", **call.model_dump(mode="json", exclude={"request_id"})}
            return self._ask(
                session, op=call.op, slice_name=name, pages=wanted, origin=given, policy=policy,
                request=self._request(call.request_id, given, content), reason=call.reason,
                raised=verdict is Verdict.ALLOW,
            )  # fmt: skip

        return await self._act(work, op=call.op, slice_name=call.slice, origin=self._origin_or_none(origin))

    def _ask(
        self,
        session: Session,
        *,
        op: str,
        slice_name: str,
        pages: Sequence[ProposedPage],
        origin: Origin,
        policy: Policy,
        request: Request,
        reason: str | None = None,
        raised: bool = False,
    ) -> Proposal:
        """Store a proposal in the one slice it is a row of: its destination, or for a draft its owner's corner."""
        drafted = is_drafted(self._principal, origin, slice_name) and origin.person is not None
        home = origin.person.slice if drafted and origin.person is not None else slice_name
        asking = Asking(
            op=op, slice=slice_name, pages=tuple(pages), agent=self._principal.agent_id or "",
            author=self._author(origin), origin=origin, requested_by=origin.person,
            requester=requester_key(self._principal, origin), raised=raised, reason=reason,
        )  # fmt: skip
        with slice_transaction(session, home, clock=self._clock, new_id=self._new_id) as tx:
            answered = first_answer(tx, request)
            if answered is not None:
                return self._answered(tx, answered)
            id = self._waiting_or_new(tx, asking, policy, drafted=drafted)
            keep_answer(tx, request, {"proposal": id})
            return rows.shown(session, rows.row_in(session, home, id), tx.now)

    def _answered(self, tx: SliceTransaction, answer: dict[str, str]) -> Proposal:
        """Return the proposal that a retry was given before, as it stands now."""
        if "proposal" not in answer:
            raise IdempotencyConflict("This request id was used for a write that needed no yes.")
        row = rows.row_in(tx.session, tx.slice, answer["proposal"])
        if rows.is_sent(row):
            row = rows.row_or_none(tx.session, row["destination"], row["id"]) or row
        return rows.shown(tx.session, row, tx.now)

    def _waiting_or_new(self, tx: SliceTransaction, asking: Asking, policy: Policy, *, drafted: bool) -> str:
        """Return the id of what already waits for the same, or of a new proposal."""
        seen = preview(tx.session, asking.slice, asking.op, asking.pages)
        size = sum(page.draft.size for page in seen[0] if page.draft is not None)
        if size > self._limits.proposal_bytes:
            raise TooLargeToReview(size=size, limit=self._limits.proposal_bytes)
        like = rows.waiting_like(tx, asking, seen[0])
        if like is not None:
            return str(like["id"])
        self._limit(tx, asking, drafted=drafted)
        denied_at = None if drafted else rows.asked_before(tx, asking, seen[0])
        id = tx.new_id()
        rows.add(
            tx, asking, id=id, act="drafted" if drafted else "asked", seen=seen,
            state=State.DRAFT if drafted else State.PENDING, expire_after=policy.expire_after,
            asked_before=denied_at is not None, quiet=is_quiet(denied_at, tx.now, self._limits.asked_again_days),
        )  # fmt: skip
        return id

    def _limit(self, tx: SliceTransaction, asking: Asking, *, drafted: bool) -> None:
        """Refuse a flood (AP25). Drafts count for their owner alone and only in private, so nobody learns of them.

        :raises TooManyPending: too many wait.
        """
        own = self._principal.own_slice
        slices = tuple({*TEAM_SLICES, asking.slice, tx.slice, *((own,) if own is not None else ())})
        if asking.requester is not None:
            waiting = rows.count_waiting(tx.session, slices, tx.now, requester=asking.requester, drafts=drafted)
            if waiting >= self._limits.pending_per_requester:
                raise TooManyPending(limit=self._limits.pending_per_requester)
        if not drafted:
            waiting = rows.count_waiting(tx.session, slices, tx.now, agent=asking.agent)
            if waiting >= self._limits.pending_per_agent:
                raise TooManyPending(
                    "Too many proposals of this agent wait for a decision; have some decided or withdraw them first.",
                    limit=self._limits.pending_per_agent,
                )

    async def withdraw(self, *, id: str, revision: int, origin: OriginLike = None) -> Proposal:
        """Take a proposal back: by its requester or its agent; of a draft this is Keep private (AP23)."""
        call = checked(StepCall, id=id, revision=revision)

        def work(session: Session) -> Proposal:
            given = self._origin(origin)
            if self._principal.agent_id is None:
                raise NotPermitted("Who asked takes a proposal back, or the agent that asked for them.")
            sight = session.enter(handling(self._principal, given, self._policy(session))).sight
            row = find(session, call.id)
            with slice_transaction(session, row["slice"], clock=self._clock, new_id=self._new_id) as tx:
                if rows.is_sent(row) or rows.state_of(row, tx.now) not in {State.DRAFT, State.PENDING}:
                    raise rows.not_pending(row, tx.now)
                if row["revision"] != call.revision:
                    raise StaleRevision(revision=row["revision"])
                asked_by = rows.asking_of(row).requested_by
                own = row["agent"] == self._principal.agent_id and given.person is None
                asked = asked_by is not None and sight.person is not None and asked_by.is_same(sight.person)
                if not own and not asked:
                    raise NotEligible("Only who asked for it, or its agent, takes it back.", proposal=row["id"])
                moved = rows.move(tx, row, Act.WITHDRAW, author=self._actor(given), by=given.person)
                return rows.shown(session, moved, tx.now)

        return await self._act(work, op="withdraw", slice_name="", origin=self._origin_or_none(origin))

    def _origin_or_none(self, origin: OriginLike) -> Origin:
        """Return the origin to record a refusal with: none where none may be given."""
        try:
            return self._origin(origin)
        except NotPermitted:
            return NO_ORIGIN


def _wanted(call: ProposeCall) -> tuple[ProposedPage, ...]:
    """Return the pages of a request; each op takes its own fields and no others.

    :raises InvalidRequest: with every field that is missing or does not belong.
    """
    needs = {"write": {"pages"}, "delete": {"slug"}, "restore": {"slug"}, "undo": {"slug", "expected_event"}}[call.op]
    takes = needs | {"restore": {"version", "if_version"}, "delete": {"if_version"}}.get(call.op, set())
    given = {name for name in ("pages", "slug", "version", "expected_event", "if_version") if getattr(call, name)} | (
        {"if_version"} if call.if_version is not None else set()
    )
    errors = [FieldError(name, "missing", f"'{call.op}' needs it") for name in sorted(needs - given)]
    errors += [FieldError(name, "unknown_field", f"'{call.op}' takes no such field") for name in sorted(given - takes)]
    if errors:
        raise InvalidRequest(errors=errors)
    if call.op == "write":
        drafts = [page.draft() for page in call.pages]
        repeated = {draft.slug for draft in drafts if sum(other.slug == draft.slug for other in drafts) > 1}
        if repeated:
            said = f"{', '.join(sorted(repeated))}: a page is named twice"
            raise InvalidRequest(errors=[FieldError("pages", "invalid_request", said)])
        return tuple(ProposedPage(draft.slug, None, draft) for draft in drafts)
    page = ProposedPage(call.slug or "", call.if_version, version=call.version, event=call.expected_event)
    return (page,)
