"""Deciding: the compare-and-set, the ledger's events and the pages in one transaction (AP5-AP12, AP15, AP21, AP24)."""

from __future__ import annotations

from datetime import timedelta

from sliceway.brain.actor import ActorPart
from sliceway.core.access import handling
from sliceway.core.asking import content_digest
from sliceway.core.pages import ApprovedBy
from sliceway.core.policy import Policy, approvers_of, is_gone, may_decide
from sliceway.core.principals import NO_ORIGIN, Origin, PrincipalKind
from sliceway.core.proposals import Act, Proposal, State
from sliceway.core.refusal_words import words_of
from sliceway.core.sight import TEAM_SLICES
from sliceway.core.turns import Person
from sliceway.errors import (
    Conflict,
    FieldError,
    InvalidRequest,
    NotEligible,
    NotFound,
    NotPending,
    NotPermitted,
    StaleRevision,
)
from sliceway.ports.brain import PersonLike
from sliceway.store import grants, pages
from sliceway.store import proposals as rows
from sliceway.store.inbox import find
from sliceway.store.ledger import SliceTransaction, slice_transaction
from sliceway.store.pages import Signature
from sliceway.store.previews import preview_or_none
from sliceway.store.proposals import ProposalRow
from sliceway.store.session import Session
from sliceway.wire.calls import DecideCall
from sliceway.wire.checks import checked
from sliceway.wire.models import to_person


class DecisionsPart(ActorPart):
    """Decisions as the brain checks and makes them."""

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
        """Approve or deny in one transaction with the write (AP5)."""
        call = checked(
            DecideCall, id=id, decision=decision, revision=revision, reason=reason, grant_seconds=grant_seconds
        )
        if call.decision == "deny" and call.grant_seconds is not None:
            raise InvalidRequest(errors=[FieldError("grant_seconds", "invalid_request", "a denial gives no grant")])
        if decided_by is None and self._principal.kind is not PrincipalKind.OPERATOR:
            raise InvalidRequest(errors=[FieldError("decided_by", "missing", words_of("missing", {}))])
        who = to_person(decided_by, "decided_by") if decided_by is not None else None
        decided = await self._act(
            lambda session: self._decide(session, call, who), op="decide", slice_name="",
            origin=Origin(person=who),
        )  # fmt: skip
        if isinstance(decided, NotPending):
            raise decided
        return decided

    def _decide(self, session: Session, call: DecideCall, who: Person | None) -> Proposal | NotPending:
        """Decide; an approval that finds a moved base is answered, not raised, so that what it changed is kept."""
        self._may_relay(call, who)
        policy = self._policy(session)
        session.enter(handling(self._principal, Origin(person=who), policy))
        row = find(session, call.id)
        if row["slice"] != row["destination"]:
            raise NotFound("There is no such proposal.")
        with slice_transaction(session, row["slice"], clock=self._clock, new_id=self._new_id) as tx:
            if rows.state_of(row, tx.now) is not State.PENDING:
                raise rows.not_pending(row, tx.now)
            if row["revision"] != call.revision:
                raise StaleRevision(revision=row["revision"])
            approver = self._approver(policy, row, who, call)
            if call.decision == "deny":
                done = self._move(tx, row, Act.DENY, who, approver, reason=call.reason)
            elif self._has_moved(session, row):
                return rows.not_pending(self._supersede(tx, row, who, policy), tx.now)
            else:
                done = self._apply(tx, row, who, approver, policy, call)
            return rows.shown(session, done, tx.now)

    def _may_relay(self, call: DecideCall, who: Person | None) -> None:
        """Refuse callers that decide nothing, whatever the proposal (AP7, AP20).

        :raises NotPermitted: it has no such right. :raises InvalidRequest: who decides is named and too much.
        """
        kind = self._principal.kind
        if kind is PrincipalKind.OPERATOR:
            if who is not None:
                detail = "the operator decides as the operator; leave it out"
                raise InvalidRequest(errors=[FieldError("decided_by", "invalid_request", detail)])
            if call.grant_seconds is not None:
                raise NotPermitted("The operator gives no grants; an approver does, with the decision.")
            return
        if kind is not PrincipalKind.GATEWAY or not self._principal.decides:
            raise NotPermitted("This caller relays no decisions; an approver decides in chat, or the operator here.")

    def _approver(self, policy: Policy, row: ProposalRow, who: Person | None, call: DecideCall) -> ApprovedBy:
        """Return under whose yes or no this is, where that person may, now, for this slice (AP7, AP8).

        :raises NotEligible: they may not, with why and who may.
        """
        if who is None:
            return ApprovedBy(operator=self._operator)
        asked_by = rows.asking_of(row).requested_by
        own = asked_by is not None and asked_by.is_same(who)
        if who.team not in self._principal.teams:
            why: str | None = "that person is of another team than this gateway's"
        else:
            why = may_decide(policy, row["destination"], who, asked_by if call.decision == "approve" else None)
        if why is None and call.decision == "approve" and asked_by is not None and is_gone(policy, asked_by):
            why = "who asked for it has left, and nothing is written for them any more"
        if why is not None:
            raise NotEligible(
                f"Not decided: {why}.", proposal=row["id"], person={"team": who.team, "user": who.user},
                approvers=sorted(approvers_of(policy, row["destination"])),
            )  # fmt: skip
        relayed_by = self._principal.token_id
        return ApprovedBy(who.team, who.user, who.name, relayed_by=relayed_by, self_approval=own)

    @staticmethod
    def _has_moved(session: Session, row: ProposalRow) -> bool:
        """Say whether a page is no longer the version that the proposal builds on (AP24)."""
        return any(
            pages.live_version(session, row["slice"], page.slug) != page.base_version for page in rows.pages_of(row)
        )

    def _supersede(self, tx: SliceTransaction, row: ProposalRow, who: Person | None, policy: Policy) -> ProposalRow:
        """Close a proposal whose base moved and ask anew against the pages as they are, in the same transaction.

        Where nothing is left to ask (the page to delete is gone, the text is there already), there is no new one.
        """
        asking, author = rows.asking_of(row), self._actor(person=who)
        seen = preview_or_none(tx.session, asking.slice, asking.op, asking.pages)
        if seen is None:
            return rows.move(tx, row, Act.SUPERSEDE, author=author, by=who)
        id = tx.new_id()
        closed = rows.move(tx, row, Act.SUPERSEDE, author=author, by=who, superseded_by=id)
        rows.add(tx, asking, id=id, act="asked_anew", state=State.PENDING, seen=seen, expire_after=policy.expire_after)
        return closed

    def _apply(
        self,
        tx: SliceTransaction,
        row: ProposalRow,
        who: Person | None,
        approver: ApprovedBy,
        policy: Policy,
        call: DecideCall,
    ) -> ProposalRow:
        """Write what was approved, and give the grant that was asked for with it.

        :raises Conflict: the stored text is not the one that the digest was made of (AP21).
        :raises NotPermitted: it is for the mind of an agent that was retired, renamed or merged (ID12).
        """
        if row["destination"] in policy.closed:
            raise NotPermitted("Nothing is written to this mind any more: its agent was retired, renamed or merged.")
        wanted = rows.pages_of(row)
        if content_digest(tx.key, row["op"], row["destination"], wanted) != row["digest"]:
            raise Conflict("The stored text is not the text that was asked for; nothing was written. Verify the store.")
        asking = rows.asking_of(row)
        length = self._granted(policy, row, call)
        grant = tx.new_id() if length is not None else None
        done = self._move(tx, row, Act.APPROVE, who, approver, reason=call.reason, grant_id=grant)
        by = Signature(author=asking.author, approver=approver, proposal=row["id"], reason=asking.reason)
        for page in wanted:
            pages.apply(tx, row["op"], page, by)
        place, writer = asking.origin.place, asking.requested_by
        if grant is not None and length is not None and who is not None and place is not None and writer is not None:
            grants.give(
                tx, id=grant, agent=row["agent"], writer=writer, place=place, granted_by=who, length=length,
                proposal=row["id"], author=self._actor(person=who),
            )  # fmt: skip
        return done

    def _granted(self, policy: Policy, row: ProposalRow, call: DecideCall) -> timedelta | None:
        """Return for how long the thread is granted with this approval, None where that was not asked (AP15).

        :raises NotPermitted: no grant can come of this proposal, or the feature is off.
        """
        if call.grant_seconds is None:
            return None
        asking = rows.asking_of(row)
        place = asking.origin.place
        if policy.grant_for <= timedelta():
            raise NotPermitted("Grants are switched off here (approvals.grant_for = 0); approve this one alone.")
        fit = (
            row["op"] == "write"
            and row["destination"] in TEAM_SLICES
            and asking.requested_by is not None
            and place is not None
            and place.thread is not None
            and not asking.origin.private
        )
        if not fit:
            raise NotPermitted("A grant is for a person's writes in a thread that is not private; approve this alone.")
        return timedelta(seconds=call.grant_seconds)

    def _move(
        self,
        tx: SliceTransaction,
        row: ProposalRow,
        act: Act,
        who: Person | None,
        approver: ApprovedBy,
        *,
        reason: str | None,
        grant_id: str | None = None,
    ) -> ProposalRow:
        """Record the decision and by which token it came."""
        return rows.move(
            tx, row, act, author=self._actor(NO_ORIGIN, person=who), by=who, operator=approver.operator, reason=reason,
            note={"self": approver.self_approval or None, "granted": grant_id},
            decided_by=rows.text_of(approver), decided_at=tx.now, grant_id=grant_id,
        )  # fmt: skip
