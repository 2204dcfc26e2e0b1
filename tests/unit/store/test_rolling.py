"""Versions side by side on one store: a program on the schema that a newer one made, and on the one before its own.

What a later version does is played by today's steps and one more; what an earlier one left is kept as SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from sliceway.brain.local import SCRIPTS as TODAY
from sliceway.brain.local import LocalDoor, migrate_postgres, open_local
from sliceway.core.principals import Principal
from sliceway.errors import StoreUnavailable
from sliceway.ports import NewId
from sliceway.store.doctor import examine_store, is_current
from sliceway.store.engine import Connection
from sliceway.store.migrate import migrate
from sliceway.store.opening import open_database
from sliceway.store.reindex import reindex
from sliceway.store.steps import Standing, standing, steps_of
from sliceway.wiring.store import migrations
from tests.contract.office import MIA, ask, gateway, page, settle
from tests.fakes.clock import HandClock, ids
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.future import ADDS, STEP, future
from tests.fakes.snapshots import kept, load_postgres, load_sqlite

OWNER = "sliceway_test_rolling"
HEAD = steps_of(TODAY).head
BREAKS = """op.execute("ALTER TABLE grants RENAME COLUMN until TO ends")"""
MAKES = """op.add_column("pages", sa.Column("embedded", sa.Integer(), nullable=True))
    text = sa.Text(collation="C")
    op.add_column("slices", sa.Column("embedder", text, nullable=True))
    op.add_column("slices", sa.Column("vectors", text, nullable=True))
    op.create_table("vectors", sa.Column("slice", text, primary_key=True), sa.Column("doc", sa.Integer()),
        sa.Column("event_id", text), sa.Column("passage", sa.Integer()), sa.Column("model", text),
        sa.Column("before", sa.Integer()), sa.Column("vector", sa.LargeBinary()))"""
TOKEN = "00000000000000000000000002"
"""The id of the token in snapshots."""
EMPTIES = """op.execute("DELETE FROM terms")
    op.execute("DELETE FROM neighbours")"""


@dataclass(frozen=True)
class Home:
    """A store at today's schema, and how a later version takes its steps there."""

    url: str
    owner_url: str

    def take(self, scripts: str) -> bool:
        """Take the steps in `scripts` as its owner."""
        database = open_database(self.owner_url)
        try:
            return migrate(database, scripts, reindex=reindex, finish=self._finish())
        finally:
            database.let_go()

    def run(self, *statements: str) -> None:
        """Run statements as its owner."""
        database = open_database(self.owner_url)
        try:
            with database.write() as connection:
                for statement in statements:
                    connection.exec_driver_sql(statement).close()
        finally:
            database.let_go()

    def stands(self) -> str | None:
        """Return its step."""
        database = open_database(self.owner_url)
        try:
            with database.read() as connection:
                return standing(connection).step
        finally:
            database.let_go()

    def _finish(self) -> Callable[[Connection], None] | None:
        if self.url == self.owner_url:
            return None
        from sliceway.store.roles import secure
        from tests.fakes.postgres import APP

        return lambda connection: secure(connection, APP)


@pytest.fixture
def empty(_postgres_server: None) -> Iterator[Home]:
    """An empty database on PostgreSQL, of an owner who is no superuser."""
    from tests.fakes.postgres import owned_database  # which needs the driver

    with owned_database(OWNER) as made:
        yield Home(made.url, made.owner_url)


@pytest.fixture
def there(empty: Home) -> Home:
    """A store there."""
    migrate_postgres(empty.owner_url, empty.url)
    return empty


@pytest.fixture(params=["sqlite", "postgres"])
def home(request: pytest.FixtureRequest, tmp_path: Path) -> Home:
    """A store on either engine."""
    if request.param == "postgres":
        found: Home = request.getfixturevalue("there")
        return found
    url = f"sqlite:///{tmp_path}/store.db"
    open_database(url).let_go()
    Home(url, url).take(TODAY)
    return Home(url, url)


async def work(door: LocalDoor, slug: str) -> None:
    """Write, ask, decide, read and find; then verify the record."""
    ada = door.enter(Principal.agent("ada"))
    for content in ("Build 2301 is the rollback target.", f"The rollback target of {slug} is build 2302."):
        await ada.write_pages(slice="mine", pages=[page(slug, content)])
    asked = await ask(gateway(door), page(f"team/{slug}"))
    await gateway(door).decide(id=asked.id, decision="approve", revision=1, decided_by=MIA)
    await ada.delete(slice="mine", slug=slug)
    await ada.restore(slice="mine", slug=slug)
    found = await ada.recall(query=f"rollback target of {slug}", slices=["mine"])
    assert slug in {hit.slug for hit in found.hits}
    assert (await ada.read_page(slice="shared", slug=f"team/{slug}")).version == 1
    report = await door.enter(Principal.operator("root")).verify()
    assert report.ok, report.errors


async def test_br12_a_program_goes_on_where_a_newer_one_only_added(
    home: Home, tmp_path: Path, clock: HandClock, new_id: NewId
) -> None:
    """BR12 OP2: several starters of a newer version take its step once, under a program that works; that one goes on,
    starts anew, writes, finds, verifies and takes nothing back; `doctor` and `/readyz` say how it stands."""
    later = future(tmp_path / "later", HEAD, ADDS, "adds_only = True")
    async with await open_local(home.owner_url, clock=clock, new_id=new_id) as owner:
        await settle(owner)
        home.run("ALTER TABLE alembic_version DROP COLUMN oldest")  # as a version has it that does not keep it yet
        token = (await owner.enter(Principal.operator("root")).create_token(kind="admin")).token
    async with await open_local(home.url, clock=clock, new_id=new_id) as running:
        await work(running, "before")
        for _ in range(40):  # often enough that the driver has these prepared, with the columns of then
            await running.principal_of(token)
            assert (await migrations(running))["fit"] == "same"
        with ThreadPoolExecutor(3) as starters:
            assert sorted(starters.map(lambda _: home.take(later), range(3))) == [False, False, True]
        for _ in range(8):
            await running.principal_of(token)
            assert await migrations(running) == {"ok": True, "schema": STEP, "fit": "ahead"}
        await work(running, "meanwhile")
    assert home.take(TODAY) is False
    assert is_current(home.url, TODAY)
    async with await open_local(home.url, clock=clock, new_id=new_id) as door:
        await work(door, "after")
    assert [(check.ok, "added to it" in check.says) for check in examine_store("store", home.url, TODAY)[1:]] == [
        (True, True)
    ]
    assert home.stands() == STEP


async def test_br12_a_program_is_refused_where_a_newer_one_changed_more(
    home: Home, tmp_path: Path, clock: HandClock, new_id: NewId
) -> None:
    """BR12 OP2: whoever runs is not ready any more; whoever starts, or migrates, is refused with the schema and what
    this program knows, and changes nothing."""
    later = future(tmp_path / "later", HEAD, BREAKS, "adds_only = False")
    async with await open_local(home.url, clock=clock, new_id=new_id) as running:
        assert home.take(later)
        assert await migrations(running) == {"ok": False, "schema": STEP, "fit": "too_new"}
    for tries in (lambda: home.take(TODAY), None):
        with pytest.raises(StoreUnavailable, match="from a newer version") as refused:
            _ = tries() if tries is not None else await open_local(home.url, clock=clock, new_id=new_id)
        assert (refused.value.code, refused.value.facts) == ("unavailable", {"schema": STEP, "knows": HEAD})
    assert not is_current(home.url, TODAY)
    assert [check.ok for check in examine_store("store", home.url, TODAY)] == [True, False]
    assert home.stands() == STEP


async def test_br12_a_newer_program_serves_before_its_additions_are_made(
    there: Home, tmp_path: Path, clock: HandClock, new_id: NewId, monkeypatch: pytest.MonkeyPatch
) -> None:
    """BR12: a server on PostgreSQL, which may not change the schema, works without a table and columns that it knows
    and that only add; when its owner has made them it goes on, and a new start has them, with one record that holds."""
    later = future(tmp_path / "later", HEAD, MAKES, "adds_only = True")
    there.run(
        "ALTER TABLE pages DROP COLUMN embedded", "DROP TABLE vectors",
        "ALTER TABLE slices DROP COLUMN embedder, DROP COLUMN vectors",
    )  # fmt: skip
    monkeypatch.setattr("sliceway.brain.local.SCRIPTS", later)
    monkeypatch.setattr("sliceway.wiring.store.STORE_SCRIPTS", later)
    async with await open_local(there.owner_url, clock=clock, new_id=new_id) as owner:
        await settle(owner)
    async with await open_local(there.url, clock=clock, new_id=new_id, embedder=FakeEmbedder()) as door:
        await work(door, "before")
        assert await migrations(door) == {"ok": True, "schema": HEAD, "fit": "behind"}
        assert [check.ok for check in examine_store("store", there.url, later)] == [True, True]
        assert there.take(later)
        await work(door, "meanwhile")
    async with await open_local(there.url, clock=clock, new_id=new_id) as door:
        assert door.database.lacks is None
        await work(door, "after")
        with door.database.read() as connection:
            connection.exec_driver_sql("SELECT set_config('sliceway.reads', '*', true)").close()
            left = connection.exec_driver_sql("SELECT count(*), count(embedded) FROM pages").one()
    assert tuple(left) == (6, 0)


def test_br12_a_migration_gives_up_a_table_that_is_held(
    there: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """BR12: behind a dump, or another long transaction, a migration does not keep everybody waiting: it ends in words,
    with nothing changed, and is run again later."""
    from sliceway.store.engine_postgres import PostgresDatabase  # which needs the driver

    later = future(tmp_path / "later", HEAD, ADDS, "adds_only = True")
    monkeypatch.setattr(PostgresDatabase, "table_wait_s", 0.05)
    holder = open_database(there.url)
    with holder.read() as connection:
        connection.exec_driver_sql("SELECT count(*) FROM pages").close()
        with pytest.raises(StoreUnavailable, match=r"held by another program for too long; nothing was written"):
            there.take(later)
        assert there.stands() == HEAD
    holder.let_go()
    assert there.take(later)


async def test_br12_a_program_is_refused_where_more_than_additions_is_missing(
    there: Home, tmp_path: Path, clock: HandClock, new_id: NewId, monkeypatch: pytest.MonkeyPatch
) -> None:
    """BR12: a server whose schema lacks what it relies on does not start, and says what to run."""
    monkeypatch.setattr("sliceway.brain.local.SCRIPTS", future(tmp_path / "later", HEAD, BREAKS, "adds_only = False"))
    with pytest.raises(StoreUnavailable, match="Run: sliceway brain migrate") as refused:
        await open_local(there.url, clock=clock, new_id=new_id)
    assert refused.value.facts == {"schema": HEAD, "knows": STEP}


async def test_br12_a_step_that_asks_for_it_has_the_index_made_again(
    home: Home, tmp_path: Path, clock: HandClock, new_id: NewId
) -> None:
    """BR12 FR1: a step only says that the index is to be made again; it is, once all steps are taken, with postings,
    neighbours and lengths that the record tells."""
    async with await open_local(home.owner_url, clock=clock, new_id=new_id) as owner:
        await settle(owner)
    async with await open_local(home.url, clock=clock, new_id=new_id) as door:
        await work(door, "talk/1")
        await work(door, "talk/2")
    assert home.take(future(tmp_path / "later", HEAD, EMPTIES, "adds_only = False\nreindexes = True"))
    home.run(f"UPDATE alembic_version SET version_num = '{HEAD}'")
    async with await open_local(home.url, clock=clock, new_id=new_id) as door:
        await work(door, "talk/3")


async def holds(door: LocalDoor) -> None:
    """See that what the version of a snapshot wrote is there, and is found; then go on with it."""
    ada = door.enter(Principal.agent("ada"))
    old = await ada.read_page(slice="mine", slug="deploy/1")
    assert (old.version, old.content) == (2, "Build 2301 is the [[deploy/target]] of a rollback.")
    assert [link.slug for link in old.links] == ["deploy/target"]
    found = await ada.recall(query="rollback build 2301", slices=["mine"], limit=2)
    assert {hit.slug for hit in found.hits} == {"deploy/1", "deploy/2"}
    listed = await door.enter(Principal.operator("root")).proposals()
    states = {entry.pages[0].slug: entry.state for entry in listed.items}
    assert states.items() >= {"oncall": "applied", "offcall": "denied", "waits": "pending"}.items()
    assert (await door.principal_of(f"slw_{TOKEN}_{'s' * 43}")).token_id == TOKEN


@pytest.mark.parametrize("snapshot", kept("sqlite"), ids=lambda file: file.stem)
async def test_br12_a_file_of_an_earlier_version_goes_on(snapshot: Path, tmp_path: Path, clock: HandClock) -> None:
    """BR12: several starters find a store that an earlier version left: one takes the steps, and all of it goes on."""
    url = f"sqlite:///{tmp_path}/store.db"
    load_sqlite(snapshot, tmp_path / "store.db")
    missing = Home(url, url).stands() != HEAD
    with ThreadPoolExecutor(3) as starters:
        took = starters.map(lambda _: Home(url, url).take(TODAY), range(3))
        assert sorted(took) == [False, False, missing]
    async with await open_local(url, clock=clock, new_id=ids(10_000)) as door:
        await holds(door)
        await work(door, "after")


@pytest.mark.parametrize("snapshot", kept("postgres"), ids=lambda file: file.stem)
async def test_br12_a_database_of_an_earlier_version_goes_on(snapshot: Path, empty: Home, clock: HandClock) -> None:
    """BR12: a server of this version works on a database that an earlier one left where additions alone are missing,
    and is refused elsewhere; several starters as its owner take the steps once, and it goes on."""
    load_postgres(snapshot, empty.owner_url)
    step = empty.stands()
    if steps_of(TODAY).fit(Standing(step)).serves:
        async with await open_local(empty.url, clock=clock, new_id=ids(10_000)) as door:
            await holds(door)
            await work(door, "before")
    else:
        with pytest.raises(StoreUnavailable, match="Run: sliceway brain migrate"):
            await open_local(empty.url, clock=clock, new_id=ids())
    with ThreadPoolExecutor(3) as starters:
        took = starters.map(lambda _: empty.take(TODAY), range(3))
        assert sorted(took) == [False, False, step != HEAD]
    async with await open_local(empty.url, clock=clock, new_id=ids(20_000)) as door:
        await holds(door)
        await work(door, "after")
