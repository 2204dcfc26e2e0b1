"""Sending a draft: its owner's deliberate step from the private turn to the approvers (AP23)."""

from __future__ import annotations

from sliceway.brain.proposals import ProposalsPart
from sliceway.core.policy import is_outside
from sliceway.core.principals import Origin
from sliceway.core.proposals import Act, Proposal, State
from sliceway.core.sight import TEAM_SLICES
from sliceway.errors import NotEligible, NotFound, NotPermitted, StaleRevision, TooManyPending
from sliceway.ports.brain import OriginLike
from sliceway.store import proposals as rows
from sliceway.store.engine import Connection
from sliceway.store.inbox import find
from sliceway.store.ledger import slice_transaction
from sliceway.store.previews import preview
from sliceway.store.sends import finish_send
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
            lambda connection: self._mark_sent(connection, call, self._origin(origin)),
            op="send", slice_name="", origin=said,
        )  # fmt: skip
        if sent is not None:
            return sent
        return await self._database.writing(lambda connection: self._finish(connection, call.id, said))

    def _mark_sent(self, connection: Connection, call: StepCall, origin: Origin) -> Proposal | None:
        """Mark the draft sent by compare-and-set; return the proposal where it is in the destination's slice already.

        Everything that could keep it from being pending there is looked at before.
        """
        sight = self._sight(connection, origin)
        if sight.person is None:
            raise NotPermitted("A draft is sent by its owner, in whose name the call must be made.")
        row = find(connection, sight, call.id)
        if row["slice"] == row["destination"]:
            was_draft = rows.row_or_none(connection, sight.person.slice, call.id)
            if was_draft is None:
                raise rows.not_pending(row, self._now())
            return rows.shown(connection, row, self._now())
        if rows.is_sent(row):
            return None
        with slice_transaction(connection, row["slice"], clock=self._clock, new_id=self._new_id) as tx:
            if rows.state_of(row, tx.now) is not State.DRAFT:
                raise rows.not_pending(row, tx.now)
            if row["revision"] != call.revision:
                raise StaleRevision(revision=row["revision"])
            if is_outside(self._policy(connection), sight.person):
                raise NotEligible("Only a full member of the team sends something to it.")
            asking = rows.asking_of(row)
            preview(connection, asking.slice, asking.op, asking.pages)
            self._limit_sent(connection, asking.requester, tx.now)
            rows.move(tx, row, Act.SEND, author=self._actor(origin), by=sight.person)
        return None

    def _limit_sent(self, connection: Connection, requester: str | None, now: str) -> None:
        """Refuse a flood of what is sent, before it is (AP25)."""
        own = self._principal.own_slice
        slices = (*TEAM_SLICES, *((own,) if own is not None else ()))
        by_person = rows.count_waiting(connection, slices, now, requester=requester)
        by_agent = rows.count_waiting(connection, slices, now, agent=self._principal.agent_id)
        if by_person >= self._limits.pending_per_requester or by_agent >= self._limits.pending_per_agent:
            raise TooManyPending("Too many proposals wait for a decision already; this one stays yours. Send it later.")

    def _finish(self, connection: Connection, id: str, origin: Origin) -> Proposal:
        """Add the pending proposal in the destination's slice, once."""
        row = find(connection, self._sight(connection, origin), id)
        if row["slice"] != row["destination"]:
            if not rows.is_sent(row):
                raise NotFound("There is no such proposal.")
            row = finish_send(
                connection, row, self._policy(connection), clock=self._clock, new_id=self._new_id,
                quiet_days=self._limits.asked_again_days,
            )  # fmt: skip
        return rows.shown(connection, row, self._now())
