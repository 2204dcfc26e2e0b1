"""Opening a PostgreSQL database: a pool, transactions of one moment or of one held slice, driver errors in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any, ClassVar

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import QueuePool

from sliceway.core.clock import to_text
from sliceway.errors import FieldError, InvalidRequest, StoreUnavailable
from sliceway.store import walls
from sliceway.store.bell import Bell, BellWatch
from sliceway.store.engine import AGAIN, Database, HoldFirst, Result

_CONNECT_SECONDS = 5
_POOL_SECONDS = 30.0
_SPARE = 2
"""Connections beside those of the worker threads: for whoever opens a transaction without one."""
_TRIES = 8
_MIGRATION_LOCK = 0x511CE3A7
"""The advisory lock that migrations queue on, in each database its own."""
_SYNC = {"full": "", "normal": " -c synchronous_commit=off"}
_UNKNOWN = "whether the last write was kept is not known: call again with the same request_id"

_CLASHES = frozenset({"40001", "40P01", "23505", "0A000"})
"""Serialization failure, deadlock, a key that another first writer of the slice took, and a statement that the driver
had prepared before its table got another column: nothing was kept."""
_TABLES = """\
SELECT format('%I.%I', schemaname, stat.relname), pg_has_role(class.relowner, 'usage'),
       greatest(last_vacuum, last_autovacuum)
FROM pg_stat_user_tables AS stat JOIN pg_class AS class ON class.oid = relid
WHERE schemaname = current_schema() AND pg_relation_size(relid) > 0"""
"""The tables that are not empty, whether they are this login's, and when they were last vacuumed."""
_OPENING = frozenset({"57P01", "57P02", "57P03"})
_WORDS = {
    "28P01": "{where} refuses the login; check the user and the password of the address.",
    "28000": "{where} refuses the login; check the user of the address, and the server's pg_hba.conf.",
    "3D000": "{where} does not exist on that server; create the database, then run: sliceway brain migrate",
    "42P01": "{where} has no tables of this program's yet; run: sliceway brain migrate",
    "42501": "{where} does not let this login at its tables; run: sliceway brain migrate",
    "53100": "The disk of {where} is full; nothing was written. Free some space and try again.",
    "53300": "{where} has no connection left; lower store.pool_size, or raise its max_connections.",
    "25006": "{where} is read-only (a standby?); nothing was written. Name the primary.",
    "57014": "{where} took longer than store.statement_timeout; nothing was written. Try again.",
    "25P03": "{where} ended a transaction that this program left idle for too long; nothing was written. Try again.",
    "55P03": "{where} is held by another program for too long; nothing was written. Try again.",
    "40001": "{where} is written by too many at once; nothing was written. Try again.",
    "40P01": "{where} is written by too many at once; nothing was written. Try again.",
}


class PostgresDatabase(Database):
    """One database of a PostgreSQL server, as one of its logins. Writers of different slices go on at once.

    `words` says what the server's own states mean here, `unknown` what a lost answer to a commit does.
    """

    walled = True
    words: ClassVar[Mapping[str, str]] = _WORDS
    unknown: ClassVar[str] = _UNKNOWN
    table_wait_s = 10.0
    """Seconds that a migration waits for a table."""

    def __init__(
        self,
        url: str,
        *,
        sync: str = "full",
        pool_size: int = 8,
        statement_timeout: float = 30.0,
        schema: str | None = None,
    ) -> None:
        """Stand before the database at `url` (`postgresql://…`); it is first called by the first transaction.

        :param sync: `full`, or `normal`: commits do not wait for the disk, and a power cut may take the last (BR12).
        :param pool_size: connections that this process keeps, half of them for those who write; at least 2.
        :param statement_timeout: seconds that a statement, or the wait for a slice, may take.
        :param schema: where the tables are, and nowhere else; None: where the login's own search path says.
        :raises StoreUnavailable: that is no such address. :raises InvalidRequest: `sync` is another word.
        """
        if sync not in _SYNC:
            raise InvalidRequest(errors=[FieldError("sync", "invalid_request", "say full or normal")])
        try:
            parts = conninfo_to_dict(url)
        except psycopg.ProgrammingError as error:
            raise StoreUnavailable(
                "That is no PostgreSQL address; write postgresql://USER:PASSWORD@HOST/DATABASE."
            ) from error
        self.login = str(parts.get("user") or "")
        host = parts.get("host") or "this machine"
        writers = pool_size // 2
        super().__init__(
            f"the PostgreSQL database '{parts.get('dbname') or self.login}' at {host}",
            readers=pool_size - writers, writers=writers,
        )  # fmt: skip
        milliseconds = round(statement_timeout * 1000)
        path = f' -c search_path="{schema}"' if schema is not None else ""
        address = make_conninfo(
            url,
            connect_timeout=parts.get("connect_timeout", _CONNECT_SECONDS),
            application_name=parts.get("application_name", "sliceway"),
            options=f"{parts.get('options', '')} -c statement_timeout={milliseconds} -c lock_timeout={milliseconds}"
            f" -c idle_in_transaction_session_timeout={2 * milliseconds}{_SYNC[sync]}{path}",
        )

        def connect() -> psycopg.Connection[Any]:
            return psycopg.connect(address, autocommit=True)  # transactions are begun by us, never by the driver

        self.engine = create_engine(
            "postgresql+psycopg://",
            creator=connect,
            poolclass=QueuePool,
            hide_parameters=True,  # what people wrote stays out of errors and logs (OP3)
            pool_size=pool_size,
            max_overflow=_SPARE,
            pool_timeout=_POOL_SECONDS,
        )
        event.listen(self.engine, "begin", self._begin)
        self._connect = connect
        self._bell = Bell(connect)

    @staticmethod
    def _begin(connection: Connection) -> None:
        """Begin as a reader of one moment, or as a writer."""
        walls.begin(connection, writes=connection.get_execution_options().get("writes", False))

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """See `Database.read`."""
        with self.in_words(), self._connected(writes=False) as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """See `Database.write`."""
        with self.in_words(), self._connected(writes=True) as connection, connection.begin():
            yield connection

    @contextmanager
    def migrating(self) -> Iterator[Connection]:
        """See `Database.migrating`. To wait for another migration, and the steps themselves, may take their time; to
        wait for a table may not: all who come to it afterwards wait as well.
        """
        with self.write() as connection:
            for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
                connection.exec_driver_sql(f"SET LOCAL {name} = 0").close()
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})").close()
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {round(self.table_wait_s * 1000)}").close()
            yield connection

    @contextmanager
    def _connected(self, *, writes: bool) -> Iterator[Connection]:
        with self.engine.connect() as plain:
            plain.info.pop(AGAIN, None)
            yield plain.execution_options(writes=writes)

    def _read_with(self, work: Callable[[Connection], Result]) -> Result:
        return self._run(work, writes=False)

    def _write_with(self, work: Callable[[Connection], Result]) -> Result:
        return self._run(work, writes=True)

    def _run(self, work: Callable[[Connection], Result], *, writes: bool) -> Result:
        """Run work in a transaction; again where it clashed with another, where it has to hold its slice first, and
        once where the connection turned out to be gone before anything could have been kept."""
        first: str | None = None
        gone = False
        with self.in_words():
            for left in reversed(range(_TRIES)):
                committing = False
                try:
                    with self._connected(writes=writes) as connection:
                        connection.info[AGAIN] = writes
                        with connection.begin() as transaction:
                            if first is not None:
                                walls.hold_first(connection, first)
                            found = work(connection)
                            committing = True
                            transaction.commit()
                    return found
                except HoldFirst as held:
                    first = held.slice
                except DBAPIError as error:
                    lost = error.connection_invalidated and not committing and not gone
                    if not left or not (lost or _state(error) in _CLASHES):
                        raise
                    gone = gone or lost
            raise StoreUnavailable(self.words["40001"].format(where=self._named()))

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """See `Database.in_words`."""
        try:
            yield
        except PoolTimeout as error:
            raise StoreUnavailable(
                f"Every connection to {self.where} is in use for too long; raise store.pool_size, or try again."
            ) from error
        except (DBAPIError, psycopg.Error) as error:
            state = _state(error)
            driver = error.orig if isinstance(error, DBAPIError) else error
            if state == "42501" and "row-level security" in str(driver):
                raise  # a fault of this program, stopped by the database
            if state is not None and state in self.words:
                raise StoreUnavailable(self.words[state].format(where=self._named())) from error
            if isinstance(driver, psycopg.OperationalError):
                how = "is being shut down or started" if state in _OPENING else "cannot be reached, or hung up"
                raise StoreUnavailable(f"{self._named()} {how}; {self.unknown}.") from error
            raise

    def _named(self) -> str:
        return self.where[0].upper() + self.where[1:]

    def scrub(self, *, since: str, most: int | None = None) -> bool:
        """See `Database.scrub`. The owner of the tables vacuums them now; another login looks whether they were, by
        autovacuum or by somebody who may. A transaction from before the erasure may still keep a row from both."""
        with self.in_words(), closing(self._connect()) as connection:
            tables = connection.execute(_TABLES).fetchall()
            if not all(owned for _, owned, _ in tables):
                return all(at is not None and to_text(at) > since for _, _, at in tables)
            connection.execute("SET statement_timeout = 0")
            for name, _, _ in tables:
                connection.execute(f"VACUUM {name}".encode())
        return True

    def watch(self) -> BellWatch:
        """See `Database.watch`."""
        self._bell.start()
        return BellWatch(self._bell)

    def let_go(self) -> None:
        """See `Database.let_go`."""
        super().let_go()
        self._bell.stop()


def _state(error: DBAPIError | psycopg.Error) -> str | None:
    """Return the state that the server gave the error, None where it did not answer."""
    driver = error.orig if isinstance(error, DBAPIError) else error
    return driver.sqlstate if isinstance(driver, psycopg.Error) else None


@contextmanager
def opened_once(url: str) -> Iterator[PostgresDatabase]:
    """Give a database that is let go of when the context ends, for what is done once."""
    database = PostgresDatabase(url, pool_size=2)
    try:
        yield database
    finally:
        database.let_go()
