"""The record held against itself, and what a turn already did."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from sliceway.brain.actor import ActorPart
from sliceway.core.access import maintaining, recollecting
from sliceway.core.pages import Receipt
from sliceway.core.principals import PrincipalKind
from sliceway.core.slices import PUBLIC, SHARED
from sliceway.ports.brain import OriginLike
from sliceway.ports.outcomes import Done, RebuildReport, VerifyFault, VerifyReport
from sliceway.store import requests, verify
from sliceway.store.chain import BrokenChain, events_counted, slices_with_rows
from sliceway.store.rebuild import rebuild_slice
from sliceway.store.session import Session
from sliceway.wire.calls import TurnCall, VerifyCall
from sliceway.wire.checks import checked, plain
from sliceway.wire.codec import from_json


class RecordPart(ActorPart):
    """The part of the brain that verifies its ledger and tells a turn what it already did."""

    async def verify(
        self, *, since: Mapping[str, str] | None = None, progress: Callable[[int, int], None] | None = None
    ) -> VerifyReport:
        """See `Brain.verify`."""
        call = checked(VerifyCall, since=plain(since))
        await self._only_for_administration("verify the record")

        def work(session: Session) -> VerifyReport:
            session.enter(maintaining(self._principal))
            return verify.verify(session, since=call.since, progress=progress)

        return await self._store.reading(work)

    async def rebuild(self, *, progress: Callable[[int, int], None] | None = None) -> RebuildReport:
        """See `Brain.rebuild`."""
        is_operator = self._principal.kind is PrincipalKind.OPERATOR
        await self._only(
            is_operator, "Only the operator rebuilds: run `sliceway ledger rebuild` where the store is.", op="record"
        )

        def look(session: Session) -> tuple[list[str], int]:
            session.enter(maintaining(self._principal))
            return sorted(slices_with_rows(session)), events_counted(session)

        names, total = await self._store.reading(look)
        done, faults = 0, []
        for name in names:
            told = partial(_told, progress, done, total)
            try:
                done += await self._store.writing(partial(self._rebuilt, name=name, seen=told))
            except BrokenChain as broken:
                faults.append(VerifyFault(name, broken.seq, broken.event_id, broken.what))
        return RebuildReport(not faults, done, len(names) - len(faults), tuple(faults))

    def _rebuilt(self, session: Session, *, name: str, seen: Callable[[int], None]) -> int:
        session.enter(maintaining(self._principal, name))
        return rebuild_slice(session, name, seen)

    async def head(self) -> dict[str, str]:
        """See `Brain.head`."""
        await self._only_for_administration("see the heads of the record")

        def work(session: Session) -> dict[str, str]:
            session.enter(maintaining(self._principal))
            return verify.heads(session)

        return await self._store.reading(work)

    async def done_in(self, *, turn: str, origin: OriginLike = None) -> Done:
        """See `Brain.done_in`."""
        call = checked(TurnCall, turn=turn)
        said = await self._origin_for("turns", origin)

        def work(session: Session) -> Done:
            agent, own = self._principal.agent_id, self._principal.own_slice
            if agent is None or own is None:
                return Done((), ())
            who = session.enter(recollecting(self._principal, said, self._policy(session))).sight.person
            seen = [own, SHARED, PUBLIC, *([who.slice] if who is not None else [])]
            receipts: list[Receipt] = []
            for answer in requests.answers_in(session, session.within(seen), agent=agent, turn=call.turn):
                if isinstance(answer, list):
                    receipts.extend(from_json(Receipt, receipt) for receipt in answer)
            return Done(tuple(receipts), self._asked_in(session, call.turn))

        return await self._store.reading(work)

    async def _only_for_administration(self, what: str) -> None:
        await self._only(self._administers, f"Only an admin or the operator may {what}.", op="record")


def _told(progress: Callable[[int, int], None] | None, before: int, total: int, seq: int) -> None:
    """Tell of progress: `seq` events of this slice, and those of the slices before."""
    if progress is not None:
        progress(before + seq, total)
