"""Desks on PostgreSQL: one schema an agent, beside the brain's tables; many processes, each item taken once."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from contextlib import AsyncExitStack

import pytest

pytest.importorskip("psycopg")  # the fixtures fail in CI where it is missing

import psycopg
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from psycopg import sql
from sqlalchemy import select

from sliceway.brain.local import open_local
from sliceway.core.principals import Principal
from sliceway.core.turns import Lock, Person, Place, PlaceKind
from sliceway.errors import StoreUnavailable
from sliceway.ports import Desk, NewId
from sliceway.store import tables
from sliceway.store.desk import SCRIPTS, open_desk
from sliceway.store.desk_postgres import schema_of
from sliceway.store.desk_tables import inbox, metadata
from sliceway.store.doctor import examine_desk, is_current
from tests.fakes.clock import HandClock
from tests.fakes.postgres import APP, PASSWORD, Made, database, desk_home, login, looked_at_desk, own_server

OTHER = "sliceway_test_other"
CONTENT = [table.name for table in metadata.sorted_tables if any(c.info.get("content") for c in table.columns)]


@pytest.fixture(scope="module")
def home(_postgres_server: None) -> Made:
    """A database with a brain in it and room for desks, and another login that may make some."""
    made = desk_home()
    with psycopg.connect(made.owner_url, autocommit=True) as owner:
        owner.execute(login(OTHER).encode())
        owner.execute(
            sql.SQL("GRANT CREATE ON DATABASE {} TO {}").format(
                sql.Identifier(owner.info.dbname), sql.Identifier(OTHER)
            )
        )  # fmt: skip
    return made


async def _filled(desk: Desk) -> None:
    await desk.put_event(key="a", queue="q", kind="turn", payload={"text": "wombat"})
    await desk.owe(key="k", kind="reply", payload={"text": "wombat"})


def test_each_agent_has_a_schema_of_its_own() -> None:
    """ID10: two ids that differ at all have two schemas, in names that PostgreSQL does not cut."""
    long = "a" * 59
    names = [schema_of(agent) for agent in ("ada", "Ada", "a-da", "a_da", long, long[:-1], f"{long}b", "x" * 64)]
    assert len(set(names)) == len(names)
    assert all(len(name.encode()) <= 63 for name in names)
    assert names[0] == "desk_agent-ada"


async def test_a_desk_stands_beside_the_brain_and_is_nobody_elses(home: Made, clock: HandClock, new_id: NewId) -> None:
    """SC9 BR4: in one database with the brain, what is on an agent's desk is in its schema alone: not on another
    agent's desk with the same login, not to be read by another login, and the brain's tables are as they were."""
    ada = await open_desk(home.url, clock=clock, agent="ada")
    bob = await open_desk(home.url, clock=clock, agent="bob")
    eve = await open_desk(home.as_login(OTHER), clock=clock, agent="eve")
    await _filled(ada)
    for other in (bob, eve):
        assert await other.take_turn(holder="h", lease_s=5) is None
        assert await other.take_owed(holder="h", lease_s=5) is None
        await _filled(other)  # the same keys are other items there
    assert await ada.take_turn(holder="h", lease_s=5) is not None
    with psycopg.connect(home.as_login(OTHER)) as hand:
        for name in CONTENT:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                hand.execute(sql.SQL("SELECT payload FROM {}").format(sql.Identifier(schema_of("ada"), name)))
            hand.rollback()
    with pytest.raises(StoreUnavailable, match=rf"another login's, {APP}: the schema desk_agent-ada"):
        await open_desk(home.as_login(OTHER), clock=clock, agent="ada")
    async with await open_local(home.url, clock=clock, new_id=new_id) as door:
        assert (await door.enter(Principal.operator()).verify()).ok
    with psycopg.connect(home.owner_url) as owner:
        found = owner.execute("SELECT schemaname, tablename FROM pg_tables WHERE schemaname !~ '^(pg_|information)'")
        where = Counter(schema for schema, _ in found)
    assert where["public"] == len(tables.metadata.tables) + 1
    assert {where[schema_of(agent)] for agent in ("ada", "bob", "eve")} == {len(metadata.tables) + 1}
    for desk in (ada, bob, eve):
        await desk.close()


async def test_br12_the_desks_migrations_make_the_same_tables_on_postgresql(home: Made, clock: HandClock) -> None:
    """BR12: after every step the schema has exactly the tables, columns and indexes of the metadata, its text sorts by
    bytes, and its numbers do not run out."""
    await (await open_desk(home.url, clock=clock, agent="new")).close()
    with looked_at_desk(home.url, "new") as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        odd = connection.exec_driver_sql(
            "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = current_schema() "
            "AND table_name <> 'alembic_version' AND (data_type = 'text' AND collation_name IS DISTINCT FROM 'C' "
            "OR column_name = 'seq' AND data_type <> 'bigint')"
        ).fetchall()
        kinds = connection.exec_driver_sql("SELECT data_type FROM pg_sequences WHERE schemaname = current_schema()")
        assert {str(kind) for (kind,) in kinds} == {"bigint"}
    assert odd == []


async def test_each_item_is_given_once_whoever_asks_and_in_its_order(home: Made, clock: HandClock) -> None:
    """R57 R11: four processes' doors put and take at once: nothing is given twice, and of one queue nothing is given
    before what was put there first is done."""
    async with AsyncExitStack() as stack:
        desks = [await open_desk(home.url, clock=clock, agent="busy") for _ in range(4)]
        for desk in desks:
            stack.push_async_callback(desk.close)

        def put(number: int) -> asyncio.Task[bool]:
            key, queue = f"{number % 3}/{number:02}", f"q{number % 3}"
            return asyncio.create_task(desks[number % 4].put_event(key=key, queue=queue, kind="turn", payload={}))

        twice = await asyncio.gather(*(put(number // 2) for number in range(60)))
        assert sum(twice) == 30
        given: dict[str, list[str]] = {}
        doing: set[str] = set()

        async def works(desk: Desk, name: str) -> None:
            while await desk.inbox_depth():
                item = await desk.take_turn(holder=name, lease_s=60)
                if item is None:
                    continue
                assert item.queue not in doing
                doing.add(item.queue)
                given.setdefault(item.queue, []).append(item.key)
                await desk.renew(item, holder=name, lease_s=60)
                doing.remove(item.queue)
                await desk.finish(item.key)

        await asyncio.gather(*(works(desk, f"h{number}") for number, desk in enumerate(desks)))
    assert sorted(len(keys) for keys in given.values()) == [10, 10, 10]
    with looked_at_desk(home.url, "busy") as connection:
        for queue, keys in given.items():
            put_in_order = connection.execute(
                select(inbox.c.key).where(inbox.c.queue == queue).order_by(inbox.c.seq)
            ).scalars()
            assert [*put_in_order] == keys


async def test_a_name_and_a_thread_have_one_holder_among_many(home: Made, clock: HandClock) -> None:
    """OO3 R57: of eight that want a name or a thread at once one has it, and all agree who."""
    async with AsyncExitStack() as stack:
        desks = [await open_desk(home.url, clock=clock, agent="one") for _ in range(2)]
        for desk in desks:
            stack.push_async_callback(desk.close)
        leases = [desks[at % 2].lease("feed", holder=f"h{at}", lease_s=5) for at in range(8)]
        assert sum(await asyncio.gather(*leases)) == 1
        place = Place("slack", "T1", "D1", thread="1.0", kind=PlaceKind.IM)
        wanted = [Lock(Person("T1", f"U{at}"), place, idle_until="2027-01-01T00:00:00.000000Z") for at in range(8)]
        came = await asyncio.gather(*(desks[at % 2].lock(lock) for at, lock in enumerate(wanted)))
        assert len({lock.owner for lock in came}) == 1
        await asyncio.gather(*(desks[at % 2].move_cursor("changes", str(at)) for at in range(8)))


@pytest.mark.usefixtures("_postgres_server")
async def test_a_login_that_may_not_make_the_schema_is_told_who_has_to(clock: HandClock) -> None:
    """BR12 CF2: where the login may make nothing, nothing is made and the words are the statement to run; when that was
    run, the desk opens. The doctor says the same of it."""
    with database(empty=True) as made:
        with pytest.raises(StoreUnavailable) as refused:
            await open_desk(made.url, clock=clock, agent="ada")
        said = re.search(r"CREATE SCHEMA .*?;", refused.value.detail)
        assert said is not None
        (check,) = examine_desk(made.url, "ada", SCRIPTS)
        assert (check.ok, said[0] in check.says) == (False, True)
        with psycopg.connect(made.owner_url, autocommit=True) as owner:
            owner.execute(said[0].encode())
        assert not is_current(made.url, SCRIPTS, desk_of="ada")
        assert [check.ok for check in examine_desk(made.url, "ada", SCRIPTS)] == [True, True]
        await (await open_desk(made.url, clock=clock, agent="ada")).close()
        assert is_current(made.url, SCRIPTS, desk_of="ada")


async def test_fr7_a_desk_goes_on_after_a_restart_of_the_server(clock: HandClock) -> None:
    """FR7 OP4: the server crashes under a gateway: what was accepted is there, the same calls go on when it is up, and
    while it is away they are `unavailable` in words that name the desk and no password."""
    with own_server() as server:
        server.run(f"CREATE ROLE {APP} LOGIN PASSWORD '{PASSWORD}'", f"CREATE DATABASE desks OWNER {APP}")
        desk = await open_desk(server.at("desks", APP), clock=clock, agent="ada")
        await _filled(desk)
        server.restart()  # in this very thread: the kernel ends a server with the thread that started it
        item = await desk.take_turn(holder="h", lease_s=5)
        assert item is not None
        assert item.payload == {"text": "wombat"}
        server.stop()
        with pytest.raises(StoreUnavailable, match=r"The desk of agent ada in .* cannot be reached") as away:
            await desk.finish("a")
        assert f":{PASSWORD}" not in away.value.detail
        server.start()
        await desk.finish("a")
        assert await desk.inbox_depth() == 0
        await desk.close()


async def test_a_desk_that_is_held_for_too_long_is_unavailable(home: Made, clock: HandClock) -> None:
    """BR12: whoever holds the desk's writers up is waited for no longer than `store.statement_timeout`; reads go on."""
    await (await open_desk(home.url, clock=clock, agent="held")).close()
    desk = await open_desk(home.url, clock=clock, agent="held", statement_timeout=0.5)
    with psycopg.connect(home.url) as other:
        other.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", (schema_of("held"),))
        with pytest.raises(StoreUnavailable, match="nothing was written"):
            await _filled(desk)
        assert await desk.inbox_depth() == 0
    await _filled(desk)
    await desk.close()
