"""Opening a SQLite file: connections, transactions that queue, driver errors in words."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

from sqlalchemy import Connection, Engine, FromClause, create_engine, event
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import QueuePool

from sliceway.errors import FieldError, InvalidRequest, StoreUnavailable
from sliceway.store.engine import Database
from sliceway.store.files import FileLock, close_to_others, prepare, sqlite_file, which_file
from sliceway.store.watch import FileWatch

_READERS = 4
_SCRUB_WAITS_MS = 500
"""How long a scrub waits for readers before it is left for another time."""
_BUSY_SECONDS = 30.0
_SYNC = {"full": "FULL", "normal": "NORMAL"}

_WORDS = (
    ("readonly", "The store {file} is read-only for this user; nothing was written. Check owner and mode."),
    ("disk is full", "The disk of the store {file} is full; nothing was written. Free some space and try again."),
    ("malformed", "The store {file} is damaged. Stop writing to it, and restore a backup or rebuild it."),
    ("not a database", "The file {file} is not a store of this program. Name another file."),
    ("locked", "The store {file} is held by another program for too long; nothing was written. Try again."),
    ("unable to open", "The store {file} cannot be opened. Check that it exists and may be read."),
    ("disk i/o", "The disk of the store {file} does not answer properly; nothing was written."),
)


class _WithHints(SQLiteCompiler):
    """Writes the hints that name an index, which the toolkit leaves out for SQLite."""

    def get_from_hint_text(self, table: FromClause, text: str | None) -> str | None:
        """Return the hint as it was given."""
        return text


class SqliteDatabase(Database):
    """One SQLite file. Readers run in parallel; writers queue in this process, on the lock file, then in SQLite."""

    def __init__(self, url: str, *, sync: str = "full", looks_only: bool = False) -> None:
        """Open the file at `url` (`sqlite:///FILE`), made if missing; `sync` is `full` or `normal` (BR12).

        :param looks_only: read what is there: no file is made, no mode set, and nothing can be written.

        :raises StoreUnavailable: it cannot be opened. :raises InvalidRequest: `sync` is another word.
        """
        if sync not in _SYNC:
            raise InvalidRequest(errors=[FieldError("sync", "invalid_request", "say full or normal")])
        self._sync = _SYNC[sync]
        self.file: Path = sqlite_file(url)
        super().__init__(str(self.file), readers=_READERS, writers=1)
        self._looks_only = looks_only
        if not looks_only:
            prepare(self.file)
        elif not self.file.is_file():
            raise StoreUnavailable(f"There is no store {self.file}.")
        self._opened = which_file(self.file)
        self.lock = FileLock(self.file.with_name(self.file.name + ".lock"))
        self.engine: Engine = create_engine(
            "sqlite://",
            creator=self._connect,
            poolclass=QueuePool,
            hide_parameters=True,  # what people wrote stays out of errors and logs (OP3)
            pool_size=_READERS + 1,
            max_overflow=4,
        )
        self.engine.dialect.statement_compiler = _WithHints
        event.listen(self.engine, "connect", self._prepare_connection)
        event.listen(self.engine, "begin", self._begin)

    def _connect(self) -> sqlite3.Connection:
        """Open the file as it is named, and never make one: a store that was taken away is missed, not begun anew."""
        mode = "ro" if self._looks_only else "rw"
        return sqlite3.connect(
            f"{self.file.as_uri()}?mode={mode}", uri=True, check_same_thread=False, timeout=_BUSY_SECONDS
        )  # fmt: skip

    def _prepare_connection(self, connection: sqlite3.Connection, _record: object) -> None:
        """Set what every connection needs. Transactions are begun by us, never by the driver."""
        connection.isolation_level = None
        if self._looks_only:
            return
        for pragma in (
            "journal_mode=WAL", f"synchronous={self._sync}", "secure_delete=ON", "foreign_keys=ON",
            "cache_size=-16384", "mmap_size=268435456", "temp_store=MEMORY",
        ):  # fmt: skip
            connection.execute(f"PRAGMA {pragma}").close()

    @staticmethod
    def _begin(connection: Connection) -> None:
        """Begin as a reader with a snapshot, or as the one writer."""
        writes = connection.get_execution_options().get("writes", False)
        if writes:
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:  # which neither waits nor fails: the toolkit would take longer over it than SQLite
            connection.connection.cursor().execute("BEGIN").close()

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """Give a connection whose statements all see one moment. Call it off the event loop."""
        with self.in_words():
            self._check_in_place()
            with self.engine.connect() as connection, connection.begin():
                yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """Give the writing connection: committed at the end, rolled back by an exception. Call it off the loop."""
        with self.in_words(), self.lock.held():
            self._check_in_place()
            with self.engine.connect() as plain:
                connection = plain.execution_options(writes=True)
                with connection.begin():
                    yield connection

    def _check_in_place(self) -> None:
        """Look that the file is still the one that was opened: SQLite goes on writing to one that was moved, and its
        log stays behind, so that what it said was written is lost.

        :raises StoreUnavailable: it is gone, or another file stands in its place.
        """
        try:
            there = which_file(self.file)
        except OSError:
            there = None
        if there != self._opened:
            raise StoreUnavailable(
                f"The store {self.file} was moved, removed or replaced while it was open; nothing was written. "
                "Put it back, then start this program again."
            )

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """Turn the driver's errors into ours, cause kept.

        :raises StoreUnavailable: the store cannot be used; the words name the file and the cure.
        """
        try:
            yield
        except (DBAPIError, sqlite3.Error) as error:
            said = str(error).lower()
            for mark, words in _WORDS:
                if mark in said:
                    raise StoreUnavailable(words.format(file=self.file)) from error
            if isinstance(error, OperationalError | sqlite3.OperationalError):
                raise StoreUnavailable(
                    f"The store {self.file} cannot do what is asked of it; nothing was written. Verify it."
                ) from error
            raise

    def scrub(self, *, since: str, most: int | None = None) -> bool:
        """See `Database.scrub`: the log is taken over and emptied, every page written anew, and that log emptied too.

        It waits for the one writer, then holds writers up while it runs; readers go on, and what they still look at is
        scrubbed another time.
        """
        with self.in_words(), self.lock.held():
            self._check_in_place()
            if most is not None and self.file.stat().st_size > most:
                return False
            with closing(self._connect()) as connection:
                connection.isolation_level = None
                for pragma in ("secure_delete=ON", f"synchronous={self._sync}", f"busy_timeout={_SCRUB_WAITS_MS}"):
                    connection.execute(f"PRAGMA {pragma}").close()
                if not _emptied_log(connection):
                    return False
                try:
                    connection.execute("VACUUM").close()
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode not in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
                        raise
                    return False
                return _emptied_log(connection)

    def migrating(self) -> AbstractContextManager[Connection]:
        """See `Database.migrating`."""
        return self.write()

    def close_to_others(self) -> None:
        """See `Database.close_to_others`."""
        close_to_others(self.file)

    def watch(self) -> FileWatch:
        """See `Database.watch`."""
        return FileWatch(self.file, self.in_words)


def _emptied_log(connection: sqlite3.Connection) -> bool:
    """Take over all that the log holds and cut it to nothing; say whether no reader was in the way."""
    busy: int = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return busy == 0
