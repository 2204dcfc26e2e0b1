"""PostgreSQL's roles and row-level security, brought in step with the tables after each migration.

Three roles: the owner of the tables migrates; `sliceway_app` serves, and is kept by the database itself within the
slices that its transaction was told; `sliceway_maintenance` verifies and rebuilds, and sees every row.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, text
from sqlalchemy.exc import ProgrammingError

from sliceway.errors import StoreUnavailable
from sliceway.store.engine import Database
from sliceway.store.secured import mark, marked
from sliceway.store.tables import metadata
from sliceway.store.walls import READS, WRITES

APP, MAINTENANCE = "sliceway_app", "sliceway_maintenance"

_KEPT = frozenset({"events", "slices"})
"""Tables of which the app drops no row: the ledger and its heads. All others follow from these, or pass with time."""
_EMPTIED = {"events": ("payload", "salt")}
"""Tables whose rows the app never changes but by emptying these columns, which is how content is erased (BR10, BR11).
The wall itself takes nothing else there."""

# The settings are read once a statement, not once a row: a sub-select without an outer column is an init plan.
_TOLD = f"string_to_array(current_setting('{READS}', true), ',')"
_PATTERN = "replace(left(told, -1), '_', '\\_') || '%'"
_PATTERNS = f"SELECT array_agg({_PATTERN}) FROM unnest({_TOLD}) AS told WHERE told LIKE '%*'"  # noqa: S608 - ours alone
_READABLE = f"slice = ANY ((SELECT {_TOLD})::text[]) OR slice LIKE ANY (({_PATTERNS})::text[])"
_WRITABLE = f"slice = (SELECT current_setting('{WRITES}', true))"
_SHOWN = """\
CREATE OR REPLACE FUNCTION sliceway_token(of_slice text, token_id text) RETURNS SETOF tokens
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = {schema}, pg_temp
AS $$ SELECT * FROM tokens WHERE slice = of_slice AND id = token_id $$"""

_FUNCTION = "sliceway_token(text, text)"


def secure(connection: Connection, login: str, maintains: str | None = None) -> None:
    """Make the roles where they are missing, give each what it needs, put the wall before every table, and make the
    login of the app a member of its role, and that of whoever maintains one of the other. What stands already stays;
    where all of it does, nothing is said to any table, so that nobody waits.

    :raises StoreUnavailable: the owner may not make roles, or there is no such login.
    """
    for role in (APP, MAINTENANCE):
        _make(connection, role)
    if not secured(connection):
        for statement in (*_dropped(connection), *_statements(*_here(connection))):
            _run(connection, statement)
        _run(connection, f"COMMENT ON FUNCTION {_FUNCTION} IS '{_mark(connection)}'")
    _admit(connection, login, APP, "SLICEWAY_STORE__URL")
    if maintains is not None:
        _admit(connection, maintains, MAINTENANCE, "SLICEWAY_STORE__MAINTENANCE_URL")


def secured(connection: Connection) -> bool:
    """Say whether roles, rights and walls are those that this program makes, and stand as it left them: a mark beside
    the tables says what they were then."""
    return marked(connection, _FUNCTION) == _mark(connection)


def _mark(connection: Connection) -> str:
    names = ["alembic_version", *metadata.tables]
    return mark(connection, _statements("owner", "schema"), names=names, function=_FUNCTION, above=MAINTENANCE)


def _admit(connection: Connection, login: str, role: str, setting: str) -> None:
    """Make a login a member of a role.

    :raises StoreUnavailable: there is no such login, or the owner may not do it.
    """
    if connection.execute(text("SELECT 1 FROM pg_roles WHERE rolname = :name"), {"name": login}).first() is None:
        raise StoreUnavailable(
            f"{setting} names the login '{login}', and the server has none of that name; nothing was "
            f"changed. Create it, with a password: CREATE ROLE {_quoted(login)} LOGIN PASSWORD '…'"
        )
    member = "SELECT 1 FROM pg_auth_members WHERE roleid = to_regrole(:role) AND member = to_regrole(:login)"
    if connection.execute(text(member), {"role": role, "login": _quoted(login)}).first() is None:
        _run(connection, f"GRANT {role} TO {_quoted(login)}")


def above_the_wall(connection: Connection) -> bool:
    """Say whether the login of this connection is kept within nothing: a superuser, or a member of maintenance."""
    found = connection.execute(
        text(
            "SELECT rolsuper OR rolbypassrls OR EXISTS (SELECT 1 FROM pg_roles AS other WHERE other.rolname = :role "
            "AND pg_has_role(other.oid, 'usage')) FROM pg_roles WHERE rolname = current_user"
        ),
        {"role": MAINTENANCE},
    )
    return bool(found.scalar_one())


def maintains(connection: Connection) -> bool:
    """Say whether the login of this connection has the rights of maintenance: it is a member, or a superuser."""
    member = "SELECT EXISTS (SELECT 1 FROM pg_roles WHERE rolname = :role AND pg_has_role(oid, 'usage'))"
    return bool(connection.execute(text(member), {"role": MAINTENANCE}).scalar_one())


def owns_tables(connection: Connection) -> bool:
    """Say whether the login of this connection may do with the ledger's table what its owner may."""
    owner = "SELECT pg_has_role(relowner, 'usage') FROM pg_class WHERE oid = to_regclass('events')"
    return bool(connection.execute(text(owner)).scalar())


def is_above_the_wall(database: Database) -> bool:
    """Say it of the login that a database was opened with. Call it off the event loop."""
    with database.read() as connection:
        return above_the_wall(connection)


def _make(connection: Connection, role: str) -> None:
    if connection.execute(text("SELECT 1 FROM pg_roles WHERE rolname = :name"), {"name": role}).first() is None:
        # Another database of the server may make it in the same moment.
        made = f"CREATE ROLE {role} NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;"
        _run(connection, f"DO $$ BEGIN {made} END $$")


def _dropped(connection: Connection) -> list[str]:
    """Return what drops every policy on the tables: one that somebody else made would be a gate in the wall."""
    found = connection.execute(
        text("SELECT policyname, tablename FROM pg_policies WHERE schemaname = current_schema()")
    )  # fmt: skip
    return [f"DROP POLICY {_quoted(policy)} ON {table}" for policy, table in found if table in metadata.tables]


def _here(connection: Connection) -> tuple[str, str]:
    """Return the owner and the schema of the tables, as names for a statement."""
    found = connection.execute(text("SELECT current_user, current_schema()")).one()
    return _quoted(found[0]), _quoted(found[1])


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _statements(owner: str, schema: str) -> Iterator[str]:
    yield f"GRANT {MAINTENANCE} TO {owner}"
    yield f"GRANT USAGE ON SCHEMA {schema} TO {APP}, {MAINTENANCE}"
    yield f"GRANT SELECT ON alembic_version TO {APP}, {MAINTENANCE}"
    for table in metadata.sorted_tables:
        name = table.name
        rights = ["SELECT", "INSERT"]
        emptied = _EMPTIED.get(name, ())
        rights += [f"UPDATE ({', '.join(emptied)})"] if emptied else ["UPDATE"]
        empties = "".join(f" AND {column} IS NULL" for column in emptied)
        rights += ["DELETE"] if name not in _KEPT else []
        yield f"REVOKE ALL ON {name} FROM PUBLIC, {APP}"
        yield f"GRANT {', '.join(rights)} ON {name} TO {APP}"
        yield f"GRANT SELECT, INSERT, UPDATE, DELETE ON {name} TO {MAINTENANCE}"
        yield f"ALTER TABLE {name} ENABLE ROW LEVEL SECURITY"
        yield f"ALTER TABLE {name} FORCE ROW LEVEL SECURITY"
        for policy, clause in (
            ("app_reads", f"FOR SELECT TO {APP} USING ({_READABLE})"),
            ("app_adds", f"FOR INSERT TO {APP} WITH CHECK ({_WRITABLE})"),
            ("app_changes", f"FOR UPDATE TO {APP} USING ({_WRITABLE}) WITH CHECK ({_WRITABLE}{empties})"),
            ("app_drops", f"FOR DELETE TO {APP} USING ({_WRITABLE})"),
            ("maintenance", f"FOR ALL TO {MAINTENANCE} USING (true) WITH CHECK (true)"),
        ):
            yield f"CREATE POLICY {policy} ON {name} {clause}"
    yield _SHOWN.format(schema=schema)
    yield f"REVOKE ALL ON FUNCTION {_FUNCTION} FROM PUBLIC"
    yield f"GRANT EXECUTE ON FUNCTION {_FUNCTION} TO {APP}, {MAINTENANCE}"


def _run(connection: Connection, statement: str) -> None:
    try:
        connection.execute(text(statement)).close()
    except ProgrammingError as error:
        if getattr(error.orig, "sqlstate", None) != "42501":
            raise
        raise StoreUnavailable(
            "The login of SLICEWAY_STORE__OWNER_URL may not do all that is needed; nothing was changed. It has to own "
            f"the schema, and to make roles (CREATEROLE), or somebody who may runs this once: CREATE ROLE {APP}; "
            f"CREATE ROLE {MAINTENANCE}; and grants both to it WITH ADMIN OPTION."
        ) from error
