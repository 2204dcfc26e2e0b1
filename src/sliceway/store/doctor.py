"""Looking at a store's file without changing what is in it: can it be written, and is it of a schema known here."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sliceway.core.checks import Check
from sliceway.errors import StoreUnavailable
from sliceway.store.doctor_postgres import examine_desk_there, examine_maintenance, examine_postgres, revision_of
from sliceway.store.files import sqlite_file
from sliceway.store.migrate import revisions
from sliceway.store.opening import is_postgres

_PATIENCE_S = 2.0


def examine_store(name: str, url: str, scripts: str, *, maintenance: str | None = None) -> tuple[Check, ...]:
    """Return what there is to say of a store on either engine, as `examine_file` does of a file.

    :param maintenance: on PostgreSQL the address of who verifies and rebuilds, where one is named.
    """
    if is_postgres(url):
        found = examine_postgres(name, url, lambda found: _schema(name, found, scripts))
        return found if maintenance is None else (*found, examine_maintenance(maintenance))
    return examine_file(name, url, scripts)


def examine_desk(url: str, agent: str, scripts: str) -> tuple[Check, ...]:
    """Return what there is to say of an agent's desk on either engine. Call it off the event loop."""
    if is_postgres(url):
        return examine_desk_there(url, agent, lambda found: _schema("desk", found, scripts))
    return examine_file("desk", url, scripts)


def examine_file(name: str, url: str, scripts: str) -> tuple[Check, ...]:
    """Return what there is to say of a store: whether it can be written, and its schema.

    :param name: what the checks are called by, `store` or `desk`.
    :param scripts: where the steps of its schema are. Call it off the event loop.
    """
    try:
        file = sqlite_file(url)
    except StoreUnavailable as error:
        return (Check(name, False, error.detail, "Set its address to sqlite:///FILE."),)
    if not file.exists():
        return (_missing(name, file),)
    try:
        with _writers_lock(file), closing(sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, timeout=2)) as opened:
            opened.execute("BEGIN IMMEDIATE").close()
            opened.rollback()
            found = _revision(opened)
    except _HeldError:
        says = f"Another program has been writing to {file} for {_PATIENCE_S:.0f} s and lets nobody else."
        return (Check(name, False, says, f"Find it with: fuser {file}.lock  End it if it hangs, then look again."),)
    except (OSError, sqlite3.Error) as error:
        cure = f"Check owner, mode and free space of {file} and of its folder; they belong to who runs the gateway."
        return (Check(name, False, f"{file} cannot be written: {error}.", cure),)
    writable = Check(name, True, f"{file} can be written.")
    return (writable, _schema(name, found, scripts))


def is_current(url: str, scripts: str, *, desk_of: str | None = None) -> bool:
    """Say whether a store is there and of this program's very schema, so that opening it changes nothing.

    :param desk_of: it is the desk of this agent.
    """
    try:
        if is_postgres(url):
            return revision_of(url, desk_of=desk_of) == revisions(scripts)[0]
        file = sqlite_file(url)
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=2)) as opened:
            return _revision(opened) == revisions(scripts)[0]
    except (StoreUnavailable, sqlite3.Error):
        return False


def _missing(name: str, file: Path) -> Check:
    """Say whether a file that is not there yet can be made."""
    folder = next(parent for parent in file.parents if parent.exists())
    if folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
        return Check(name, True, f"{file} is not there yet; it is made at the first start.")
    cure = f"Let the user who runs the gateway write in {folder}, or name another file."
    return Check(name, False, f"{file} cannot be made: {folder} is no folder that can be written.", cure)


class _HeldError(Exception):
    """Somebody holds the writers' lock for long."""


@contextmanager
def _writers_lock(file: Path) -> Iterator[None]:
    """Take the lock that writers queue on, as they do.

    :raises _HeldError: somebody holds it for long. :raises OSError: its file cannot be written.
    """
    name = file.with_name(file.name + ".lock")
    if not name.exists():  # nobody writes here yet, and none is made for looking
        if not os.access(file.parent, os.W_OK | os.X_OK):
            raise OSError(f"{name} cannot be made")
        yield
        return
    descriptor = os.open(name, os.O_RDWR)
    until = time.monotonic() + _PATIENCE_S
    try:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    raise _HeldError from None
                time.sleep(0.05)
        yield
    finally:
        os.close(descriptor)


def _revision(opened: sqlite3.Connection) -> str | None:
    """Return the step that a store stands at, None where it has no schema yet."""
    there = opened.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    row = opened.execute("SELECT version_num FROM alembic_version").fetchone() if there else None
    return str(row[0]) if row else None


def _schema(name: str, found: str | None, scripts: str) -> Check:
    """Judge a store's schema by what this program knows."""
    name = f"{name}_schema"
    head, known = revisions(scripts)
    if found == head:
        return Check(name, True, f"Its schema is {head}, which is this program's.")
    if found is None or found in known:
        return Check(name, True, f"Its schema is {found or 'not made yet'}; the next start brings it to {head}.")
    says = f"It is from a newer version of this program: its schema is {found}, this one knows up to {head}."
    return Check(name, False, says, "Upgrade this program. Nothing in the store was changed.")
