"""Agents, slices and the audit: what those who run a brain look at (ID3, OP1, BR13)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import TypeVar

from sliceway.brain.actor import ActorPart
from sliceway.core.access import auditing, overseeing
from sliceway.core.ids import display_name
from sliceway.core.ledger import keyed_digest
from sliceway.core.pages import Listing
from sliceway.core.policy import is_closed
from sliceway.core.principals import NO_ORIGIN, PrincipalKind
from sliceway.core.slices import PUBLIC, SHARED, SYSTEM, kind_of
from sliceway.errors import FieldError, InvalidRequest, NotPermitted
from sliceway.ports.brain import OriginLike
from sliceway.ports.outcomes import AgentEntry, AuditEntry, SliceEntry
from sliceway.store.acts import acts_known
from sliceway.store.agents import agents_known, only_agent, put_agent, with_what_became
from sliceway.store.audit import Place, acts, slices_known
from sliceway.store.record import record
from sliceway.store.requests import Request, first_answer, keep_answer
from sliceway.store.session import Session
from sliceway.wire.calls import DenialCall, ListingCall, RegisterCall
from sliceway.wire.checks import checked

_AUDIT = "audit"
CLOSED = (
    "{agent} was retired, renamed or merged and may not act; `sliceway agent list` says which, --undo takes it back."
)
"""What is said where an agent comes back that may not act (ID12)."""

Entry = TypeVar("Entry")


class AdministrationPart(ActorPart):
    """What there is, and who did what."""

    async def register(self, *, display: str | None = None, source: str | None = None) -> AgentEntry:
        """Record the caller's own agent; again: the same answer. Makes no slice."""
        call = checked(RegisterCall, display=display, source=source)
        shown = display_name(call.display) if call.display is not None else None

        def work(session: Session) -> AgentEntry:
            if self._principal.agent_id is None:
                raise NotPermitted("Only an agent or its gateway registers, and only itself.")
            if is_closed(self._policy(session), self._principal.agent_id):
                raise NotPermitted(CLOSED.format(agent=self._principal.agent_id))
            with self._system(session) as tx:
                return put_agent(
                    tx, self._principal.agent_id, display=shown or None, source=call.source, author=self._actor()
                )

        return await self._act(work, op="agents", slice_name=SYSTEM, origin=NO_ORIGIN)

    async def agents(self, *, limit: int = 50, cursor: str | None = None) -> Listing[AgentEntry]:
        """Return the caller's own entry; all of them to those who decide, administer or operate."""
        call = checked(ListingCall, limit=limit, cursor=cursor)
        only = None if self._principal.sees_all_proposals else self._principal.agent_id or ""

        def work(session: Session) -> Listing[AgentEntry]:
            policy, acts = self._policy(session), acts_known(session)
            found = [with_what_became(entry, policy, acts) for entry in agents_known(session, only=only)]
            return self._part(session, "agents", found, call, name=lambda entry: entry.id)

        return await self._store.reading(work)

    async def only_agent(self) -> str:
        """Return the agent that a command without `--agent` acts as (ID3); the operator's.

        :raises InvalidRequest: there are several, or none in a store that is not empty.
        """

        def work(session: Session) -> str:
            policy = self._policy(session)
            known = [one for one in agents_known(session) if not is_closed(policy, one.id)]
            session.enter(overseeing(self._principal, policy))
            return only_agent(session, known)

        return await self._store.reading(work)

    async def report_denial(self, *, op: str, slice: str, origin: OriginLike = None, reason: str = "") -> None:
        """Record a refusal decided in a gateway, once per (turn, op, slice) (OP1)."""
        call = checked(DenialCall, op=op, slice=slice, reason=None if reason == "" else reason)
        said = await self._origin_for("denial", origin)

        def work(session: Session) -> None:
            if self._principal.kind is not PrincipalKind.GATEWAY:
                raise NotPermitted("Only a gateway decides refusals of its own.")
            name = self._named(call.slice, said)
            content = {"op": call.op, "slice": name, "turn": said.turn}
            with self._system(session) as tx:
                told = f"denial:{keyed_digest(tx.key, content)}" if said.turn is not None else None
                request = Request(told, self._principal.key, self._principal.agent_id, None, content)
                if first_answer(tx, request) is not None:
                    return
                about = {**content, "why": call.reason}
                record(tx, "refused.in_gateway", about=about, author=self._actor(said))
                keep_answer(tx, request, {})

        await self._act(work, op="denial", slice_name=call.slice, origin=said)

    async def slices(self, *, limit: int = 50, cursor: str | None = None) -> Listing[SliceEntry]:
        """Return the slices that exist and that the caller may know of, by name."""
        call = checked(ListingCall, limit=limit, cursor=cursor)

        def work(session: Session) -> Listing[SliceEntry]:
            known = session.enter(overseeing(self._principal, self._policy(session))).reads
            found = slices_known(session, None if self._administers else known)
            return self._part(session, "slices", found, call, name=lambda entry: entry.slice)

        return await self._store.reading(work)

    async def audit(
        self, *, slice: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Listing[AuditEntry]:
        """Return acts, newest first: an admin's and the operator's all, another principal's its own."""
        call = checked(ListingCall, slice=slice, limit=limit, cursor=cursor)
        if call.slice is not None and kind_of(call.slice) is None:
            raise InvalidRequest(errors=[FieldError("slice", "invalid_request", "no slice has that name")])

        def work(session: Session) -> Listing[AuditEntry]:
            policy = self._policy(session)  # and with it the key of cursors
            session.enter(auditing(self._principal))
            names = self._audited(call.slice)
            if self._principal.agent_id is not None and is_closed(policy, self._principal.agent_id):
                names = ()
            place = self._opened(session, _AUDIT, call.cursor)
            before: Place | None = tuple(place) if place is not None else None
            walk = acts(session, names=names, own=self._principal.own_slice, before=before, wanted=self._is_mine)
            found = list(islice(walk, call.limit + 1))
            part = found[: call.limit]
            more = self._sealed(session, _AUDIT, list(part[-1][0])) if len(found) > call.limit else None
            return Listing(tuple(entry for _, entry in part), more)

        return await self._store.reading(work)

    def _part(
        self,
        session: Session,
        purpose: str,
        entries: Sequence[Entry],
        call: ListingCall,
        *,
        name: Callable[[Entry], str],
    ) -> Listing[Entry]:
        """Return the part of a short list that a call asks for, in the order of names."""
        after = self._opened(session, purpose, call.cursor)
        left = sorted((entry for entry in entries if after is None or name(entry) > after), key=name)
        part = left[: call.limit]
        more = self._sealed(session, purpose, name(part[-1])) if len(left) > call.limit else None
        return Listing(tuple(part), more)

    def _audited(self, named: str | None) -> tuple[str, ...] | None:
        """Return the slices whose acts the caller may look through, None for all."""
        if self._administers:
            return (named,) if named is not None else None
        own = self._principal.own_slice
        bound = (own, PUBLIC, SHARED, SYSTEM) if own is not None else ()
        return tuple(name for name in bound if named in {None, name})

    def _is_mine(self, entry: AuditEntry) -> bool:
        """Say whether an act is the caller's own, or it may see everybody's."""
        return self._administers or entry.author.get("agent") == self._principal.agent_id
