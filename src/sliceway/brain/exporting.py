"""Giving the record out: one moment of it, as far as the caller may read (BR2, BR11)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

from sliceway.brain.actor import ActorPart
from sliceway.core.access import EVERY, exporting
from sliceway.core.principals import Origin, PrincipalKind
from sliceway.core.slices import is_open
from sliceway.ports.brain import OriginLike
from sliceway.ports.outcomes import ExportedEvent, ExportLine, Manifest
from sliceway.store.exports import Stretch, part_of, stretches
from sliceway.store.session import Session
from sliceway.wire.calls import ExportCall
from sliceway.wire.checks import checked, listed


class ExportPart(ActorPart):
    """The part of the brain that exports."""

    async def export(
        self,
        *,
        slices: Sequence[str] | None = None,
        origin: OriginLike = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> AsyncIterator[ExportLine]:
        """See `Brain.export`."""
        call = checked(ExportCall, slices=listed(slices))
        said = await self._origin_for("read", origin)

        def begin(session: Session) -> tuple[Stretch, ...]:
            names = self._enter_exporting(session, said, call.slices)
            return stretches(session, None if names == (EVERY,) else names)

        now = self._now()
        told = await self._store.reading(begin)
        complete = self._principal.kind is PrincipalKind.OPERATOR and call.slices is None
        yield Manifest(
            1, {one.slice: one.head for one in told if self._sees_whole(one.slice)}, now, complete,
            {one.slice: one.key.hex() for one in told} if complete else None,
        )  # fmt: skip
        done, total = 0, sum(one.upto for one in told)
        for stretch in told:
            after: int | None = 0
            while after is not None:
                part, after = await self._part_of(stretch, after, said, call.slices)
                for line in part:
                    yield line
                done += len(part)
                if progress is not None and part:
                    progress(done, total)

    async def _part_of(
        self, stretch: Stretch, after: int, origin: Origin, slices: Sequence[str] | None
    ) -> tuple[Sequence[ExportedEvent], int | None]:
        """Return the next part, as the caller may read it by now: what may not be read any more ends."""

        def work(session: Session) -> tuple[Sequence[ExportedEvent], int | None]:
            self._enter_exporting(session, origin, slices)
            if not session.within((stretch.slice,)):
                return (), None
            return part_of(session, stretch, after, whole=self._sees_whole(stretch.slice))

        return await self._store.reading(work)

    def _enter_exporting(self, session: Session, origin: Origin, slices: Sequence[str] | None) -> tuple[str, ...]:
        access = exporting(self._principal, origin, self._policy(session))
        return self._enter_only(session, access, origin, slices)

    def _sees_whole(self, slice_name: str) -> bool:
        """Say whether the caller may know of every event of a slice that it reads, proposals included (AP26)."""
        who = self._principal
        if who.kind is PrincipalKind.OPERATOR or slice_name == who.own_slice:
            return True
        return who.kind is PrincipalKind.ADMIN and is_open(slice_name)
