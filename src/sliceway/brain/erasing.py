"""Erasing for whoever administers: a page, a slice, a person (BR10, GT9)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sliceway.brain.actor import ActorPart
from sliceway.brain.eraser import Eraser
from sliceway.core.access import Access, erasing
from sliceway.core.ledger import keyed_digest
from sliceway.core.principals import NO_ORIGIN, PrincipalKind
from sliceway.errors import NotFound
from sliceway.ports.brain import PersonLike
from sliceway.ports.outcomes import ErasedIn, Erasure, Stays
from sliceway.store import erasures
from sliceway.store.erasing import count_in
from sliceway.store.erasures import Target
from sliceway.store.policy import cursor_key
from sliceway.store.session import Session
from sliceway.wire.calls import EraseCall, EraseSliceCall, ErasureCall
from sliceway.wire.checks import checked
from sliceway.wire.models import to_person

MOST_AT_ONCE = 64 * 1024 * 1024
"""Bytes of a store's file that a call from elsewhere scrubs itself; a larger one is left to the keeper."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What an erasure would come to."""

    target: Target
    id: str
    counts: tuple[ErasedIn, ...]
    stays: tuple[Stays, ...]
    again: bool


class ErasingPart(ActorPart):
    """The part of the brain that forgets for good."""

    async def erase(self, *, slice: str, slug: str, request_id: str | None = None, dry_run: bool = False) -> Erasure:
        """See `Brain.erase`."""
        call = checked(EraseCall, slice=slice, slug=slug, request_id=request_id, dry_run=dry_run)
        name = self._named(call.slice, NO_ORIGIN)
        return await self._erased(lambda session: erasures.page_target(session, name, call.slug), call)

    async def erase_slice(self, *, slice: str, request_id: str | None = None, dry_run: bool = False) -> Erasure:
        """See `Brain.erase_slice`."""
        call = checked(EraseSliceCall, slice=slice, request_id=request_id, dry_run=dry_run)
        name = self._named(call.slice, NO_ORIGIN)
        return await self._erased(lambda _session: Target("slice", name), call)

    async def erase_person(
        self, *, person: PersonLike, request_id: str | None = None, dry_run: bool = False
    ) -> Erasure:  # fmt: skip
        """See `Brain.erase_person`."""
        call = checked(ErasureCall, request_id=request_id, dry_run=dry_run)
        who = to_person(person, "person")
        return await self._erased(lambda _session: Target("person", person=who.key), call)

    async def _erased(self, target_of: Callable[[Session], Target], call: ErasureCall) -> Erasure:
        await self._only(self._administers, "Only an admin or the operator erases.", op="erase")
        plan = await self._store.reading(lambda session: self._planned(session, target_of, call.request_id))
        if plan.target.mark is not None and not (plan.counts or plan.again):
            raise NotFound("There is no such page.")
        if call.dry_run:
            return Erasure(None, plan.target.what, False, plan.counts, plan.stays, dry_run=True)
        eraser = Eraser(
            self._store, clock=self._clock, new_id=self._new_id, enter=self._enter_erasing, author=self._actor()
        )
        is_operator = self._principal.kind is PrincipalKind.OPERATOR
        id, counts = None, plan.counts
        if plan.counts or plan.target.mark is None or call.request_id is not None:
            under = await eraser.begin(plan.id, plan.target)
            running = under.state == erasures.RUNNING
            id, counts = under.id, await eraser.carry_out(under, plan.target) if running else under.counts
        scrubbed = await eraser.scrub(most=None if is_operator else MOST_AT_ONCE)
        return Erasure(id, plan.target.what, scrubbed, counts, plan.stays)

    def _planned(self, session: Session, target_of: Callable[[Session], Target], request_id: str | None) -> _Plan:
        policy = self._policy(session)
        said = {"principal": self._principal.key, "request": request_id}
        id = f"er{keyed_digest(cursor_key(session), said)[:40]}" if request_id is not None else self._new_id()
        known = erasures.erasure_of(session, id)
        session.enter(erasing(self._principal, policy))
        target = target_of(session)
        found = [
            count_in(session, name, erasures.choose(session, target, name))
            for name in erasures.slices_of(session, target)
        ]
        stays = erasures.stays(session, target, names_minds=self._principal.kind is PrincipalKind.OPERATOR)
        return _Plan(
            target, id, tuple(each for each in found if each != ErasedIn(each.slice)), tuple(stays),
            again=known is not None or erasures.was_erased(session, target),
        )  # fmt: skip

    def _enter_erasing(self, session: Session, name: str | None) -> Access:
        return session.enter(erasing(self._principal, self._policy(session), name))
