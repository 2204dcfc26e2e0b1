"""The desk in a file or a schema of its own: inbox, what is owed, locks, leases and cursors of one agent's gateways."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, union_all, update

from sliceway.core.clock import to_text
from sliceway.core.ids import DEFAULT_AGENT
from sliceway.core.turn_codec import lock_from_json
from sliceway.core.turns import Lock, Person, Place, PlaceKind
from sliceway.ports import Clock, DeadLetter, Desk, InboxItem, Owed
from sliceway.ports.desk import OWED_KEPT
from sliceway.store.desk_queues import Queue
from sliceway.store.desk_tables import cursors, inbox, leases, locks, owed, turns
from sliceway.store.engine import Database
from sliceway.store.engine_sqlite import SqliteDatabase
from sliceway.store.migrate import migrate
from sliceway.store.opening import is_postgres, need_driver

SCRIPTS = "sliceway.store:desk_migrations"
"""Where the steps of the desk's schema are."""

_INBOX = Queue(inbox, inbox.c.queue, timedelta(hours=48))
_OWED = Queue(owed, owed.c.lane, OWED_KEPT)
_DYING = (inbox, owed)
_TURNS_KEPT = timedelta(days=30)
_SWEEP_PERIOD = timedelta(minutes=10)
_MAX_ERROR = 300


class DatabaseDesk(Desk):
    """A desk in a database, with nothing beside it. Each call is one transaction and one hop to a worker thread, and
    no two that write it run at once, in whichever process."""

    def __init__(self, database: Database, clock: Clock) -> None:
        """Take an open and migrated database; `open_desk` makes one."""
        self._write, self._read, self._close = database.writing, database.reading, database.close
        self._scrub = database.scrubbing
        self._clock = clock
        self._sweep_at = clock() + _SWEEP_PERIOD

    async def put_event(self, *, key: str, queue: str, kind: str, payload: Mapping[str, Any]) -> bool:
        swept = self._clock() >= self._sweep_at

        def work(connection: Connection) -> bool:
            now = self._clock()
            if swept:
                self._sweep_at = now + _SWEEP_PERIOD
                _INBOX.sweep(connection, now)
                _OWED.sweep(connection, now)
                connection.execute(delete(turns).where(turns.c.at <= to_text(now - _TURNS_KEPT)))
                connection.execute(delete(leases).where(leases.c.until <= to_text(now - _SWEEP_PERIOD)))
            return _INBOX.put(connection, now, key, payload, queue=queue, kind=kind, received_at=to_text(now))

        is_new = await self._write(work)
        if swept:  # what was done since the last time is in no row; now the file does not hold it either (BR10)
            await self._scrub(since=to_text(self._clock()))
        return is_new

    async def take_turn(self, *, holder: str, lease_s: float, kinds: tuple[str, ...] = ()) -> InboxItem | None:
        row = await self._write(lambda c: _INBOX.take(c, self._clock(), holder, lease_s, kinds))
        if row is None:
            return None
        about = (row["key"], row["queue"], row["kind"], row["payload"], row["received_at"])
        return InboxItem(*about, row["attempts"], row["error"] or "")

    async def finish(self, key: str) -> None:
        await self._write(lambda c: _INBOX.end(c, self._clock(), key))

    async def fail(self, key: str, error: str, *, dead_after: int = 3, retry_s: float = 0.0) -> bool:
        def work(connection: Connection) -> bool:
            now = self._clock()
            attempts = _INBOX.release(connection, now, key, retry_s, error=error[:_MAX_ERROR])
            if attempts >= dead_after:
                _INBOX.end(connection, now, key, "dead")
            return attempts >= dead_after

        return await self._write(work)

    async def delay(self, key: str, error: str, *, retry_s: float) -> None:
        said = error[:_MAX_ERROR]
        await self._write(lambda c: _INBOX.release(c, self._clock(), key, retry_s, counts=False, error=said))

    async def renew(self, item: InboxItem | Owed, *, holder: str, lease_s: float) -> bool:
        queue = _INBOX if isinstance(item, InboxItem) else _OWED
        return await self._write(lambda c: queue.renew(c, self._clock(), item.key, holder, lease_s))

    async def dead_letters(self) -> tuple[DeadLetter, ...]:
        both = union_all(
            *(select(one.c.key, one.c.kind, one.c.error, one.c.ended_at).where(one.c.state == "dead") for one in _DYING)
        ).subquery()
        newest = select(both).order_by(both.c.ended_at.desc(), both.c.key.desc())
        rows = await self._read(lambda c: c.execute(newest).all())
        return tuple(DeadLetter(row.key, row.kind, row.error or "", row.ended_at) for row in rows)

    async def inbox_depth(self) -> int:
        count = select(func.count()).where(inbox.c.state.in_(("waiting", "taken")))
        return await self._read(lambda c: int(c.execute(count).scalar_one()))

    async def queue_depth(self, queue: str) -> int:
        waits = select(func.count()).where(inbox.c.queue == queue, inbox.c.state.in_(("waiting", "taken")))
        return await self._read(lambda c: int(c.execute(waits).scalar_one()))

    async def note_turn(self, place: Place, who: Person, turn: str) -> None:
        def work(connection: Connection) -> None:
            now = self._clock()
            if connection.execute(select(turns.c.seq).where(turns.c.turn == turn)).first() is None:
                row = {"thread": _thread(place), "person": _person(who), "turn": turn, "at": to_text(now)}
                connection.execute(insert(turns).values(row))

        await self._write(work)

    async def turns_in(self, place: Place, who: Person, *, limit: int = 10) -> tuple[str, ...]:
        mine = select(turns.c.turn).where(turns.c.thread == _thread(place), turns.c.person == _person(who))
        newest = mine.order_by(turns.c.seq.desc()).limit(limit)
        return tuple(await self._read(lambda c: c.execute(newest).scalars().all()))

    async def owe(self, *, key: str, kind: str, payload: Mapping[str, Any], lane: str | None = None) -> bool:
        now = self._clock()
        return await self._write(lambda c: _OWED.put(c, now, key, payload, lane=lane or key, kind=kind))

    async def take_owed(self, *, holder: str, lease_s: float, kinds: tuple[str, ...] = ()) -> Owed | None:
        row = await self._write(lambda c: _OWED.take(c, self._clock(), holder, lease_s, kinds))
        if row is None:
            return None
        return Owed(row["key"], row["kind"], row["payload"], row["due_at"], row["attempts"])

    async def owed_depth(self) -> int:
        return await self._read(lambda c: _OWED.depth(c, self._clock()))

    async def give_up(self, key: str, error: str) -> None:
        def work(connection: Connection) -> None:
            now = self._clock()
            _OWED.release(connection, now, key, 0.0, error=error[:_MAX_ERROR])
            _OWED.end(connection, now, key, "dead")

        await self._write(work)

    async def settle(self, key: str) -> None:
        await self._write(lambda c: _OWED.end(c, self._clock(), key))

    async def postpone(self, key: str, *, seconds: float, tried: bool = True) -> None:
        await self._write(lambda c: _OWED.release(c, self._clock(), key, seconds, counts=tried))

    async def lock(self, lock: Lock) -> Lock:
        def work(connection: Connection) -> Lock:
            if (standing := self._live(connection, lock.place)) is not None:
                return standing
            connection.execute(delete(locks).where(_at(lock.place)))
            group, user = lock.owner.key
            where = {"team": lock.place.team, "channel": lock.place.channel, "thread": lock.place.thread or ""}
            times = {"since": lock.since, "idle_until": lock.idle_until}
            row = {**where, **times, "owner_group": group, "owner_user": user, "lock": json.dumps(asdict(lock))}
            connection.execute(insert(locks).values(row))
            return lock

        return await self._write(work)

    async def lock_at(self, place: Place) -> Lock | None:
        return await self._read(lambda c: self._live(c, place))

    def _live(self, connection: Connection, place: Place) -> Lock | None:
        """Return the lock of a thread that is not idle for too long."""
        live = select(locks).where(_at(place), locks.c.idle_until > to_text(self._clock()))
        row = connection.execute(live).first()
        return _lock(row.lock, row.idle_until) if row is not None else None

    async def lapsed_at(self, place: Place) -> Lock | None:
        idle = select(locks).where(_at(place), locks.c.idle_until <= to_text(self._clock()))
        row = await self._read(lambda c: c.execute(idle).first())
        return _lock(row.lock, row.idle_until) if row is not None else None

    async def touch(self, place: Place, *, idle_until: str) -> None:
        live = update(locks).where(_at(place), locks.c.idle_until > to_text(self._clock()))
        await self._write(lambda c: c.execute(live.values(idle_until=idle_until)))

    async def unlock(self, place: Place) -> Lock | None:
        def work(connection: Connection) -> Lock | None:
            standing = self._live(connection, place)
            connection.execute(delete(locks).where(_at(place)))
            return standing

        return await self._write(work)

    async def locks(self, owner: Person | None = None) -> tuple[Lock, ...]:
        live = select(locks).where(locks.c.idle_until > to_text(self._clock())).order_by(locks.c.since)
        if owner is not None:
            group, user = owner.key
            live = live.where(locks.c.owner_group == group, locks.c.owner_user == user)
        rows = await self._read(lambda c: c.execute(live).all())
        return tuple(_lock(row.lock, row.idle_until) for row in rows)

    async def lease(self, name: str, *, holder: str, lease_s: float) -> bool:
        def work(connection: Connection) -> bool:
            now = self._clock()
            standing = connection.execute(select(leases).where(leases.c.name == name)).first()
            if standing is not None and standing.holder != holder and standing.until > to_text(now):
                return False
            connection.execute(delete(leases).where(leases.c.name == name))
            until = to_text(now + timedelta(seconds=lease_s))
            connection.execute(insert(leases).values(name=name, holder=holder, until=until))
            return True

        return await self._write(work)

    async def is_held(self, name: str) -> bool:
        live = select(leases.c.holder).where(leases.c.name == name, leases.c.until > to_text(self._clock()))
        return await self._read(lambda c: c.execute(live).first() is not None)

    async def cursor(self, name: str) -> str | None:
        return await self._read(lambda c: c.execute(select(cursors.c.value).where(cursors.c.name == name)).scalar())

    async def move_cursor(self, name: str, value: str) -> None:
        def work(connection: Connection) -> None:
            moved = connection.execute(update(cursors).where(cursors.c.name == name).values(value=value))
            if moved.rowcount == 0:
                connection.execute(insert(cursors).values(name=name, value=value))

        await self._write(work)

    async def close(self) -> None:
        await self._close()


async def open_desk(
    url: str,
    *,
    clock: Clock,
    agent: str = DEFAULT_AGENT,
    sync: str = "full",
    pool_size: int = 4,
    statement_timeout: float = 30.0,
) -> DatabaseDesk:
    """Open the desk in the file of `sqlite:///FILE`, or the agent's in the database of `postgresql://…`, made and
    brought to this program's schema where needed.

    :param agent: whose desk it is: on PostgreSQL each has a schema of its own. A file is one agent's.
    :param sync: `full` or `normal`.
    :param pool_size: connections that this process keeps to PostgreSQL.
    :param statement_timeout: seconds that a statement of PostgreSQL's, or the wait for another process, may take.
    :raises StoreUnavailable: it cannot be used; nothing in it was changed.
    """

    def opened() -> Database:
        if not is_postgres(url):
            database: Database = SqliteDatabase(url, sync=sync)
            migrate(database, SCRIPTS)
            return database
        need_driver()
        from sliceway.store.desk_postgres import DeskDatabase  # of the extra `postgres`

        desk = DeskDatabase(url, agent, sync=sync, pool_size=pool_size, statement_timeout=statement_timeout)
        try:
            desk.prepare(SCRIPTS)
        except BaseException:
            desk.let_go()
            raise
        return desk

    return DatabaseDesk(await asyncio.to_thread(opened), clock)


async def look_at_desk(url: str, *, clock: Clock, agent: str = DEFAULT_AGENT) -> DatabaseDesk:
    """Open a desk that is there and of this program's schema to look at it: nothing can be changed.

    :raises StoreUnavailable: it cannot be read.
    """

    def opened() -> Database:
        if not is_postgres(url):
            return SqliteDatabase(url, looks_only=True)
        need_driver()
        from sliceway.store.desk_postgres import DeskDatabase  # of the extra `postgres`

        return DeskDatabase(url, agent, pool_size=2, looks_only=True)

    return DatabaseDesk(await asyncio.to_thread(opened), clock)


def _at(place: Place) -> ColumnElement[bool]:
    """Return the condition that finds the lock of a thread."""
    return and_(locks.c.team == place.team, locks.c.channel == place.channel, locks.c.thread == (place.thread or ""))


def _thread(place: Place) -> str:
    """Return what a thread's turns are kept by; a direct message is one conversation."""
    thread = "" if place.kind is PlaceKind.IM else place.thread or ""
    return f"{place.team}/{place.channel}/{thread}"


def _person(who: Person) -> str:
    """Return what a person's turns are kept by."""
    return "/".join(who.key)


def _lock(text: str, idle_until: str) -> Lock:
    """Return the lock that was kept as JSON."""
    return replace(lock_from_json(json.loads(text)), idle_until=idle_until)
