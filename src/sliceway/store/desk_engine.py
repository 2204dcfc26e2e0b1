"""The desk's file: opened with the modes it needs, migrated, and written by one process at a time."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection, Engine, NullPool, create_engine, event, make_url
from sqlalchemy.exc import DatabaseError

from sliceway.errors import StoreUnavailable

_SCRIPTS = Path(__file__).with_name("desk_migrations")
_SYNC = {"full": "FULL", "normal": "NORMAL"}


class DeskFile:
    """One SQLite file used from one thread, whose writers queue on a lock file before they begin (BR12)."""

    def __init__(self, url: str, *, sync: str = "full") -> None:
        """Open and migrate the file of `sqlite:///FILE`, making its folder (0700) and itself (0600) if need be.

        :param sync: `full`, or `normal` where losing the last moments of a power cut is acceptable.
        :raises StoreUnavailable: the file cannot be made, read or written, or a newer version wrote it.
        """
        name = make_url(url).database
        if not url.startswith("sqlite:") or not name or name == ":memory:":
            raise StoreUnavailable("The gateway's desk is a SQLite file: sqlite:///FILE (SLICEWAY_STATE__URL).")
        self.path = Path(name)
        with ExitStack() as opened, _said(self.path):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._queue = opened.enter_context(_private(self.path.with_name(self.path.name + ".lock")))
            _private(self.path).close()
            engine = create_engine(f"sqlite:///{self.path}", poolclass=NullPool)
            opened.callback(engine.dispose)
            _listen(engine, _SYNC[sync])
            self._connection = opened.enter_context(engine.connect())
            with self.write() as connection:
                _migrate(connection)
            self._opened = opened.pop_all()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Give the connection in a transaction that no other process writes beside; commit, or undo on an error."""
        with _said(self.path):
            fcntl.flock(self._queue, fcntl.LOCK_EX)
            try:
                with self._connection.begin():
                    yield self._connection
            finally:
                fcntl.flock(self._queue, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the file."""
        self._opened.close()


def _private(path: Path) -> IO[bytes]:
    """Open a file for appending that only its owner may read (BR17)."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "ab")


@contextmanager
def _said(path: Path) -> Iterator[None]:
    """Turn what the system or SQLite says into words that name the file."""
    try:
        yield
    except (DatabaseError, OSError) as error:
        cause = str(error.orig) if isinstance(error, DatabaseError) else (error.strerror or str(error))
        raise StoreUnavailable(
            f"The gateway's desk {path} cannot be used: {cause}. Check the folder's owner and the free space, "
            "or name another file in SLICEWAY_STATE__URL."
        ) from error


def _listen(engine: Engine, sync: str) -> None:
    """Have each connection in write-ahead mode, and each transaction begin as a writer."""

    def connected(raw: Any, _record: Any) -> None:
        raw.isolation_level = None
        for pragma in ("secure_delete=ON", "journal_mode=WAL", f"synchronous={sync}", "busy_timeout=10000"):
            raw.execute(f"PRAGMA {pragma}")

    def begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    event.listen(engine, "connect", connected)
    event.listen(engine, "begin", begun)


def _migrate(connection: Connection) -> None:
    """Bring the file to the newest version.

    :raises StoreUnavailable: the file has a version that this program does not know.
    """
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    config.attributes["connection"] = connection
    scripts = ScriptDirectory.from_config(config)
    now = MigrationContext.configure(connection).get_current_revision()
    if now == scripts.get_current_head():
        return
    try:
        if now is not None:
            scripts.get_revision(now)
    except CommandError:
        raise StoreUnavailable(
            f"The gateway's desk was written by a newer sliceway (version {now}); run that one, or name another file "
            "in SLICEWAY_STATE__URL."
        ) from None
    command.upgrade(config, "head")
