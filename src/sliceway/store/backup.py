"""Copying a SQLite file while others write it: one moment of it, whole or not at all."""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sliceway.errors import InvalidRequest, StoreUnavailable

Progress = Callable[[int, int | None], None]
_PAGES = 1024
"""Pages of SQLite that are copied between two reports."""
_FILE_MODE = 0o600
_NO_LINKS = frozenset({errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS})
"""What a file system without hard links says."""


@contextmanager
def copied(source: Path, target: Path, *, progress: Progress | None = None) -> Iterator[Path]:
    """Give a copy of a store's file under a name of its own; at the end it takes its name, or is dropped.

    It is of one moment: what is written meanwhile is not in it, and nobody waits for it. Killed in the middle, it
    leaves nothing under the final name. Off the event loop.

    :param progress: told how many pages of how many are copied.
    :raises InvalidRequest: `target` is there already. :raises StoreUnavailable: a file cannot be read or written.
    """
    refuse_taken(target)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _FILE_MODE))
        _copy(source, part, progress)
        yield part
        _as_one_file(part)
        _sync(part)
        _take_name(part, target)
        _sync(target.parent)
    except (OSError, sqlite3.Error) as error:
        said = error.strerror if isinstance(error, OSError) else error
        raise StoreUnavailable(f"{source} was not copied to {target} ({said}); there is no new file.") from error
    finally:
        for left in (part, *(part.with_name(part.name + ending) for ending in (".lock", "-wal", "-shm", "-journal"))):
            left.unlink(missing_ok=True)


def refuse_taken(target: Path) -> None:
    """Refuse a name that something has already.

    :raises InvalidRequest: it is taken.
    """
    if os.path.lexists(target):
        raise InvalidRequest(f"{target} is there already; name another file. Nothing was copied.")


def _copy(source: Path, part: Path, progress: Progress | None) -> None:
    def told(_status: int, remaining: int, total: int) -> None:
        if progress is not None:
            progress(total - remaining, total)

    with closing(sqlite3.connect(f"{source.as_uri()}?mode=rw", uri=True, timeout=30)) as read:
        read.isolation_level = None
        read.execute("BEGIN")  # one moment, so that nobody who writes makes it begin again
        read.execute("SELECT count(*) FROM sqlite_master").fetchone()
        with closing(sqlite3.connect(part)) as written:
            read.backup(written, pages=_PAGES, progress=told)


def _as_one_file(part: Path) -> None:
    """Leave no log beside the file: whoever moves it moves one."""
    with closing(sqlite3.connect(part)) as written:
        written.execute("PRAGMA journal_mode=DELETE").fetchone()


def _take_name(part: Path, target: Path) -> None:
    """Give the copy its name, which nothing has taken meanwhile."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise InvalidRequest(f"{target} came to be there meanwhile; name another file. Nothing was kept.") from None
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        refuse_taken(target)
        part.rename(target)


def _sync(path: Path) -> None:
    """Have the kernel write it to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
