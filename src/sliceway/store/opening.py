"""Which engine an address names."""

from __future__ import annotations

from sliceway.errors import StoreUnavailable
from sliceway.store.engine import Database
from sliceway.store.engine_sqlite import SqliteDatabase

POSTGRES = ("postgresql://", "postgres://")
"""How the address of a PostgreSQL database begins."""


def is_postgres(url: str) -> bool:
    """Say whether an address names a PostgreSQL database."""
    return url.startswith(POSTGRES)


def open_database(
    url: str,
    *,
    sync: str = "full",
    looks_only: bool = False,
    pool_size: int = 8,
    statement_timeout: float = 30.0,
) -> Database:
    """Return the database at `url`: `sqlite:///FILE`, made where it is missing, or `postgresql://…`.

    :param sync: `full`, or `normal`: faster, and a power cut may take the last moments (BR12).
    :param looks_only: a file is not made, and nothing can be written to it.
    :param pool_size: connections that this process keeps to PostgreSQL; at least 2.
    :param statement_timeout: seconds that a statement of PostgreSQL's may take.
    :raises StoreUnavailable: it cannot be opened, or the driver that it needs is not installed.
    """
    if not is_postgres(url):
        return SqliteDatabase(url, sync=sync, looks_only=looks_only)
    need_driver()
    from sliceway.store.engine_postgres import PostgresDatabase  # of the extra `postgres`

    return PostgresDatabase(url, sync=sync, pool_size=pool_size, statement_timeout=statement_timeout)


def need_driver() -> None:
    """Look whether PostgreSQL's driver is installed.

    :raises StoreUnavailable: it is not.
    """
    try:
        import psycopg  # noqa: F401 - of the extra `postgres`
    except ImportError as error:
        raise StoreUnavailable(
            "PostgreSQL needs its driver: pip install 'sliceway[postgres]' (psycopg 3), then start again."
        ) from error
