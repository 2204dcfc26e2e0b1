"""What the keeper erases: what was kept for its time, and what somebody asked for and could not finish (BR10, OO8)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sliceway.brain.eraser import Eraser
from sliceway.core.access import Access, keeping
from sliceway.core.clock import to_text
from sliceway.core.ledger import keyed_digest
from sliceway.core.policy import Policy
from sliceway.ports.outcomes import ErasedIn
from sliceway.ports.time import Clock, NewId
from sliceway.store import erasures
from sliceway.store.erasing import Chosen, erase_in
from sliceway.store.erasures import Target
from sliceway.store.ledger import slice_transaction
from sliceway.store.outdated import corners_of, outdated
from sliceway.store.policy import cursor_key, load_policy
from sliceway.store.session import Session, Store

_LOOKS_EVERY = timedelta(hours=1)
"""How often it is looked what was kept for its time: a scrub writes a whole file anew."""
_ROUNDS = 50
"""Parts of what is outdated that are erased at once; what is left then waits for the next look."""
_GIVES_UP = timedelta(seconds=30)
"""After this an erasure that runs is finished by the keeper: whoever began it may be gone."""
_SCRUBS_AGAIN = timedelta(minutes=1)
"""How long after a scrub that a reader held up the next one is tried."""


@dataclass(frozen=True, slots=True)
class Retention:
    """How long content is kept that can be brought back, or was never let in; and the corner of somebody who left."""

    deleted: timedelta
    leavers: timedelta


KEPT_FOR = Retention(timedelta(days=30), timedelta(days=30))


class Purging:
    """The part of the keeper that erases. Its work is one transaction a slice, each repeatable."""

    def __init__(
        self, store: Store, *, clock: Clock, new_id: NewId, retention: Retention, author: Mapping[str, Any]
    ) -> None:  # fmt: skip
        """Erase in `store` what was kept for longer than `retention` says."""
        self._store, self._clock, self._new_id = store, clock, new_id
        self._retention, self._author = retention, author
        self._look_at: datetime | None = None
        self._scrub_at: datetime | None = None
        self._eraser = Eraser(store, clock=clock, new_id=new_id, enter=_enter, author=author)

    def is_due(self, session: Session, policy: Policy) -> bool:
        """Say whether there is something to do."""
        now = self._clock()
        for under in erasures.open_erasures(session):
            if under.state == erasures.DONE and (self._scrub_at is None or now >= self._scrub_at):
                return True
            if under.state == erasures.RUNNING and under.begun_at <= to_text(now - _GIVES_UP):
                return True
        if self._look_at is not None and now < self._look_at:
            return False
        self._look_at = now + _LOOKS_EVERY
        due = bool(outdated(session, self._before(self._retention.deleted)) or self._left(session, policy))
        self._look_at = None if due else self._look_at
        return due

    async def run_once(self) -> int:
        """Finish what was begun, then erase what was kept for its time; return how many erasures that came to."""
        now = self._clock()
        begun = await self._store.reading(self._begun)
        for under in begun:
            await self._eraser.carry_out(under, under.target)
        if self._look_at is not None:
            return len(begun)
        self._look_at = now + _LOOKS_EVERY
        return len(begun) + await self._leavers() + await self._outdated()

    async def scrub(self) -> bool:
        """Take what was erased out of the store's files; say whether it is out."""
        scrubbed = await self._eraser.scrub()
        self._scrub_at = None if scrubbed else self._clock() + _SCRUBS_AGAIN
        return scrubbed

    def _begun(self, session: Session) -> tuple[erasures.Under, ...]:
        session.enter(keeping())
        old = to_text(self._clock() - _GIVES_UP)
        return tuple(
            under
            for under in erasures.open_erasures(session)
            if under.state == erasures.RUNNING and under.begun_at <= old
        )

    def _before(self, kept: timedelta) -> str:
        return to_text(self._clock() - kept)

    async def _outdated(self) -> int:
        """Erase pages that were deleted, and texts that came to nothing, too long ago: slice by slice, as one."""

        def look(session: Session) -> dict[str, Chosen]:
            session.enter(keeping())
            return outdated(session, self._before(self._retention.deleted))

        found = await self._store.reading(look)
        if not found:
            return 0
        under = await self._eraser.begin(self._new_id(), Target("purge"))
        counts: list[ErasedIn] = []
        for _ in range(_ROUNDS):
            counts += [await self._store.writing(partial(self._purge, under.id, name)) for name in found]
            found = await self._store.reading(look)
            if not found:
                break
        await self._eraser.through(under, tuple(each for each in counts if each != ErasedIn(each.slice)))
        return 1

    def _purge(self, id: str, name: str, session: Session) -> ErasedIn:
        """Erase what is still outdated in a slice: what was restored meanwhile is not."""
        session.enter(keeping(name))
        with slice_transaction(session, name, clock=self._clock, new_id=self._new_id) as tx:
            chosen = outdated(session, self._before(self._retention.deleted), only=name).get(name, Chosen())
            return erase_in(tx, chosen, about={"erasure": id, "what": "purge"}, author=self._author)

    async def _leavers(self) -> int:
        """Erase the corners of people who left too long ago and did not return (OO8)."""

        def look(session: Session) -> list[tuple[str, Target]]:
            policy = load_policy(session, to_text(self._clock()))
            session.enter(keeping())
            return self._left(session, policy)

        left = await self._store.reading(look)
        for id, target in left:
            await self._eraser.carry_out(await self._eraser.begin(id, target), target)
        return len(left)

    def _left(self, session: Session, policy: Policy) -> list[tuple[str, Target]]:
        """Return the corners of people who are gone for too long, and the id of the erasure of each: once for each time
        that somebody left."""
        before, key = self._before(self._retention.leavers), cursor_key(session)
        gone = {
            f"lv{keyed_digest(key, {'gone': list(who), 'at': at})[:40]}": who
            for who, at in sorted(policy.gone.items())
            if at <= before
        }
        known = erasures.ids_known(session, list(gone))
        found = []
        for id in gone.keys() - known:
            # The corner under their workspace comes last: once that is erased, nobody looks for the others.
            *others, own = corners_of(session, *gone[id])
            found += [(f"{id}.{at}", Target("leaver", person=corner)) for at, corner in enumerate(others)]
            found.append((id, Target("leaver", person=own)))
        return found


def _enter(session: Session, name: str | None) -> Access:
    return session.enter(keeping(name))
