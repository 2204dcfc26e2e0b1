"""Vectors in the background: whatever is in the queue is embedded, by one process at a time, between the writes."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial

from sliceway.core.access import embedding, recording
from sliceway.core.clock import to_text
from sliceway.core.pages import Author
from sliceway.core.passages import passages
from sliceway.core.slices import SYSTEM
from sliceway.core.traces import trace_of
from sliceway.errors import SlicewayError, Unavailable
from sliceway.ports.embedder import Embedder, Vector
from sliceway.ports.time import Clock, NewId
from sliceway.store import vectors
from sliceway.store.lease import lease_holder, take_lease
from sliceway.store.ledger import json_value
from sliceway.store.session import Session, Store
from sliceway.store.vectors import Place, Waiting
from sliceway.wire.codec import from_json

PERIOD_S = 0.5
"""Seconds between two looks at an empty queue; the look touches the index of the queue alone."""
_SLOWEST_S = 60.0
"""Seconds between two tries of a model that does not answer, at most."""
_LEASE = timedelta(seconds=60)
_NAME = "embedding"
_MODEL = "embedding model"
"""The lease that says by its holder which model is in use here: of two, each would undo what the other made."""
_CLAIM = timedelta(minutes=2)
_PAGES = 32
"""Pages in one round: so many are kept in one transaction, which others wait for."""
_PASSAGES = 64
"""Passages in one round, about; a page is never split between two."""
_AT_ONCE = 16
"""Passages that the model is given at once, of about one length: padding is most of the cost."""

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Round:
    """What one round did. `held`: this process had the lease, or there was nothing to do."""

    embedded: int = 0
    held: bool = True


def texts_of(page: Waiting) -> tuple[str, ...]:
    """Return what is embedded of a page: its passages, each after the name of the person who said it."""
    who = from_json(Author, json_value(page.author)).on_behalf_of
    spoken = f"{who.name}: " if who is not None and who.name else ""
    title = page.title if page.title != page.slug else ""
    return tuple(f"{spoken}{passage}" for passage in passages(title, page.content))


class EmbeddingWorker:
    """A task of the embedded gateway or of the brain's server; `brain embed` runs its rounds until none is left."""

    def __init__(self, store: Store, embedder: Embedder, *, clock: Clock, new_id: NewId, holder: str) -> None:
        """Work on a store as `holder`, a name that no other process has."""
        self._store = store
        self._embedder = embedder
        self._clock = clock
        self._new_id = new_id
        self._holder = holder
        self._after: Place | None = None
        self._pages = _PAGES
        self._until = ""
        self._claimed = ""
        self._settled = False  # the model may have changed since the last run

    async def run(self, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Load the model, and embed whatever comes into the queue, until cancelled. What fails is logged once and tried
        on, ever slower."""
        await sleep(PERIOD_S)  # whoever is done in less needs no model
        failed = 0
        while True:
            pause = PERIOD_S
            try:
                await self._embedder.load()
                begun = self._settled
                done = await self.run_once()
                if failed:
                    logger.info("The embedding model answers again.")
                failed = 0
                pause = 0 if done.embedded or begun is not self._settled else PERIOD_S
            except SlicewayError as error:
                if not failed:
                    logger.warning("Pages wait for their vectors (%s): %s", error.code, error.detail)
                failed += 1
            except Exception as error:  # noqa: BLE001 - one broken row must not end every later round
                logger.error("Pages could not be embedded; verify the store: %s", trace_of(error))
                failed += 1
            await sleep(min(PERIOD_S * 2 ** min(failed, 10), _SLOWEST_S) if failed else pause)

    async def run_once(self) -> Round:
        """Embed the next pages of the queue.

        Each slice's vectors are kept in a transaction of its own, held against the version they were made of: a page
        that was changed meanwhile stays in the queue, and a second worker does no harm. A page that the model refuses
        is passed by until the queue begins anew.

        :raises Unavailable: the model cannot be used now, or refuses; the next round goes on behind that page. Or a
            process that lives embeds with another model: then nothing is done.
        """
        if self._claimed <= to_text(self._clock() + _CLAIM / 2):
            await self._store.writing(self._claim)
        listed = await self._store.reading(self._next)
        others = [] if self._settled else await self._store.reading(self._others)
        if not listed and not others:
            self._settled = True
            return Round()
        if not await self._leads():
            return Round(held=False)
        for name in others:
            while await self._store.writing(partial(self._requeue, name)):
                pass
        self._settled = True
        try:
            found = await self._embedded(listed)
        except Unavailable:
            if self._pages == 1:
                self._after = listed[-1].place
            self._pages = 1  # find out whether it is one page that is refused
            raise
        self._pages, self._after = _PAGES, listed[-1].place if listed else None
        kept = 0
        for name in dict.fromkeys(page.slice for page in listed):
            own = [(page, made) for page, made in found if page.slice == name]
            kept += await self._store.writing(partial(self._keep, name, own))
        return Round(kept)

    async def pending(self) -> int:
        """Return how many pages of the store wait for vectors: those of slices that another model embedded, too.

        :raises StoreUnavailable: the store cannot be read.
        """
        return await self._store.reading(self._pending)

    async def other(self) -> str | None:
        """Return which other model a process that lives embeds with, None where there is none.

        :raises StoreUnavailable: the store cannot be read.
        """
        return await self._store.reading(self._other)

    async def _embedded(self, listed: Sequence[Waiting]) -> list[tuple[Waiting, list[Vector]]]:
        texts = [(at, text) for at, page in enumerate(listed) for text in texts_of(page)]
        order = sorted(range(len(texts)), key=lambda place: len(texts[place][1]))
        made: dict[int, Vector] = {}
        for start in range(0, len(order), _AT_ONCE):
            places = order[start : start + _AT_ONCE]
            vectors_made = await self._embedder.embed_pages([texts[place][1] for place in places])
            made |= dict(zip(places, vectors_made, strict=True))
        found: list[tuple[Waiting, list[Vector]]] = [(page, []) for page in listed]
        for place, (at, _) in enumerate(texts):
            found[at][1].append(made[place])
        return found

    def _next(self, session: Session) -> list[Waiting]:
        session.enter(embedding())
        listed = vectors.waiting(session, after=self._after, limit=self._pages)
        if not listed and self._after is not None:
            self._after = None
            listed = vectors.waiting(session, after=None, limit=self._pages)
        count = 0
        for at, page in enumerate(listed):
            count += len(texts_of(page))
            if count > _PASSAGES:
                return listed[: max(at, 1)]
        return listed

    async def _leads(self) -> bool:
        """Say whether this process may work, for half a lease at least; nothing is written while it may."""
        now = self._clock()
        if self._until > to_text(now + _LEASE / 2):
            return True
        return await self._store.writing(self._lease)

    def _lease(self, session: Session) -> bool:
        now = self._clock()
        session.enter(recording())
        session.land(SYSTEM)
        until = to_text(now + _LEASE)
        taken = take_lease(session, _NAME, self._holder, now=to_text(now), until=until)
        self._until = until if taken else ""
        return taken

    def _claim(self, session: Session) -> None:
        """Say that this model is in use here, while it is."""
        now = self._clock()
        if self._claimed <= to_text(now):
            self._settled = False  # others may have come and gone
        session.enter(recording())
        session.land(SYSTEM)
        until = to_text(now + _CLAIM)
        if not take_lease(session, _MODEL, self._embedder.key, now=to_text(now), until=until):
            self._claimed = ""
            held = lease_holder(session, _MODEL, now=to_text(now))
            raise Unavailable(
                f"Another process makes this store's vectors with the model {held}, and words alone answer here: give "
                "both the same SLICEWAY_EMBED__MODEL, or wait two minutes after that one ended."
            )
        self._claimed = until

    def _other(self, session: Session) -> str | None:
        session.enter(recording())
        held = lease_holder(session, _MODEL, now=to_text(self._clock()))
        return held if held != self._embedder.key else None

    def _others(self, session: Session) -> list[str]:
        session.enter(embedding())
        return vectors.of_other_models(session, self._embedder.key)

    def _requeue(self, name: str, session: Session) -> bool:
        session.enter(embedding(name))
        return vectors.requeue(session, name, self._embedder.key, self._new_id())

    def _keep(self, name: str, own: Sequence[tuple[Waiting, Sequence[Vector]]], session: Session) -> int:
        session.enter(embedding(name))
        return vectors.put(session, name, self._embedder.key, own, self._new_id())

    def _pending(self, session: Session) -> int:
        session.enter(embedding())
        return vectors.count_waiting(session, self._embedder.key)
