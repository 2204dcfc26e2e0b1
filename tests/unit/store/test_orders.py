"""What follows what, kept from one read to the next: under the head of a chain alone, and never past an access."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from sliceway.brain.local import SCRIPTS
from sliceway.core.access import OutsideAccess, keeping
from sliceway.core.neighbours import Order, order
from sliceway.core.pages import Author, PageDraft
from sliceway.core.proposals import ProposedPage
from sliceway.store.engine_sqlite import SqliteDatabase
from sliceway.store.ledger import slice_transaction
from sliceway.store.migrate import migrate
from sliceway.store.neighbours import orders
from sliceway.store.orders import Head, Orders
from sliceway.store.pages import Signature, apply
from sliceway.store.search import counted
from sliceway.store.session import Session, Store
from tests.fakes.clock import ids
from tests.fakes.stores import looked_at, written
from tests.fakes.trace import traced

NOW = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)
NEW_ID = ids()
MINE, OTHER = "agent-ada", "agent-bob"


@pytest.fixture
def database(tmp_path: Path) -> SqliteDatabase:
    """Return a store."""
    made = SqliteDatabase(f"sqlite:///{tmp_path / 'store.db'}", sync="normal")
    migrate(made, SCRIPTS)
    return made


def _write(database: SqliteDatabase, name: str, *slugs: str) -> None:
    with written(database, name) as session:
        _apply(session, name, *slugs)


def _apply(session: Session, name: str, *slugs: str) -> None:
    with slice_transaction(session, name, clock=lambda: NOW, new_id=NEW_ID) as transaction:
        for slug in slugs:
            page = ProposedPage(slug, None, PageDraft(slug, "text"))
            apply(transaction, "write", page, Signature(Author("ada", None, None, "local")))


def _read(session: Session, *names: str) -> dict[str, Order]:
    return orders(session, counted(session, names).heads)


def _befores(one: Order) -> list[int]:
    return list(one.before)


def test_fr10_what_follows_what_is_read_once_for_each_state_of_a_chain(database: SqliteDatabase) -> None:
    """FR10: a second read of an unchanged slice takes no statement for it; after a write it is read anew, of that slice
    alone."""
    _write(database, MINE, "d/1", "d/2")
    _write(database, OTHER, "d/1", "d/2")
    with looked_at(database) as session:
        assert _befores(_read(session, MINE, OTHER)[MINE]) == [-1, -1, 1, -1]
    with traced(database) as trace, looked_at(database) as session:
        _read(session, MINE, OTHER)
    assert not [said for said in trace.statements if "neighbours" in said]
    _write(database, MINE, "d/3")
    with traced(database) as trace, looked_at(database) as session:
        assert _befores(_read(session, MINE, OTHER)[MINE]) == [-1, -1, 1, 2, -1]
    asked = [said for said in trace.statements if "neighbours" in said]
    assert len(asked) == 1


def test_br4_what_follows_what_is_told_to_nobody_who_may_not_read_the_slice(database: SqliteDatabase) -> None:
    """BR4 BR15: what was kept for one reader is refused to a session whose access does not cover the slice, whatever
    head it names."""
    _write(database, MINE, "d/1")
    with looked_at(database) as session:
        heads = counted(session, (MINE,)).heads
        orders(session, heads)
    with Store(database).read() as session:
        session.enter(keeping().only([OTHER]))
        with pytest.raises(OutsideAccess):
            orders(session, heads)


def test_br15_what_a_transaction_may_yet_take_back_is_not_kept(database: SqliteDatabase) -> None:
    """BR15: a writing session reads what it changed and leaves nothing of it behind; a reader of an older moment reads
    that moment."""
    _write(database, MINE, "d/1", "d/2")
    with looked_at(database) as older:
        heads = counted(older, (MINE,)).heads
        with written(database, MINE) as session:
            _apply(session, MINE, "d/3")
            assert _befores(_read(session, MINE)[MINE]) == [-1, -1, 1, 2, -1]
        with looked_at(database) as newer:
            assert len(_befores(_read(newer, MINE)[MINE])) == 5
        assert _befores(orders(older, heads)[MINE]) == [-1, -1, 1, -1]
    assert database.orders.known(heads) == {MINE: order([2], [1], 2)}


def test_br11_a_rebuild_leaves_nothing_kept_of_its_slice() -> None:
    """BR11: what is kept under a head is let go of, where rows are made anew under the same one."""
    kept, head = Orders(), {MINE: Head(2, "x")}
    kept.keep(head, {MINE: order([2], [1], 2)})
    kept.forget(MINE)
    assert kept.known(head) == {}
    assert kept.held_bytes == 0


def test_fr10_no_more_is_kept_than_there_is_room_for() -> None:
    """FR10: those used longest ago go first; one that is larger than all the room is not kept, and another head of a
    slice takes the place of the one before."""
    one = order([2], [1], 98)
    kept = Orders(most_bytes=2 * one.size)
    heads = {name: Head(98, name) for name in ("a", "b", "c")}
    kept.keep(heads, {"a": one, "b": one})
    assert set(kept.known({"a": heads["a"]})) == {"a"}
    kept.keep(heads, {"c": one})
    assert set(kept.known(heads)) == {"a", "c"}
    assert kept.known({"a": Head(98, "other")}) == {}
    kept.keep({"a": Head(99, "d")}, {"a": one})
    assert kept.held_bytes == 2 * one.size
    kept.keep({"b": Head(9999, "e")}, {"b": order([2], [1], 9999)})
    assert set(kept.known({"a": Head(99, "d"), "c": heads["c"]})) == {"a", "c"}
