"""Carrying out an erasure: one transaction a slice, each of them repeatable, and what every crash leaves is known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from sliceway.core.access import Access, recording
from sliceway.core.slices import SYSTEM
from sliceway.ports.outcomes import ErasedIn
from sliceway.ports.time import Clock, NewId
from sliceway.store import erasures
from sliceway.store.erasing import erase_in
from sliceway.store.erasures import Target, Under
from sliceway.store.ledger import slice_transaction
from sliceway.store.session import Session, Store

Enter = Callable[[Session, str | None], Access]
"""Enters the access by which content is erased in a slice; None looks for it in all of them."""


class Eraser:
    """What the call and the keeper do alike: one finishes what the other began."""

    def __init__(
        self, store: Store, *, clock: Clock, new_id: NewId, enter: Enter, author: Mapping[str, Any]
    ) -> None:  # fmt: skip
        """Erase in `store`, recorded as the work of `author`."""
        self._store, self._clock, self._new_id = store, clock, new_id
        self._enter, self._author = enter, author

    async def begin(self, id: str, target: Target) -> Under:
        """Write down what is to be erased, so that it is finished whatever happens.

        :raises IdempotencyConflict: the id was used for another erasure.
        """

        def work(session: Session) -> Under:
            session.enter(recording())
            with slice_transaction(session, SYSTEM, clock=self._clock, new_id=self._new_id) as tx:
                return erasures.begin(tx, id, target, author=self._author)

        return await self._store.writing(work)

    async def carry_out(self, under: Under, target: Target) -> tuple[ErasedIn, ...]:
        """Erase slice by slice, and write down that it is done. What was erased already is no work again.

        :param target: that of `under`, with all that is known of it.
        """

        def where(session: Session) -> tuple[str, ...]:
            self._enter(session, None)
            return erasures.slices_of(session, target)

        names = await self._store.reading(where)
        told = [
            await self._store.writing(partial(self._erase, under=under, target=target, name=name)) for name in names
        ]
        counts = tuple(each for each in told if each != ErasedIn(each.slice))
        await self.through(under, counts)
        return counts

    async def through(self, under: Under, counts: tuple[ErasedIn, ...]) -> None:
        """Write down that no call returns it any more."""
        await self._store.writing(lambda session: self._move(session, (under,), erasures.DONE, counts))

    def _erase(self, session: Session, *, under: Under, target: Target, name: str) -> ErasedIn:
        self._enter(session, name)
        with slice_transaction(session, name, clock=self._clock, new_id=self._new_id) as tx:
            chosen = erasures.choose(session, target, name)
            about = {"erasure": under.id, "what": target.what}
            return erase_in(tx, chosen, about=about, author=self._author)

    def _move(
        self, session: Session, unders: tuple[Under, ...], state: str, counts: tuple[ErasedIn, ...] = ()
    ) -> None:  # fmt: skip
        session.enter(recording())
        with slice_transaction(session, SYSTEM, clock=self._clock, new_id=self._new_id) as tx:
            for under in unders:
                known = erasures.erasure_of(session, under.id)
                if known is not None and known.state == under.state:
                    erasures.move(tx, under, state, counts=counts, author=self._author)

    async def scrub(self, *, most: int | None = None) -> bool:
        """Take what was erased out of the store's files, where nothing holds that up; say whether it is out.

        :param most: bytes of a file that is small enough to be done at once; None for any.
        """

        def waiting(session: Session) -> tuple[Under, ...]:
            session.enter(recording())
            return erasures.open_erasures(session)

        listed = await self._store.reading(waiting)
        done = tuple(under for under in listed if under.state == erasures.DONE)
        if done and not await self._store.scrubbing(since=max(each.done_at or "" for each in done), most=most):
            return False
        if done:
            await self._store.writing(lambda session: self._move(session, done, erasures.SCRUBBED))
        return len(done) == len(listed)
