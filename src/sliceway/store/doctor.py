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
from sliceway.store.doctor_postgres import examine_desk_there, examine_maintenance, examine_postgres, standing_of
from sliceway.store.files import sqlite_file
from sliceway.store.opening import is_postgres
from sliceway.store.steps import Fit, Standing, steps_of

_PATIENCE_S = 2.0


def examine_store(name: str, url: str, scripts: str, *, maintenance: str | None = None) -> tuple[Check, ...]:
    """Return what there is to say of a store on either engine, as `examine_file` does of a file.

    :param maintenance: on PostgreSQL the address of who verifies and rebuilds, where one is named.
    """
    if is_postgres(url):
        found = examine_postgres(name, url, lambda found: _schema(name, found, scripts, by_hand=True))
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
            found = _standing(opened)
    except _HeldError:
        says = f"Another program has been writing to {file} for {_PATIENCE_S:.0f} s and lets nobody else."
        return (Check(name, False, says, f"Find it with: fuser {file}.lock  End it if it hangs, then look again."),)
    except (OSError, sqlite3.Error) as error:
        cure = f"Check owner, mode and free space of {file} and of its folder; they belong to who runs the gateway."
        return (Check(name, False, f"{file} cannot be written: {error}.", cure),)
    writable = Check(name, True, f"{file} can be written.")
    return (writable, _schema(name, found, scripts))


def is_current(url: str, scripts: str, *, desk_of: str | None = None) -> bool:
    """Say whether a store is there, at a schema that this program works on and has no step to take from, so that
    opening it changes nothing.

    :param desk_of: it is the desk of this agent.
    """
    try:
        if is_postgres(url):
            return steps_of(scripts).fit(standing_of(url, desk_of=desk_of)).done
        file = sqlite_file(url)
        with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True, timeout=2)) as opened:
            return steps_of(scripts).fit(_standing(opened)).done
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


def _standing(opened: sqlite3.Connection) -> Standing:
    """Return where a store stands."""
    there = opened.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    if not there:
        return Standing()
    opened.row_factory = sqlite3.Row
    row = opened.execute("SELECT * FROM alembic_version").fetchone()
    return Standing.kept(dict(row) if row is not None else None)


def _schema(name: str, found: Standing, scripts: str, *, by_hand: bool = False) -> Check:
    """Judge a store's schema by what this program knows.

    :param by_hand: no start of this program changes it; `brain migrate` does.
    """
    name = f"{name}_schema"
    steps = steps_of(scripts)
    fit = steps.fit(found)
    if fit is Fit.SAME:
        return Check(name, True, f"Its schema is {found.step}, which is this program's.")
    if fit is Fit.AHEAD:
        says = f"A newer version of this program added to it: its schema is {found.step}, this one's is {steps.head}."
        return Check(name, True, f"{says} This one goes on there until it is upgraded.")
    if fit is Fit.TOO_NEW:
        says = (
            f"It is from a newer version of this program: its schema is {found.step}, this one knows to {steps.head}."
        )
        return Check(name, False, says, "Upgrade this program. Nothing in the store was changed.")
    stands = f"Its schema is {found.step or 'not made yet'}"
    if not by_hand:
        return Check(name, True, f"{stands}; the next start brings it to {steps.head}.")
    if fit is Fit.BEHIND:
        says = f"{stands}, this program's is {steps.head}, which does without what it adds."
        return Check(name, True, f"{says} Once every server is of this version run: sliceway brain migrate")
    cure = "Run, with SLICEWAY_STORE__OWNER_URL set: sliceway brain migrate"
    return Check(name, False, f"{stands}, not {steps.head}: this program does not start on it.", cure)
