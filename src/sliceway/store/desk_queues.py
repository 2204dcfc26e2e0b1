"""Items that are taken one after another within their group: the one mechanism under the inbox and what is owed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Column, Connection, Table, and_, delete, exists, insert, or_, select, update

from sliceway.core.clock import to_text


@dataclass(frozen=True, slots=True)
class Queue:
    """A table of items, the column that groups them, and for how long a finished key is still known."""

    table: Table
    group: Column[Any]
    keep: timedelta

    def put(self, connection: Connection, now: datetime, key: str, payload: Mapping[str, Any], **values: Any) -> bool:
        """Add an item; False when its key is known."""
        table = self.table
        self._forget(connection, now, key)
        if connection.execute(select(table.c.seq).where(table.c.key == key)).first() is not None:
            return False
        connection.execute(
            insert(table).values(
                key=key,
                payload=json.dumps(payload, ensure_ascii=False, separators=(",", ":")),
                state="waiting",
                attempts=0,
                due_at=to_text(now),
                **values,
            )
        )
        return True

    def take(
        self, connection: Connection, now: datetime, holder: str, lease_s: float, kinds: tuple[str, ...] = ()
    ) -> dict[str, Any] | None:
        """Take the oldest due item that is first in its group and that nobody holds."""
        table, at = self.table, to_text(now)
        before = table.alias("before")
        first = ~exists(
            select(before.c.seq).where(
                before.c[self.group.name] == self.group,
                before.c.seq < table.c.seq,
                before.c.state.in_(("waiting", "taken")),
            )
        )
        free = or_(
            and_(table.c.state == "waiting", table.c.due_at <= at),
            and_(table.c.state == "taken", table.c.lease_until <= at),
        )
        chosen = select(table).where(free, first).order_by(table.c.seq).limit(1)
        if kinds:
            chosen = chosen.where(table.c.kind.in_(kinds))
        row = connection.execute(chosen).mappings().first()
        if row is None:
            return None
        attempts = row["attempts"] + (1 if row["state"] == "taken" else 0)
        until = to_text(now + timedelta(seconds=lease_s))
        connection.execute(
            update(table)
            .where(table.c.seq == row["seq"])
            .values(state="taken", holder=holder, lease_until=until, attempts=attempts)
        )
        return {**row, "attempts": attempts, "payload": json.loads(row["payload"])}

    def renew(self, connection: Connection, now: datetime, key: str, holder: str, lease_s: float) -> bool:
        """Move the end of a lease; False when the item is no longer the holder's."""
        table = self.table
        done = connection.execute(
            update(table)
            .where(table.c.key == key, table.c.state == "taken", table.c.holder == holder)
            .values(lease_until=to_text(now + timedelta(seconds=lease_s)))
        )
        return done.rowcount == 1

    def release(self, connection: Connection, now: datetime, key: str, retry_s: float, **values: Any) -> int:
        """Give an item back with one attempt more and return how many attempts there were; 0 when it is unknown."""
        table = self.table
        known = select(table.c.attempts).where(table.c.key == key, table.c.state.in_(("waiting", "taken")))
        attempts = connection.execute(known).scalar()
        if attempts is None:
            return 0
        connection.execute(
            update(table)
            .where(table.c.key == key)
            .values(
                state="waiting",
                attempts=attempts + 1,
                due_at=to_text(now + timedelta(seconds=retry_s)),
                holder=None,
                lease_until=None,
                **values,
            )
        )
        return int(attempts) + 1

    def end(self, connection: Connection, now: datetime, key: str, state: str = "done") -> None:
        """End an item: its payload goes, its key stays."""
        table = self.table
        connection.execute(
            update(table)
            .where(table.c.key == key, table.c.state.in_(("waiting", "taken")))
            .values(state=state, payload=None, holder=None, lease_until=None, ended_at=to_text(now))
        )

    def _forget(self, connection: Connection, now: datetime, key: str) -> None:
        """Drop keys that ended too long ago to matter: this one for certain, others a few at a time."""
        table = self.table
        old = and_(table.c.state == "done", table.c.ended_at <= to_text(now - self.keep))
        connection.execute(delete(table).where(old, table.c.key == key))
        some = select(table.c.seq).where(old).order_by(table.c.seq).limit(20)
        connection.execute(delete(table).where(table.c.seq.in_(some)))
