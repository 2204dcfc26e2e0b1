"""The desks of this machine, for what reaches them from outside a gateway."""

from __future__ import annotations

from glob import escape
from pathlib import Path

from sliceway.settings import Settings
from sliceway.store.engine_sqlite import SqliteDatabase
from sliceway.store.files import sqlite_file
from sliceway.store.opening import is_postgres


def scrub_desks(settings: Settings) -> bool:
    """Take what is done out of the files of the desks that these settings name; say whether it is out of all of them.

    A desk drops what people wrote when the work on it is done; its file may hold it a while longer. A desk that is on
    PostgreSQL, or on another machine, is not reached from here.

    :raises StoreUnavailable: a file cannot be used.
    """
    scrubbed = [_scrubbed(file) for file in desk_files(settings)]
    return all(scrubbed)


def desk_files(settings: Settings) -> list[Path]:
    """Return the files of desks on this machine that these settings name: the one of `state.url`, else all beside the
    store.

    :raises StoreUnavailable: the address names no file.
    """
    named, store = settings.state.url, settings.store_file
    beside = sorted(store.parent.glob(f"{escape(store.stem)}.desk-*.db"))
    files = beside if named is None else [sqlite_file(named)] if not is_postgres(named) else []
    return [file for file in files if file.is_file()]


def _scrubbed(file: Path) -> bool:
    desk = SqliteDatabase(f"sqlite:///{file}")
    try:
        return desk.scrub(since="")
    finally:
        desk.let_go()
