"""PostgreSQL's second wall: what the database itself keeps a caller from, whatever statement it is sent (BR4, BR15)."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest

pytest.importorskip("psycopg")  # the fixture `postgres` fails in CI where it is missing

from pathlib import Path

import psycopg
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from psycopg import sql
from sqlalchemy import select
from sqlalchemy.exc import ProgrammingError

from sliceway.brain.embedding import EmbeddingWorker
from sliceway.brain.local import LocalDoor, open_local
from sliceway.core.access import changing, reading
from sliceway.core.policy import Policy
from sliceway.core.principals import NO_ORIGIN, Origin, Principal
from sliceway.core.slices import SYSTEM
from sliceway.core.tokens import token_parts
from sliceway.core.turns import Person, Place, PlaceKind
from sliceway.ports import NewId
from sliceway.store import walls
from sliceway.store.tables import metadata, pages
from tests.contract.office import ANNS, ask, gateway, settle, written
from tests.fakes.clock import HandClock, ids
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.household import fill
from tests.fakes.postgres import Made

TABLES = [table.name for table in metadata.sorted_tables]


@pytest.fixture
async def door(postgres: Made, clock: HandClock, new_id: NewId, tmp_path: Path) -> AsyncIterator[LocalDoor]:
    """A store with something of everybody's in it: two minds, `shared`, a proposal, a token."""
    async with await open_local(postgres.url, clock=clock, new_id=new_id) as opened:
        await settle(opened)
        for agent in ("ada", "bob"):
            note = {"slug": "n", "content": f"what {agent} knows, see [[other]]"}
            brain = opened.enter(Principal.agent(agent))
            await brain.write_pages(slice="mine", pages=[note], request_id=f"r-{agent}")
        await written(gateway(opened))
        await ask(gateway(opened))
        await EmbeddingWorker(opened.store, FakeEmbedder(), clock=clock, new_id=new_id, holder="one").run_once()
        await opened.enter(Principal.operator("op")).mount(label="book", folder=str(tmp_path))
        yield opened


@pytest.fixture
def hand(door: LocalDoor, postgres: Made) -> Iterator[psycopg.Connection]:
    """A bare connection as the app: what a forgotten condition would have."""
    with psycopg.connect(postgres.url) as connection:
        yield connection


@pytest.fixture
async def lived_in(
    postgres: Made, clock: HandClock, new_id: NewId, tmp_path: Path
) -> AsyncIterator[psycopg.Connection]:
    """A bare connection as the app, to a store in which no table is empty."""
    async with await open_local(postgres.url, clock=clock, new_id=new_id) as opened:
        await fill(opened, clock, new_id, tmp_path)
        with psycopg.connect(postgres.url) as connection:
            yield connection


def _told(hand: psycopg.Connection, reads: str, writes: str = "") -> None:
    hand.execute(
        "SELECT set_config(%s, %s, true), set_config(%s, %s, true)", (walls.READS, reads, walls.WRITES, writes)
    )


def _rows(hand: psycopg.Connection, table: str) -> list[str]:
    """Return the slices of all rows that a statement without any condition gives."""
    found = hand.execute(sql.SQL("SELECT slice FROM {}").format(sql.Identifier(table)))
    return sorted({row[0] for row in found})


def test_br4_who_has_told_nothing_sees_no_row_of_any_table(lived_in: psycopg.Connection, postgres: Made) -> None:
    """BR4: with the settings unset the app sees no row of any table there is, and the owner sees that none is empty: a
    table that is new tomorrow fails here until there is something in it to see."""
    assert {name: _rows(lived_in, name) for name in TABLES} == {name: [] for name in TABLES}
    with psycopg.connect(postgres.owner_url) as owner:
        assert [name for name in TABLES if not _rows(owner, name)] == []
        unforced = owner.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' "
            "AND NOT (relrowsecurity AND relforcerowsecurity)"
        ).fetchall()
        beside = owner.execute(
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm', 'f')"
        ).fetchall()
    assert unforced == [("alembic_version",)]
    assert beside == []


def test_br4_a_query_without_a_condition_gives_the_told_slices_alone(hand: psycopg.Connection) -> None:
    """BR4: the database adds the condition that a statement forgot: names, beginnings of names, or all."""
    for reads, seen in (
        ("agent-ada", ["agent-ada"]), ("agent-ada,shared", ["agent-ada", "shared"]), ("agent-nobody", []),
        ("agent-*", ["agent-ada", "agent-bob"]), ("*", ["agent-ada", "agent-bob", "shared"]), ("agent_*", []),
        ("agent-%", []), ("", []),
    ):  # fmt: skip
        _told(hand, reads)
        assert _rows(hand, "pages") == seen, reads


def test_br4_the_caller_s_rows_are_all_that_any_table_gives(lived_in: psycopg.Connection, postgres: Made) -> None:
    """BR4: of every table there is, a statement without a condition gives the rows of the slices that a principal's
    access tells, all of them and no other's."""
    with psycopg.connect(postgres.owner_url) as owner:
        there = {name: _rows(owner, name) for name in TABLES}
    everything = {one for found in there.values() for one in found}
    assert {"agent-ada", "agent-bob", ANNS, "shared", SYSTEM} <= everything
    ann = Origin(person=Person("T1", "UANN"), place=Place("slack", "T1", "DUANN", kind=PlaceKind.IM), private=True)
    for access, seen in (
        (reading(Principal.agent("bob"), NO_ORIGIN, Policy()), {"agent-bob", "shared"}),
        (reading(Principal.gateway("zoe", teams=["T1"], acts_for=True), ann, Policy(teams=frozenset({"T1"}))),
         {"agent-zoe", "shared", ANNS}),
        (reading(Principal.reader(["shared"]), NO_ORIGIN, Policy()), {"shared"}),
        (reading(Principal.agent("nobody"), NO_ORIGIN, Policy()), {"shared"}),
    ):  # fmt: skip
        _told(lived_in, ",".join(access.reads))
        wanted = {name: [one for one in found if one in seen] for name, found in there.items()}
        assert {name: _rows(lived_in, name) for name in TABLES} == wanted, seen


def test_br15_no_table_takes_a_row_of_another_slice_than_the_granted(lived_in: psycopg.Connection) -> None:
    """BR15: in every table there is, a row of another slice than the granted is added by nobody, and none that is there
    is changed, taken away or dropped, whether the granted slice has rows of its own there or not."""
    for table in metadata.sorted_tables:
        name = sql.Identifier(table.name)
        columns = sql.SQL(", ").join(sql.Identifier(column.name) for column in table.columns)
        rest = sql.SQL(", ").join(sql.Identifier(column.name) for column in table.columns if column.name != "slice")
        for granted in ("agent-none", "agent-ada"):
            added = sql.SQL("INSERT INTO {0} ({1}) SELECT {1} FROM {0} WHERE slice <> {2} LIMIT 1")
            as_new = sql.SQL("INSERT INTO {0} (slice, {1}) SELECT 'agent-eve', {1} FROM {0} LIMIT 1")
            for statement in (
                added.format(name, columns, granted), as_new.format(name, rest),
                sql.SQL("UPDATE {} SET slice = {}").format(name, granted),
                sql.SQL("UPDATE {} SET slice = 'agent-eve'").format(name), sql.SQL("DELETE FROM {}").format(name),
            ):  # fmt: skip
                _told(lived_in, "*,_system", granted)
                before = _others(lived_in, name, granted)
                assert before
                lived_in.execute("SAVEPOINT tried")
                try:
                    lived_in.execute(statement)
                except psycopg.errors.InsufficientPrivilege:
                    lived_in.execute("ROLLBACK TO tried")
                assert _others(lived_in, name, granted) == before, statement.as_string(lived_in)
                lived_in.rollback()


def _others(hand: psycopg.Connection, name: sql.Identifier, granted: str) -> list[tuple[str, ...]]:
    """Return the rows of a table that are of other slices."""
    found = hand.execute(sql.SQL("SELECT {0}::text FROM {0} WHERE slice <> {1}").format(name, granted))
    return sorted(found.fetchall())


def test_br4_an_access_is_what_is_told(door: LocalDoor) -> None:
    """BR4: the access of a call, as sessions tell it, makes a statement without a condition give the caller's rows."""
    with door.database.read() as connection:
        walls.tell(connection, reading(Principal.agent("ada"), NO_ORIGIN, Policy()))
        assert set(connection.execute(select(pages.c.slice)).scalars()) == {"agent-ada", "shared"}


def test_br15_a_write_to_another_slice_than_the_granted_fails_in_the_database(door: LocalDoor) -> None:
    """BR15: what a transaction that landed in one slice adds to or takes into another is refused by the database, and
    what it changes or drops elsewhere is nothing."""
    access = changing("write", "agent-ada", Principal.agent("ada"), NO_ORIGIN, Policy()).landing("agent-ada")
    added = "INSERT INTO links (slice, target, slug) VALUES ('{}', 't', 's')"

    def run(statement: str) -> None:
        with door.database.write() as connection:
            walls.tell(connection, access)
            connection.exec_driver_sql(statement)

    for statement in (added.format("shared"), added.format("agent-bob"), "UPDATE links SET slice = 'shared'"):
        with pytest.raises(ProgrammingError, match="row-level security"):
            run(statement)
    with door.database.write() as connection:
        walls.tell(connection, access)
        connection.exec_driver_sql(added.format("agent-ada"))
        assert connection.exec_driver_sql("UPDATE pages SET title = 'x' WHERE slice <> 'agent-ada'").rowcount == 0
        assert connection.exec_driver_sql("DELETE FROM links").rowcount == 2


@pytest.mark.parametrize("writes", ["agent-ada,shared", "*", "agent-*", ""])
def test_br15_exactly_one_slice_is_written(hand: psycopg.Connection, writes: str) -> None:
    """BR15: a list or a pattern in the place of the one slice writes none."""
    for name in ("agent-ada", "shared"):
        _told(hand, "*", writes)
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            hand.execute("INSERT INTO links (slice, target, slug) VALUES (%s, 't', 's')", (name,))
        hand.rollback()


def test_br11_the_app_can_only_empty_an_event(hand: psycopg.Connection) -> None:
    """BR10 BR11: of an event the app's role can take payload and salt together, in the slice that it writes, and put
    nothing in their place."""
    for values in ("payload = '{}', salt = NULL", "payload = NULL", "salt = NULL", "payload = '{}'"):
        _told(hand, "*", "agent-ada")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            hand.execute(f"UPDATE events SET {values} WHERE seq = 1".encode())
        hand.rollback()
    _told(hand, "*", "agent-ada")
    hand.execute(b"UPDATE events SET payload = NULL, salt = NULL")
    _told(hand, "*")
    emptied = hand.execute(b"SELECT DISTINCT slice FROM events WHERE payload IS NULL").fetchall()
    assert emptied == [("agent-ada",)]


def test_br11_the_app_changes_no_event_and_drops_no_chain(hand: psycopg.Connection) -> None:
    """BR11: the app's role may add to the ledger and has no right to change or drop what is in it."""
    for statement in (
        "UPDATE events SET author = ''",
        "UPDATE events SET hash = '', digest = ''",
        "DELETE FROM events",
        "DELETE FROM slices",
        "DROP TABLE links",
    ):
        _told(hand, "*", "agent-ada")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            hand.execute(statement.encode())
        hand.rollback()


def test_br4_what_is_told_ends_with_the_transaction(hand: psycopg.Connection) -> None:
    """BR4: the next transaction on the same connection, of whoever the pool gives it to, has been told nothing."""
    _told(hand, "*", "agent-ada")
    assert _rows(hand, "pages") != []
    hand.commit()
    assert _rows(hand, "pages") == []


async def test_br12_the_migrations_make_the_same_tables_on_postgresql(door: LocalDoor) -> None:
    """BR12: after every step PostgreSQL has exactly the tables, columns and indexes of the metadata, and its text sorts
    by bytes."""
    differences = await door.database.reading(
        lambda connection: compare_metadata(MigrationContext.configure(connection), metadata)
    )
    assert differences == []
    with door.database.read() as connection:
        other = connection.exec_driver_sql(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'public' "
            "AND data_type = 'text' AND collation_name IS DISTINCT FROM 'C'"
        ).fetchall()
    assert other == []


async def test_br2_a_token_is_looked_up_before_anything_is_told(door: LocalDoor, hand: psycopg.Connection) -> None:
    """BR2: one function finds the row of a token by its id; the table itself shows none."""
    made = await door.enter(Principal.operator("op")).create_token(kind="agent", agent="ada")
    id, _ = token_parts(made.token)
    assert _rows(hand, "tokens") == []
    found = hand.execute("SELECT id, agent FROM sliceway_token(%s, %s)", (SYSTEM, id)).fetchall()
    assert found == [(id, "ada")]
    assert hand.execute("SELECT id FROM sliceway_token(%s, %s)", (SYSTEM, "0" * 26)).fetchall() == []
    assert (await door.principal_of(made.token)).agent_id == "ada"


async def test_br10_space_of_what_was_erased_is_cleared_by_the_owner(door: LocalDoor, postgres: Made) -> None:
    """BR10: the app erases rows and may not clear their space, so it says `scrubbed: false`; the owner vacuums every
    table, and then it is true."""
    erased = await door.enter(Principal.operator("op")).erase(slice="agent-ada", slug="n")
    assert erased.scrubbed is False
    async with await open_local(postgres.owner_url, clock=HandClock(), new_id=ids(10**6)) as owner:
        assert (await owner.enter(Principal.operator("op")).erase(slice="agent-ada", slug="n")).scrubbed is True
    with psycopg.connect(postgres.owner_url) as connection:
        never = connection.execute(
            b"SELECT relname FROM pg_stat_user_tables WHERE last_vacuum IS NULL AND pg_relation_size(relid) > 0"
        ).fetchall()
    assert never == []
    assert (await door.enter(Principal.operator("op")).verify()).ok
