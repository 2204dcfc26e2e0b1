"""The keeper: what time and crashes leave to be done, done by one process at a time (AP14, AP17, AP23, BR6)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial

from sliceway.brain.following import Follower
from sliceway.brain.purging import KEPT_FOR, Purging, Retention
from sliceway.core.access import keeping, recording
from sliceway.core.clock import to_text
from sliceway.core.grants import Grant, why_ended
from sliceway.core.proposals import Act, State
from sliceway.core.slices import SYSTEM
from sliceway.core.traces import trace_of
from sliceway.errors import SlicewayError
from sliceway.ports.brain import KEEPER_PERIOD
from sliceway.ports.time import Clock, NewId
from sliceway.store import grants, proposals
from sliceway.store.engine import Database
from sliceway.store.inbox import overdue, unfinished_sends
from sliceway.store.lease import take_lease
from sliceway.store.ledger import slice_transaction
from sliceway.store.policy import load_policy
from sliceway.store.requests import forget_answers, with_old_answers
from sliceway.store.sends import finish_send
from sliceway.store.session import Session, Store

_LEASE = timedelta(seconds=10)
_KEEPER = {"agent": None, "token_id": None, "surface": "keeper"}

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kept:
    """What one round did. `held`: this process had the lease, or there was nothing to do."""

    held: bool = True
    expired: int = 0
    sent: int = 0
    ended: int = 0
    forgotten: int = 0
    erased: int = 0
    scrubbed: bool = False
    followed: int = 0


@dataclass(frozen=True, slots=True)
class _Due:
    """What waits for the keeper."""

    expired: tuple[tuple[str, str], ...]
    sends: tuple[tuple[str, str, str], ...]
    grants: tuple[tuple[Grant, str], ...]
    answers: tuple[str, ...]
    erasing: bool

    @property
    def nothing(self) -> bool:
        return not (self.expired or self.sends or self.grants or self.answers or self.erasing)


class Keeper:
    """A task of the embedded gateway or of the brain's server, never of a command."""

    def __init__(
        self, database: Database, *, clock: Clock, new_id: NewId, holder: str, retention: Retention = KEPT_FOR
    ) -> None:  # fmt: skip
        """Work on `database` as `holder`, a name that no other process has.

        :param retention: for how long content is kept that nobody reads any more.
        """
        self._store = Store(database)
        self._purging = Purging(self._store, clock=clock, new_id=new_id, retention=retention, author=_KEEPER)
        self._clock = clock
        self._new_id = new_id
        self._holder = holder
        self._follower = Follower(self._store, clock=clock, new_id=new_id)

    async def run(self, *, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Do a round every two seconds, until cancelled. A round that fails is logged, and the next one tries again."""
        while True:
            try:
                await self.run_once()
            except SlicewayError as error:
                logger.warning("The keeper could not do its round (%s): %s", error.code, error.detail)
            except Exception as error:  # noqa: BLE001 - one broken row must not end every later round
                logger.error("The keeper could not do its round; verify the store: %s", trace_of(error))
            await sleep(KEEPER_PERIOD.total_seconds())

    async def run_once(self) -> Kept:
        """Write what is past its time, finish what a crash left half sent, end the grants that no longer hold, forget
        answers to retries that are a week old, take in what changed in mounted folders, and erase what was kept for its
        time (BR10, OO8).

        A round that finds nothing writes nothing, the lease included. Each row is its own transaction of one slice,
        and each is compared before it is set: a second keeper, or a click meanwhile, does no harm.
        """
        kept = await self._passed()
        followed = await self._follower.follow_all(partial(self._store.writing, self._lease))
        return replace(kept, followed=followed)

    async def _passed(self) -> Kept:
        """Do what time alone brings."""
        due = await self._store.reading(self._due)
        if due.nothing:
            return Kept()
        if not await self._store.writing(self._lease):
            return Kept(held=False)
        expired = [await self._store.writing(partial(self._expire, name, id)) for name, id in due.expired]
        sent = [await self._store.writing(partial(self._finish, *send)) for send in due.sends]
        ended = [await self._store.writing(partial(self._end, grant, why)) for grant, why in due.grants]
        forgotten = [await self._store.writing(partial(self._forget, name)) for name in due.answers]
        erased = await self._purging.run_once() if due.erasing else 0
        scrubbed = await self._purging.scrub() if due.erasing else False
        return Kept(
            expired=sum(expired), sent=sum(sent), ended=sum(ended), forgotten=sum(forgotten), erased=erased,
            scrubbed=scrubbed,
        )  # fmt: skip

    def _due(self, session: Session) -> _Due:
        now = to_text(self._clock())
        policy = load_policy(session, now)
        session.enter(keeping())
        judged = ((grant, why_ended(grant, policy, now)) for grant in grants.open_grants(session, None))
        return _Due(
            expired=tuple(overdue(session, now)),
            sends=tuple((row["slice"], row["id"], row["destination"]) for row in unfinished_sends(session)),
            grants=tuple((grant, why) for grant, why in judged if why is not None),
            answers=with_old_answers(session, now),
            erasing=self._purging.is_due(session, policy),
        )

    def _lease(self, session: Session) -> bool:
        now = self._clock()
        session.enter(recording())
        session.land(SYSTEM)
        return take_lease(session, "keeper", self._holder, now=to_text(now), until=to_text(now + _LEASE))

    def _expire(self, slice_name: str, id: str, session: Session) -> bool:
        session.enter(keeping(slice_name))
        with slice_transaction(session, slice_name, clock=self._clock, new_id=self._new_id) as tx:
            row = proposals.row_or_none(session, slice_name, id)
            waits = row is not None and row["state"] in proposals.WAITING and not proposals.is_sent(row)
            if row is None or not waits or proposals.state_of(row, tx.now) is not State.EXPIRED:
                return False
            proposals.move(tx, row, Act.EXPIRE, author=_KEEPER)
            return True

    def _finish(self, slice_name: str, id: str, destination: str, session: Session) -> bool:
        policy = load_policy(session, to_text(self._clock()))
        session.enter(keeping(destination))
        row = proposals.row_or_none(session, slice_name, id)
        if row is None or not proposals.is_sent(row):
            return False
        finish_send(session, row, policy, clock=self._clock, new_id=self._new_id)
        return True

    def _forget(self, slice_name: str, session: Session) -> int:
        session.enter(keeping(slice_name))
        session.land(slice_name)
        return forget_answers(session, slice_name, to_text(self._clock()))

    def _end(self, grant: Grant, why: str, session: Session) -> bool:
        session.enter(keeping(grant.slice))
        with slice_transaction(session, grant.slice, clock=self._clock, new_id=self._new_id) as tx:
            return grants.end(tx, grant, why, author=_KEEPER).ended_at == tx.now
