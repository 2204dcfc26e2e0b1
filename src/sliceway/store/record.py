"""A row and the event that tells of it, changed together: what the ledger says, the projection shows (BR11).

Every change of proposals, grants, policy, channels, people, agents, aliases, tokens and mounts goes through `record`.
The event's payload holds `about`, ids for the audit and never values (OP1), and `rows`, what the rows became: enough to
make them again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from sqlalchemy import Table, select

from sliceway.core.ledger import Event
from sliceway.errors import Conflict
from sliceway.store import tables
from sliceway.store.ledger import SliceTransaction
from sliceway.store.session import Session

_RECORDED: dict[str, Table] = {
    table.name: table
    for table in (
        tables.proposals, tables.grants, tables.policy, tables.channels, tables.people, tables.agents, tables.aliases,
        tables.tokens, tables.agent_acts, tables.mounts, tables.erased, tables.erasures,
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RowChange:
    """What one row becomes. `key` are the columns of its key after the slice; `expected` must hold of it before."""

    table: Table
    key: Mapping[str, str]
    values: Mapping[str, Any]
    expected: Mapping[str, Any] = field(default_factory=dict)


RECORDED = tuple(_RECORDED.values())
"""The tables whose every row an event tells of."""


def record(
    tx: SliceTransaction,
    kind: str,
    *,
    about: Mapping[str, Any],
    author: Mapping[str, Any],
    rows: Sequence[RowChange] = (),
) -> Event:
    """Append an event and bring the rows it tells of in step.

    :param about: ids and words of ours; what is None is left out.
    :raises Conflict: a row is not as `expected`; nothing of this transaction may be kept then.
    """
    payload = {
        "about": {name: value for name, value in about.items() if value is not None},
        "rows": [{"table": row.table.name, "key": dict(row.key), "set": dict(row.values)} for row in rows],
    }
    event = tx.append(kind, payload, author)
    for row in rows:
        _write(tx.session, tx.slice, row, _stamped(row.table, row.values, event))
    return event


def _stamped(table: Table, values: Mapping[str, Any], event: Event) -> dict[str, Any]:
    """Add what follows from the event itself."""
    if "changed" in table.c:
        return {**values, "changed": event.seq, "changed_at": event.at}
    return dict(values)


def _write(session: Session, slice_name: str, row: RowChange, values: Mapping[str, Any]) -> None:
    """Compare and set, or add the row where there is none."""
    table = row.table
    where = [table.c[name] == value for name, value in {**row.key, **row.expected}.items()]
    if session.update(table, *where, into=slice_name, values=values):
        return
    if row.expected:
        raise Conflict(f"A row of {table.name} changed meanwhile; nothing was written. Try again.")
    session.insert(table, {**row.key, **values}, into=slice_name)


Told = dict[tuple[str, tuple[str, ...]], dict[str, Any]]
"""Rows as events tell them, by table and key; of a long text its digest alone, so that many stand in memory."""
_LONG = 64


def tell(told: Told, event: Event) -> None:
    """Bring `told` in step with an event. One that was erased tells nothing, and a table or a column that a newer
    version added is for that one to hold against its rows."""
    for change in (event.payload or {}).get("rows", ()):
        table = _RECORDED.get(change["table"])
        if table is None:
            continue
        name = (table.name, tuple(change["key"][column] for column in _key(table)))
        stamped = _stamped(table, change["set"], event).items()
        values = {column: _brief(value) for column, value in stamped if column in table.c}
        told.setdefault(name, {}).update(values)


def _brief(value: Any) -> Any:
    """Return a value, or what tells a long text from every other."""
    return blake2b(value.encode(), digest_size=16).digest() if isinstance(value, str) and len(value) > _LONG else value


def replay(session: Session, event: Event) -> None:
    """Bring the rows that an event tells of in step with it; they stand as the events before it left them.

    :raises KeyError: it tells of a table or a column that this program does not know: it would lose what is there.
    """
    for change in (event.payload or {}).get("rows", ()):
        table = _RECORDED[change["table"]]
        if strange := set(change["set"]).difference(table.c.keys()):
            raise KeyError(sorted(strange))
        row = RowChange(table, change["key"], change["set"])
        _write(session, event.slice, row, _stamped(table, change["set"], event))


def faults_of_rows(session: Session, slice_name: str, told: Told) -> Iterator[str]:
    """Say, one by one, which rows of a slice are not as its events tell them; `told` is used up."""
    for table in _RECORDED.values():
        for row in session.execute(select(table).where(table.c.slice == slice_name), of=slice_name).mappings():
            name = (table.name, tuple(row[column] for column in _key(table)))
            expected = told.pop(name, None)
            if expected is None:
                yield f"a row of {table.name} that no event tells of"
            elif any(_brief(row[column]) != value for column, value in expected.items()):
                yield f"a row of {table.name} is not as its events tell it"
    for table_name, _ in told:
        yield f"a row of {table_name} is missing"


def _key(table: Table) -> list[str]:
    """Return the columns of a table's key after the slice."""
    return [column.name for column in table.primary_key.columns if column.name != "slice"]
