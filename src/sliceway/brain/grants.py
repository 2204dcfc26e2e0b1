"""Grants as the brain judges them: anew at every use, ended by whoever has a say in them (AP15-AP17)."""

from __future__ import annotations

from sliceway.brain.actor import ActorPart
from sliceway.core.access import handling, seeing
from sliceway.core.grants import MAX_GRANTED_SIZE, Grant, why_ended
from sliceway.core.pages import Listing
from sliceway.core.policy import Policy, is_manager
from sliceway.core.principals import NO_ORIGIN, Origin, PrincipalKind
from sliceway.core.sight import TEAM_SLICES
from sliceway.core.turns import Person
from sliceway.errors import FieldError, InvalidRequest, NotEligible, NotFound, NotPermitted
from sliceway.ports.brain import PersonLike
from sliceway.store import grants as rows
from sliceway.store.ledger import slice_transaction
from sliceway.store.session import Session
from sliceway.wire.calls import ListingCall, NamedCall
from sliceway.wire.checks import checked
from sliceway.wire.models import to_person

_PURPOSE = "grants"


class GrantsPart(ActorPart):
    """Standing yeses."""

    def _grant_for(
        self, session: Session, *, slice_name: str, origin: Origin, size: int, policy: Policy
    ) -> Grant | None:
        """Return the live grant that covers a write of `size` bytes from this origin, None where a card is due."""
        who, place, agent = origin.person, origin.place, self._principal.agent_id
        if self._principal.kind is not PrincipalKind.GATEWAY or agent is None or who is None or place is None:
            return None
        if origin.private or size > MAX_GRANTED_SIZE:
            return None
        return rows.covering(session, slice_name, agent=agent, writer=who, place=place, policy=policy, now=self._now())

    async def grants(self, *, limit: int = 50, cursor: str | None = None) -> Listing[Grant]:
        """Return live grants of a gateway's own agent; all of them where the caller sees all proposals."""
        call = checked(ListingCall, limit=limit, cursor=cursor)

        def work(session: Session) -> Listing[Grant]:
            policy, now = self._policy(session), self._now()
            session.enter(seeing(self._principal, NO_ORIGIN, policy))
            before = self._opened(session, _PURPOSE, call.cursor)
            live = [
                grant
                for grant in rows.open_grants(session, session.within(TEAM_SLICES), agent=self._whose(), before=before)
                if why_ended(grant, policy, now) is None
            ]
            part = live[: call.limit]
            more = self._sealed(session, _PURPOSE, part[-1].id) if len(live) > call.limit else None
            return Listing(tuple(part), more)

        return await self._store.reading(work)

    def _whose(self) -> str | None:
        """Return the agent whose grants alone are seen, None where all are; to who serves nobody in chat they are
        nobody's."""
        if self._principal.sees_all_proposals:
            return None
        return (self._principal.agent_id or "") if self._principal.kind is PrincipalKind.GATEWAY else ""

    async def revoke_grant(self, *, id: str, by: PersonLike | None = None) -> Grant:
        """End a grant at once: by the granter, the writer, a manager or the operator (AP15). Again: as it ended."""
        call = checked(NamedCall, id=id)
        who = to_person(by) if by is not None else None

        def work(session: Session) -> Grant:
            self._may_revoke(who)
            policy = self._policy(session)
            session.enter(handling(self._principal, NO_ORIGIN, policy))
            grant = rows.find_grant(session, session.within(TEAM_SLICES), call.id, agent=self._whose())
            if grant is None:
                raise NotFound("There is no such grant.")
            if who is not None:
                self._has_a_say(policy, grant, who)
            with slice_transaction(session, grant.slice, clock=self._clock, new_id=self._new_id) as tx:
                why = f"revoked by {who.user if who is not None else self._principal.kind.value}"
                return rows.end(tx, grant, why, author=self._actor(person=who))

        return await self._act(work, op="revoke_grant", slice_name="", origin=Origin(person=who))

    def _may_revoke(self, who: Person | None) -> None:
        """Refuse callers that end no grants.

        :raises NotPermitted: it has no such right. :raises InvalidRequest: who clicked is missing.
        """
        if self._administers:
            return
        if self._principal.kind is not PrincipalKind.GATEWAY:
            raise NotPermitted("A grant is ended in chat, or by the operator.")
        if who is None:
            raise InvalidRequest(errors=[FieldError("by", "missing", "say who ends it")])

    def _has_a_say(self, policy: Policy, grant: Grant, who: Person) -> None:
        """Refuse people who have no say in a grant.

        :raises NotEligible: it is not theirs, and they are no manager; or another gateway's teams vouch for them.
        """
        ours = self._administers or who.team in self._principal.teams
        concerned = grant.granted_by.is_same(who) or grant.writer.is_same(who) or is_manager(policy, who)
        if not (ours and concerned):
            raise NotEligible("Only who gave it, who writes under it, or a manager ends a grant.")
