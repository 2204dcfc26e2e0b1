"""Statements that go straight to the driver: heard of and refused as any other (BR4)."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import column, text
from sqlalchemy.exc import DBAPIError

from sliceway.brain.local import SCRIPTS
from sliceway.core.access import OutsideAccess, keeping
from sliceway.errors import StoreUnavailable
from sliceway.store.engine_sqlite import SqliteDatabase
from sliceway.store.migrate import migrate
from sliceway.store.session import Store
from tests.fakes.stores import looked_at
from tests.fakes.trace import traced

_SAID = text("SELECT slice, docs FROM slices WHERE slice = :slice").columns(column("slice"), column("docs"))
_WRONG = text("SELECT nothing FROM nowhere WHERE slice = :slice").columns(column("nothing"))


@pytest.fixture
def database(tmp_path: Path) -> SqliteDatabase:
    """Return a store."""
    made = SqliteDatabase(f"sqlite:///{tmp_path / 'store.db'}", sync="normal")
    migrate(made, SCRIPTS)
    return made


def test_br4_what_is_fetched_is_watched_as_any_statement_is(database: SqliteDatabase, within_access: list[str]) -> None:
    """BR4: whoever watches a store is told of a statement that goes to the driver, of the slices that it names and the
    engine's steps for it; and finds it where it names one outside the access of its transaction."""
    with traced(database) as trace, looked_at(database) as session:
        assert list(session.fetch(_SAID, {"slice": "_system"}, of="_system")) != []
    assert any("FROM slices" in said for said in trace.statements)
    assert trace.named == {"_system"}
    assert trace.steps > 0
    with Store(database).read() as session:
        session.enter(keeping().only(["agent-ada"]))
        session.fetch(_SAID, {"slice": "agent-bob"}, of="agent-ada")
    assert [said for said in within_access if "FROM slices" in said] != []
    within_access.clear()


def test_br4_nothing_is_fetched_past_the_access(database: SqliteDatabase) -> None:
    """BR4 BR15: a slice outside the access is refused before the driver is asked anything."""
    with traced(database) as trace, Store(database).read() as session:
        session.enter(keeping().only(["agent-ada"]))
        with pytest.raises(OutsideAccess):
            session.fetch(_SAID, {"slice": "agent-bob"}, of="agent-bob")
    assert not any("FROM slices" in said for said in trace.statements)


def test_op3_what_the_driver_raises_is_told_as_of_any_statement(database: SqliteDatabase) -> None:
    """OP3 FR7: an error of the driver is the toolkit's own, without the values, and leaves the store in its words."""
    with pytest.raises(StoreUnavailable) as raised, looked_at(database) as session:
        session.fetch(_WRONG, {"slice": "agent-secret"}, of="agent-secret")
    cause = raised.value.__cause__
    assert isinstance(cause, DBAPIError)
    assert "nowhere" in str(cause)
    assert "agent-secret" not in str(cause)
