"""A store on PostgreSQL: made by its owner, one way at a time; up again when the server is; waited for, not lost."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

pytest.importorskip("psycopg")  # the contracts fail in CI where it is missing

import psycopg

from sliceway.brain.local import migrate_postgres, open_local
from sliceway.core.principals import Principal
from sliceway.core.proposals import Changes
from sliceway.core.tokens import token_parts
from sliceway.errors import StoreUnavailable
from sliceway.ports import NewId
from sliceway.settings import load_settings
from sliceway.store.doctor import examine_store, is_current
from sliceway.store.roles import APP as ROLE
from sliceway.wiring.store import open_store
from tests.fakes.clock import HandClock
from tests.fakes.postgres import APP, KEEPER, PASSWORD, Server, login, own_server

SCRIPTS = "sliceway.store:migrations"
OWNER = "house_owner"
PAGE = {"slug": "n", "content": "kept"}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server of this file's own, with the login of an owner who is no superuser, and that of the app."""
    with own_server() as running:
        running.run(
            f"CREATE ROLE {OWNER} LOGIN CREATEROLE PASSWORD '{PASSWORD}'",
            f"CREATE ROLE {APP} LOGIN PASSWORD '{PASSWORD}'",
            f"CREATE DATABASE house OWNER {OWNER}",
            f"CREATE DATABASE annexe OWNER {OWNER}",
        )
        yield running


@pytest.fixture
def owner_url(server: Server) -> str:
    """The address of the owner of a store that is there."""
    migrate_postgres(server.at("house", OWNER), server.at("house", APP))
    return server.at("house", OWNER)


@pytest.fixture
def url(server: Server, owner_url: str) -> str:
    """The address of the app of that store."""
    return server.at("house", APP)


async def test_br12_several_starters_find_one_empty_database(server: Server, clock: HandClock, new_id: NewId) -> None:
    """BR12: before its owner made the tables the app is told what to run; four starters at once make them once."""
    url = server.at("annexe", APP)
    with pytest.raises(StoreUnavailable, match=r"not made yet, not .* Run: sliceway brain migrate"):
        await open_local(url, clock=clock, new_id=new_id)
    assert not is_current(url, SCRIPTS)
    with ThreadPoolExecutor(4) as starters:
        made = list(starters.map(lambda _: migrate_postgres(server.at("annexe", OWNER), url), range(4)))
    assert sorted(made) == [False, False, False, True]
    async with await open_local(url, clock=clock, new_id=new_id) as door:
        await door.enter(Principal.agent("ada")).write_pages(slice="mine", pages=[PAGE])
        assert (await door.enter(Principal.operator()).verify()).ok


async def test_br4_the_owner_sees_every_row_and_the_app_none_untold(
    owner_url: str, url: str, clock: HandClock, new_id: NewId
) -> None:
    """BR4 BR2: an owner that is no superuser makes tokens and verifies, as a member of maintenance; the app is a member
    of its own role alone."""
    async with await open_local(owner_url, clock=clock, new_id=new_id) as door:
        made = await door.enter(Principal.operator("op")).create_token(kind="admin")
        assert (await door.enter(Principal.operator("op")).verify()).ok
    async with await open_local(url, clock=clock, new_id=new_id) as door:
        assert (await door.principal_of(made.token)).token_id == token_parts(made.token)[0]
    with psycopg.connect(owner_url) as owner, psycopg.connect(url) as app:
        counted = "SELECT count(*) FROM events"
        assert (owner.execute(counted).fetchone() or (0,))[0] > 0
        assert app.execute(counted).fetchone() == (0,)
        roles = app.execute("SELECT rolname FROM pg_roles WHERE pg_has_role(oid, 'usage') AND NOT rolcanlogin")
        assert roles.fetchall() == [(ROLE,)]


def test_br12_a_login_that_is_missing_is_named(server: Server, owner_url: str) -> None:
    """BR12: the login of the app has to be there; the words name it and how it is made."""
    with pytest.raises(StoreUnavailable, match=r"'nobody_here', .* CREATE ROLE"):
        migrate_postgres(owner_url, server.at("house", "nobody_here"))


def test_br12_an_owner_without_rights_is_told_what_is_needed(server: Server, url: str) -> None:
    """BR12: who owns nothing and makes no roles changes nothing, and is told what an owner has to be."""
    server.run("CREATE DATABASE cellar")
    with pytest.raises(StoreUnavailable, match=r"run: sliceway brain migrate|has to own"):
        migrate_postgres(server.at("cellar", APP), server.at("cellar", APP))


def test_op2_the_doctor_says_how_a_store_on_postgresql_stands(server: Server, owner_url: str, url: str) -> None:
    """OP2: reached, of this schema, behind the wall; a superuser's address and a server that is down are not well."""
    assert [check.ok for check in examine_store("store", url, SCRIPTS)] == [True, True]
    above = examine_store("store", server.at("house"), SCRIPTS)
    assert [(check.ok, "above row-level security" in check.says) for check in above] == [(False, True), (True, False)]
    down = examine_store("store", "postgresql://a@127.0.0.1:1/d", SCRIPTS)
    assert [(check.ok, "cannot be reached" in check.says) for check in down] == [(False, True)]
    assert is_current(url, SCRIPTS)


def test_op2_the_doctor_looks_at_the_login_of_maintenance(server: Server, owner_url: str, url: str) -> None:
    """OP2 BR11: a login that is no member, one that is not let in, and a database that is no store are named with the
    cure; a member that owns nothing is well, and `brain migrate` makes it one."""
    server.run(login(KEEPER), "CREATE DATABASE attic")

    def looked(address: str) -> tuple[bool, str, str]:
        check = examine_store("store", url, SCRIPTS, maintenance=address)[-1]
        assert check.name == "store_maintenance"
        return check.ok, check.says, check.cure

    keeper = server.at("house", KEEPER)
    ok, says, cure = looked(keeper)
    assert (ok, "brain migrate" in cure) == (False, True), says
    assert [looked(address)[0] for address in (url, server.at("attic", KEEPER), server.at("nowhere", KEEPER))] == [
        False, False, False,
    ]  # fmt: skip
    migrate_postgres(owner_url, url, keeper)
    ok, says, cure = looked(keeper)
    assert (ok, "is a member" in says, cure) == (True, True, "")
    ok, says, _ = looked(owner_url)
    assert (ok, "owns the store's tables" in says) == (True, True)


async def test_fr7_after_a_restart_of_the_server_the_next_call_works(
    server: Server, url: str, clock: HandClock, new_id: NewId
) -> None:
    """FR7 BR12: a server that crashes under an open store loses nothing that was answered; calls go on when it is up,
    also on connections that were made before, and waiting for changes ends in time."""
    async with await open_local(url, clock=clock, new_id=new_id) as door:
        brain = door.enter(Principal.agent("restarted"))
        await brain.write_pages(slice="mine", pages=[PAGE])
        waiting = asyncio.create_task(brain.changes(wait=1.0))
        server.restart()  # in this very thread: the kernel ends a server with the thread that started it
        assert (await brain.read_page(slice="mine", slug="n")).content == "kept"
        await brain.write_pages(slice="mine", pages=[{**PAGE, "content": "kept too"}])
        (ended,) = await asyncio.gather(waiting, return_exceptions=True)
        assert isinstance(ended, Changes | StoreUnavailable)
        assert (await door.enter(Principal.operator()).verify()).ok


async def test_fr7_a_connection_that_dies_in_the_middle_is_unavailable_or_tried_again(
    server: Server, url: str, clock: HandClock, new_id: NewId
) -> None:
    """FR7: a connection ended in the middle of a call is replaced once; ended again, the call is `unavailable` in words
    that name no password, and the next one works."""
    async with await open_local(url, clock=clock, new_id=new_id) as door:
        ended = 0

        def dies(times: int) -> str:
            nonlocal ended
            with door.database.engine.connect() as connection:
                pid = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
                if ended < times:
                    ended += 1
                    server.run(f"SELECT pg_terminate_backend({pid})")
                return str(connection.exec_driver_sql("SELECT 'here'").scalar_one())

        assert await door.database.writing(lambda _: "begun") == "begun"
        for times, lost in ((1, False), (3, True)):
            ended = 0
            if lost:
                with pytest.raises(StoreUnavailable, match="call again with the same request_id") as refused:
                    await door.database.reading(lambda _, times=times: dies(times))  # type: ignore[misc]
                assert PASSWORD not in refused.value.detail
            else:
                assert await door.database.reading(lambda _, times=times: dies(times)) == "here"  # type: ignore[misc]
        assert await door.database.reading(lambda _: dies(0)) == "here"


async def test_cf1_what_a_process_may_take_is_set(url: str) -> None:
    """CF1 BR12: the connections that a process keeps, and how long a statement may take, are what the settings say:
    with two, forty calls at once share them, and none is refused."""
    env = {
        "HOME": "/nowhere", "SLICEWAY_STORE__URL": url, "SLICEWAY_STORE__POOL_SIZE": "2",
        "SLICEWAY_STORE__STATEMENT_TIMEOUT": "7s", "SLICEWAY_STORE__SYNC": "normal",
    }  # fmt: skip
    asked = "SELECT pg_backend_pid(), current_setting('statement_timeout'), current_setting('synchronous_commit')"
    async with await open_store(load_settings(env=env)) as door:
        work = [door.database.reading, door.database.writing] * 20
        found = await asyncio.gather(*(each(lambda c: tuple(c.exec_driver_sql(asked).one())) for each in work))
    assert {about[1:] for about in found} == {("7s", "off")}
    assert len({pid for pid, *_ in found}) <= 2


async def test_br12_writers_of_other_slices_do_not_wait(url: str, clock: HandClock, new_id: NewId) -> None:
    """BR12: while one transaction holds a slice, other slices are written; the held one is waited for, and after
    `store.statement_timeout` the wait ends in words, with nothing written."""
    async with await open_local(url, clock=clock, new_id=new_id, statement_timeout=0.4) as door:
        ada, bob = (door.enter(Principal.agent(name)) for name in ("held", "free"))
        await ada.write_pages(slice="mine", pages=[PAGE])
        with psycopg.connect(url) as other:
            other.execute("SELECT set_config('sliceway.reads', '*', true)")
            other.execute("SELECT set_config('sliceway.writes', 'agent-held', true)")
            other.execute("SELECT seq FROM slices WHERE slice = 'agent-held' FOR UPDATE")
            await bob.write_pages(slice="mine", pages=[PAGE])
            with pytest.raises(StoreUnavailable, match="nothing was written"):
                await ada.write_pages(slice="mine", pages=[{**PAGE, "content": "late"}])
        await ada.write_pages(slice="mine", pages=[{**PAGE, "content": "in time"}])
        assert (await ada.read_page(slice="mine", slug="n")).version == 2
