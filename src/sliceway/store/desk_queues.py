"""Items that are taken one after another within their group: the one mechanism under the inbox and what is owed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    Connection,
    Table,
    and_,
    bindparam,
    delete,
    exists,
    func,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite

from sliceway.core.clock import to_text


class Queue:
    """A table of items, the column that groups them, and for how long a finished key is still known.

    The statements on the way of every message are made once: building one costs more than running it.
    """

    def __init__(self, table: Table, group: Column[Any], keep: timedelta) -> None:
        """Take the table, its group column, and how long the key of a finished item is kept."""
        self.table, self.keep = table, keep
        at: BindParameter[str] = bindparam("at")
        before = table.alias("before")
        first = ~exists(
            select(before.c.seq).where(
                before.c[group.name] == group,
                before.c.seq < table.c.seq,
                before.c.state.in_(("waiting", "taken")),
            )
        )
        free = or_(
            and_(table.c.state == "waiting", table.c.due_at <= at),
            and_(table.c.state == "taken", table.c.lease_until <= at),
        )
        self._count = select(func.count()).where(or_(and_(free, first), table.c.state == "taken"))
        here = sqlite.insert(table).on_conflict_do_nothing(index_elements=["key"])
        there = postgresql.insert(table).inline().on_conflict_do_nothing(index_elements=["key"])
        self._insert = {
            name: each.execution_options(preserve_rowcount=True)
            for name, each in (("sqlite", here), ("postgresql", there))
        }
        self._choose = select(table).where(free, first).order_by(table.c.seq).limit(1)
        self._hold = (
            update(table)
            .where(table.c.seq == bindparam("which"))
            .values(state="taken", holder=bindparam("by"), lease_until=bindparam("until"), attempts=bindparam("tries"))
        )
        self._end = (
            update(table)
            .where(table.c.key == bindparam("which"), table.c.state.in_(("waiting", "taken")))
            .values(state=bindparam("how"), payload=None, holder=None, lease_until=None, ended_at=at)
        )
        self._old = and_(table.c.state == "done", table.c.ended_at <= bindparam("before"))

    def put(self, connection: Connection, now: datetime, key: str, payload: Mapping[str, Any], **values: Any) -> bool:
        """Add an item; False when its key is known."""
        row = {
            "key": key,
            "payload": json.dumps(payload, separators=(",", ":")),  # ASCII: half a surrogate pair is no UTF-8
            "state": "waiting",
            "attempts": 0,
            "due_at": to_text(now),
            **values,
        }
        added = self._insert[connection.dialect.name]
        if connection.execute(added, row).rowcount == 1:
            return True
        stale = delete(self.table).where(self._old, self.table.c.key == key)
        if connection.execute(stale, {"before": to_text(now - self.keep)}).rowcount == 0:
            return False
        return connection.execute(added, row).rowcount == 1

    def take(
        self, connection: Connection, now: datetime, holder: str, lease_s: float, kinds: tuple[str, ...] = ()
    ) -> dict[str, Any] | None:
        """Take the oldest due item that is first in its group and that nobody holds."""
        choose = self._choose.where(self.table.c.kind.in_(kinds)) if kinds else self._choose
        row = connection.execute(choose, {"at": to_text(now)}).mappings().first()
        if row is None:
            return None
        attempts = row["attempts"] + (1 if row["state"] == "taken" else 0)
        until = to_text(now + timedelta(seconds=lease_s))
        connection.execute(self._hold, {"which": row["seq"], "by": holder, "until": until, "tries": attempts})
        return {**row, "attempts": attempts, "payload": json.loads(row["payload"])}

    def depth(self, connection: Connection, now: datetime) -> int:
        """Return how many items are taken or could be taken now."""
        return int(connection.execute(self._count, {"at": to_text(now)}).scalar_one())

    def renew(self, connection: Connection, now: datetime, key: str, holder: str, lease_s: float) -> bool:
        """Move the end of a lease; False when the item is no longer the holder's."""
        table = self.table
        done = connection.execute(
            update(table)
            .where(table.c.key == key, table.c.state == "taken", table.c.holder == holder)
            .values(lease_until=to_text(now + timedelta(seconds=lease_s)))
        )
        return done.rowcount == 1

    def release(
        self, connection: Connection, now: datetime, key: str, retry_s: float, *, counts: bool = True, **values: Any
    ) -> int:
        """Give an item back, with one attempt more where it counts, and return how many attempts there were; 0 when
        it is unknown."""
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
                attempts=attempts + counts,
                due_at=to_text(now + timedelta(seconds=retry_s)),
                holder=None,
                lease_until=None,
                **values,
            )
        )
        return int(attempts) + counts

    def end(self, connection: Connection, now: datetime, key: str, state: str = "done") -> None:
        """End an item: its payload goes, its key stays."""
        connection.execute(self._end, {"which": key, "how": state, "at": to_text(now)})

    def sweep(self, connection: Connection, now: datetime) -> None:
        """Drop the keys that ended too long ago to matter."""
        connection.execute(delete(self.table).where(self._old), {"before": to_text(now - self.keep)})
