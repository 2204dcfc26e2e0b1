"""Taking a record in: page by page as the importer's own, or whole and as it was into an empty store (BR3, GT9)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Callable, Sequence
from contextlib import aclosing, suppress
from functools import partial
from typing import Any

from sliceway.brain.actor import ActorPart
from sliceway.brain.ahead import Ahead
from sliceway.brain.intake import Load, Read, batches
from sliceway.core.access import importing, maintaining
from sliceway.core.ledger import Event
from sliceway.core.pages import Author, Imported
from sliceway.core.principals import NO_ORIGIN, PrincipalKind
from sliceway.core.slices import SYSTEM
from sliceway.errors import FieldError, InvalidRequest, NotPermitted, SliceForbidden, Unavailable
from sliceway.ports.outcomes import ImportReport
from sliceway.store.chain import BrokenChain
from sliceway.store.intake import Incoming, Taken, take_in
from sliceway.store.ledger import slice_transaction
from sliceway.store.record import record
from sliceway.store.restore import begins_or_goes_on, is_done, restore_events
from sliceway.store.session import Session
from sliceway.wire.calls import ImportCall
from sliceway.wire.checks import checked
from sliceway.wire.codec import to_json
from sliceway.wire.record_lines import ManifestLine, stream_of

IN_ONE = 500
"""Events in one transaction, at most."""
_IMPORT = "import"


class ImportPart(ActorPart):
    """The part of the brain that imports."""

    async def import_(
        self,
        lines: AsyncIterable[bytes],
        *,
        request_id: str | None = None,
        progress: Callable[[int], None] | None = None,
    ) -> ImportReport:
        """See `Brain.import_`."""
        call = checked(ImportCall, request_id=request_id)
        given = stream_of(lines)
        await self._act(self._may_import, op=_IMPORT, slice_name=SYSTEM, origin=NO_ORIGIN)
        load = Load(call.request_id)
        try:
            await self._take_all(load, given, progress)
        except BaseException:
            if load.imported and not load.restored:
                with suppress(Unavailable):  # then that is what the caller is told of already
                    await self._store.writing(lambda session: self._note(session, load, stopped=True))
            raise
        if load.restored:
            await self._store.writing(self._restored)
        elif load.imported:
            await self._store.writing(lambda session: self._note(session, load))
        return load.report()

    async def _take_all(
        self, load: Load, given: AsyncIterator[bytes], progress: Callable[[int], None] | None
    ) -> None:  # fmt: skip
        # A server starts no process for who asks it something; who holds the file has the machine.
        alone = self._principal.kind is not PrincipalKind.OPERATOR
        async with (
            Ahead(self._principal.agent_id, wanted=not alone) as ahead,
            aclosing(ahead.over(batches(given))) as told,
        ):
            async for batch, read_ahead in told:
                await self._take_batch(load, await asyncio.to_thread(load.read, batch, read_ahead))
                if progress is not None:
                    progress(load.lines)
        load.look_at_heads()

    async def _take_batch(self, load: Load, read: Read) -> None:
        if read.manifest is not None:
            load.restored = await self._restores(read.manifest)
        if load.restored:
            await self._restore(load, read)
        else:
            await self._take(load, read)
        load.stop_where_broken(read)

    def _may_import(self, _session: Session) -> None:
        if not self._administers:
            raise NotPermitted("Only an admin or the operator may import.")

    async def _restores(self, manifest: ManifestLine) -> bool:
        """Say whether this is a whole record that is put back as it was: by who holds the file, into an empty store."""
        if self._principal.kind is not PrincipalKind.OPERATOR or not manifest.complete or manifest.keys is None:
            return False
        which = f"{manifest.exported_at} {manifest.head.get(SYSTEM, '')}"

        def work(session: Session) -> bool:
            session.enter(maintaining(self._principal, SYSTEM))
            return begins_or_goes_on(session, which)

        return await self._store.writing(work)

    def _restored(self, session: Session) -> None:
        session.enter(maintaining(self._principal, SYSTEM))
        is_done(session)

    async def _restore(self, load: Load, read: Read) -> None:
        for slice_name, told in load.events_of(read).items():
            for at in range(0, len(told), IN_ONE):
                part, key = told[at : at + IN_ONE], load.key_of(slice_name)
                try:
                    new = await self._store.writing(partial(self._put_back, slice_name=slice_name, told=part, key=key))
                except BrokenChain as broken:
                    raise InvalidRequest(errors=[FieldError(slice_name, "broken_record", broken.what)]) from None
                load.imported += new
                load.skipped += len(part) - new

    def _put_back(self, session: Session, *, slice_name: str, told: Sequence[Event], key: bytes) -> int:
        session.enter(maintaining(self._principal, slice_name))
        return restore_events(session, slice_name, told, key)

    async def _take(self, load: Load, read: Read) -> None:
        for slice_name, lines in load.incoming(read, self._signed).items():
            for at in range(0, len(lines), IN_ONE):
                part = lines[at : at + IN_ONE]
                taken = await self._store.writing(partial(self._taken, slice_name=slice_name, lines=part))
                load.count(taken)

    def _signed(self, imported_from: Imported | None) -> dict[str, Any]:
        """Return who imports, as the author of what is taken in (BR3)."""
        author = Author(self._principal.agent_id, self._principal.token_id, None, _IMPORT, None, imported_from)
        return {**self._actor(), **to_json(author)}

    def _note(self, session: Session, load: Load, *, stopped: bool = False) -> None:
        """Record that somebody imported, and how far it came where it did not end (OP1)."""
        with self._system(session) as tx:
            counts = {"imported": load.imported, "skipped": load.skipped, "refused": load.refused}
            if stopped:
                counts["stopped_at"] = load.lines
            record(tx, "ledger.imported", about={**counts, "request": load.request_id}, author=self._actor())

    def _taken(self, session: Session, *, slice_name: str, lines: Sequence[Incoming]) -> Taken:
        access = session.enter(importing(self._principal, slice_name, self._policy(session)))
        if slice_name not in access.landings:
            refusal = SliceForbidden(
                "An admin imports into shared, public and kb-… alone; who holds the store imports into all the others."
                if self._principal.kind is PrincipalKind.ADMIN
                else "Nothing is imported into that slice."
            )
            return Taken(refused=[(line.line, refusal) for line in lines])
        with slice_transaction(session, slice_name, clock=self._clock, new_id=self._new_id) as tx:
            return take_in(tx, lines, principal=self._principal.key)
