"""Roles, rights and walls of PostgreSQL are made once, and again only where something about them changed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

pytest.importorskip("psycopg")  # the contracts fail in CI where it is missing

import psycopg

from sliceway.brain.local import SCRIPTS, migrate_postgres
from sliceway.store.engine_postgres import opened_once
from sliceway.store.plan import plan
from sliceway.store.roles import APP as ROLE
from sliceway.store.roles import MAINTENANCE, secured
from tests.fakes.postgres import APP, KEEPER, Made, owned_database

OWNER = "sliceway_test_house"
_MEMBERS = "SELECT pg_get_userbyid(member) FROM pg_auth_members WHERE roleid = to_regrole('sliceway_maintenance')"


@pytest.fixture(scope="module")
def made(_postgres_server: None) -> Iterator[Made]:
    """A store of this file's own, of an owner who is no superuser."""
    with owned_database(OWNER) as found:
        migrate_postgres(found.owner_url, found.url)
        yield found


def walls(made: Made) -> str | None:
    """Return what a plan says of the walls, looked at as the app."""
    with opened_once(made.url) as database:
        return plan(database, SCRIPTS).walls


@pytest.mark.timeout(20)
def test_br12_where_nothing_changed_nobody_waits(made: Made) -> None:
    """BR12: a second migration says nothing to any table: it is through while another transaction, which it would wait
    for without an end, still reads and writes them; the plan says so before."""
    assert walls(made) == "stand"
    with psycopg.connect(made.url) as reader, psycopg.connect(made.owner_url) as writer:
        reader.execute("SELECT count(*) FROM pages")
        writer.execute("LOCK TABLE events, slices, tokens IN ROW EXCLUSIVE MODE")
        assert migrate_postgres(made.owner_url, made.url) is False


CHANGES = (
    "DROP POLICY app_reads ON pages",
    "ALTER POLICY app_changes ON events USING (true)",
    "CREATE POLICY more ON pages FOR SELECT TO PUBLIC USING (true)",
    "ALTER TABLE proposals NO FORCE ROW LEVEL SECURITY",
    "ALTER TABLE grants DISABLE ROW LEVEL SECURITY",
    f"GRANT DELETE ON events TO {ROLE}",
    f"GRANT UPDATE (hash) ON events TO {ROLE}",
    f"REVOKE SELECT ON terms FROM {MAINTENANCE}",
    "GRANT EXECUTE ON FUNCTION sliceway_token(text, text) TO PUBLIC",
    "COMMENT ON FUNCTION sliceway_token(text, text) IS NULL",
)


def test_br12_what_was_changed_by_hand_is_made_as_it_should_be(made: Made) -> None:
    """BR12 BR4: any change of a wall or a right is seen by itself; all of them are mended by the next migration, and a
    policy of somebody else's is dropped."""
    with opened_once(made.owner_url) as database:
        for changed in CHANGES:
            with database.write() as connection:
                connection.exec_driver_sql(changed).close()
                assert not secured(connection), changed
                connection.rollback()
    with psycopg.connect(made.owner_url, autocommit=True) as owner:
        for changed in CHANGES:
            owner.execute(changed.encode())
    assert walls(made) == "to_make"
    assert migrate_postgres(made.owner_url, made.url) is False
    assert walls(made) == "stand"
    with psycopg.connect(made.owner_url) as owner:
        policies = owner.execute("SELECT count(*), count(DISTINCT tablename) FROM pg_policies").fetchone()
        loose = owner.execute(
            "SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace "
            "AND relname <> 'alembic_version' AND NOT (relrowsecurity AND relforcerowsecurity)"
        ).fetchone()
        rights = owner.execute(
            f"SELECT has_table_privilege('{ROLE}', 'events', 'DELETE'), "
            f"has_column_privilege('{ROLE}', 'events', 'hash', 'UPDATE'), "
            f"has_column_privilege('{ROLE}', 'events', 'salt', 'UPDATE')"
        ).fetchone()
    assert policies is not None
    assert policies[0] == 5 * policies[1]
    assert (loose, rights) == ((0,), (False, False, True))


def test_br12_a_login_that_is_named_later_is_let_in(made: Made) -> None:
    """BR12: where all else stands, a login of maintenance that the settings name from now on becomes a member."""
    with psycopg.connect(made.owner_url, autocommit=True) as owner:
        owner.execute(f"REVOKE sliceway_maintenance FROM {KEEPER} GRANTED BY {OWNER}".encode())
        migrate_postgres(made.owner_url, made.url, made.as_login(KEEPER))
        assert (KEEPER,) in owner.execute(_MEMBERS).fetchall()
        assert (APP,) not in owner.execute(_MEMBERS).fetchall()
