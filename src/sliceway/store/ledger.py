"""Writing to the ledger: one transaction, one slice, its events linked to its head (BR11, BR15)."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import RowMapping, select

from sliceway.core.clock import to_text
from sliceway.core.ledger import GENESIS, Event, canonical, seal
from sliceway.ports.time import Clock, NewId
from sliceway.store.session import Session
from sliceway.store.tables import events, slices

_KEY_BYTES = 32
"""Of a slice's key, and of an event's salt."""
_CHUNK = 200
"""Events read at once: a page is at most 256 KiB, so that this much of any slice stands in memory."""


class SliceTransaction:
    """A write transaction on one slice. The slice is made by the first event that is appended (SC12).

    `slice_transaction` makes one; one that is made `beside` it only looks.
    """

    def __init__(self, session: Session, slice_name: str, *, now: str, new_id: NewId) -> None:
        """Read the slice's head, if it exists. `now` is the time of everything written here."""
        self.session = session
        self.slice = slice_name
        self.now = now
        self.new_id = new_id
        head = select(slices).where(slices.c.slice == slice_name)
        row = session.execute(head, of=slice_name).mappings().one_or_none()
        self._exists = row is not None
        self._seq: int = row["seq"] if row is not None else 0
        self._head: str = row["head"] if row is not None else GENESIS
        self.key: bytes = row["key"] if row is not None else new_key()
        self.docs: int = row["docs"] if row is not None else 0
        self.length: int = row["length"] if row is not None else 0
        self._created_at: str = row["created_at"] if row is not None else now
        self._changed = False

    def beside(self, slice_name: str) -> SliceTransaction:
        """Return a look at another slice in the same session, which is not written."""
        return SliceTransaction(self.session, slice_name, now=self.now, new_id=self.new_id)

    @property
    def seq(self) -> int:
        """The sequence of the slice's last event."""
        return self._seq

    def append(self, kind: str, payload: Mapping[str, Any], author: Mapping[str, Any]) -> Event:
        """Append an event and return it."""
        sealed = self.link(kind, payload, author)
        self.session.insert(events, event_row(sealed), into=self.slice)
        return sealed

    def link(
        self, kind: str, payload: Mapping[str, Any], author: Mapping[str, Any], *, event_id: str | None = None
    ) -> Event:  # fmt: skip
        """Return the next event of the chain; whoever links it adds its row in this transaction.

        :param event_id: its id, where what it tells of has one of its own; a new one without.
        """
        sealed = seal(
            slice_name=self.slice, seq=self._seq + 1, event_id=event_id or self.new_id(), kind=kind, at=self.now,
            author=author, prev=self._head, payload=payload, salt=secrets.token_bytes(_KEY_BYTES),
        )  # fmt: skip
        self._seq, self._head, self._changed = sealed.seq, sealed.hash, True
        return sealed

    def flush(self) -> None:
        """Write the head and the counts, once, at the end. A transaction without an event leaves no slice behind."""
        if not self._changed:
            return
        values = {
            "seq": self._seq, "head": self._head, "docs": self.docs, "length": self.length, "updated_at": self.now,
        }  # fmt: skip
        if self._exists:
            self.session.update(slices, into=self.slice, values=values)
        else:
            made = {"key": self.key, "created_at": self._created_at, **values}
            self.session.insert(slices, made, into=self.slice)


def new_key() -> bytes:
    """Return a key for a slice that has none yet."""
    return secrets.token_bytes(_KEY_BYTES)


@contextmanager
def slice_transaction(session: Session, slice_name: str, *, clock: Clock, new_id: NewId) -> Iterator[SliceTransaction]:
    """Give the transaction of one slice in a writing session, and write its head at the end.

    :raises OutsideAccess: the session may not write it, or writes another one (BR15).
    """
    session.land(slice_name)
    transaction = SliceTransaction(session, slice_name, now=to_text(clock()), new_id=new_id)
    yield transaction
    transaction.flush()


def json_text(value: Any) -> str:
    """Return the canonical JSON text of an object or a list."""
    return canonical({"": value})[4:-1].decode()


def json_value(text: str) -> Any:
    """Return what `json_text` wrote."""
    return json.loads(text)


def event_row(event: Event) -> dict[str, Any]:
    """Return an event as its row of the ledger, but for the slice."""
    return {
        "seq": event.seq, "event_id": event.event_id, "kind": event.kind, "at": event.at,
        "author": json_text(event.author), "prev": event.prev, "digest": event.digest, "hash": event.hash,
        "payload": json_text(event.payload) if event.payload is not None else None, "salt": event.salt,
        "token": event.author.get("token_id"),
    }  # fmt: skip


def event_rows(
    session: Session, slice_name: str, *, after: int | None = None, upto: int | None = None, chunk: int = _CHUNK
) -> Iterator[Sequence[RowMapping]]:
    """Give the rows of a slice's events in order, so many at once.

    :param after: go on after this sequence. :param upto: the last sequence.
    """
    while True:
        where = [events.c.slice == slice_name]
        where += [events.c.seq > after] if after is not None else []
        where += [events.c.seq <= upto] if upto is not None else []
        statement = select(events).where(*where).order_by(events.c.seq).limit(chunk)
        found = session.execute(statement, of=slice_name).mappings().all()
        if found:
            yield found
        if len(found) < chunk:
            return
        after = found[-1]["seq"]


def event_of(found: RowMapping) -> Event:
    """Return a row of the ledger as an event."""
    return Event(
        slice=found["slice"], seq=found["seq"], event_id=found["event_id"], kind=found["kind"], at=found["at"],
        author=json_value(found["author"]), prev=found["prev"], digest=found["digest"], hash=found["hash"],
        payload=None if found["payload"] is None else json_value(found["payload"]), salt=found["salt"],
    )  # fmt: skip
