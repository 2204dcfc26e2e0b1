"""Sending a draft: its owner's deliberate step from the private turn to the approvers (AP23)."""

from __future__ import annotations

from sliceway.brain.proposals import ProposalsPart
from sliceway.core.access import handling
from sliceway.core.policy import is_outside
from sliceway.core.principals import Origin
from sliceway.core.proposals import Act, Proposal, State
from sliceway.core.sight import TEAM_SLICES
from sliceway.errors import NotEligible, NotFound, NotPermitted, StaleRevision, TooManyPending
from sliceway.ports.brain import OriginLike
from sliceway.store import proposals as rows
from sliceway.store.inbox import find
from sliceway.store.ledger import slice_transaction
from sliceway.store.previews import preview
from sliceway.store.sends import finish_send
from sliceway.store.session import Session
from sliceway.wire.calls import StepCall
from sliceway.wire.checks import checked


class DraftsPart(ProposalsPart):
    """Drafts as their owner knows them."""

    async def send_draft(self, *, id: str, revision: int, origin: OriginLike = None) -> Proposal:
        """Turn its owner's draft into a pending proposal under the same id: mark it sent in the owner's slice, then
        add the pending one in the destination's. A repeat finishes what a crash left."""
        call = checked(StepCall, id=id, revision=revision)
        said = self._origin_or_none(origin)
        sent = await self._act(
            lambda session: self._mark_sent(session, call, self._origin(origin)),
            op="send", slice_name="", origin=said,
        )  # fmt: skip
        if sent is not None:
            return sent
        return await self._store.writing(lambda session: self._finish(session, call.id, said))

    def _mark_sent(self, session: Session, call: StepCall, origin: Origin) -> Proposal | None:
        """Mark the draft sent by compare-and-set; return the proposal where it is in the destination's slice already.

        Everything that could keep it from being pending there is looked at before.
        """
        policy = self._policy(session)
        sight = session.enter(handling(self._principal, origin, policy)).sight
        if sight.person is None:
            raise NotPermitted("A draft is sent by its owner, in whose name the call must be made.")
        row = find(session, call.id)
        if row["slice"] == row["destination"]:
            was_draft = rows.row_or_none(session, sight.person.slice, call.id)
            if was_draft is None:
                raise rows.not_pending(row, self._now())
            return rows.shown(session, row, self._now())
        if rows.is_sent(row):
            return None
        with slice_transaction(session, row["slice"], clock=self._clock, new_id=self._new_id) as tx:
            if rows.state_of(row, tx.now) is not State.DRAFT:
                raise rows.not_pending(row, tx.now)
            if row["revision"] != call.revision:
                raise StaleRevision(revision=row["revision"])
            if is_outside(policy, sight.person):
                raise NotEligible("Only a full member of the team sends something to it.")
            asking = rows.asking_of(row)
            preview(session, asking.slice, asking.op, asking.pages)
            self._limit_sent(session, asking.requester, tx.now)
            rows.move(tx, row, Act.SEND, author=self._actor(origin), by=sight.person)
        return None

    def _limit_sent(self, session: Session, requester: str | None, now: str) -> None:
        """Refuse a flood of what is sent, before it is (AP25)."""
        own = self._principal.own_slice
        slices = (*TEAM_SLICES, *((own,) if own is not None else ()))
        by_person = rows.count_waiting(session, slices, now, requester=requester)
        by_agent = rows.count_waiting(session, slices, now, agent=self._principal.agent_id)
        if by_person >= self._limits.pending_per_requester or by_agent >= self._limits.pending_per_agent:
            raise TooManyPending("Too many proposals wait for a decision already; this one stays yours. Send it later.")

    def _finish(self, session: Session, id: str, origin: Origin) -> Proposal:
        """Add the pending proposal in the destination's slice, once."""
        policy = self._policy(session)
        session.enter(handling(self._principal, origin, policy))
        row = find(session, id)
        if row["slice"] != row["destination"]:
            if not rows.is_sent(row):
                raise NotFound("There is no such proposal.")
            row = finish_send(
                session, row, policy, clock=self._clock, new_id=self._new_id,
                quiet_days=self._limits.asked_again_days,
            )  # fmt: skip
        return rows.shown(session, row, self._now())
