"""The store's files: where they are, that only their owner can read them, and the lock that writers queue on."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from sliceway.errors import StoreUnavailable

_FOLDER_MODE = 0o700
_FILE_MODE = 0o600


def sqlite_file(url: str) -> Path:
    """Return the file that a `sqlite:///FILE` address names.

    :raises StoreUnavailable: the address is of another kind or names no file.
    """
    try:
        parsed: URL = make_url(url)
    except ArgumentError:
        raise StoreUnavailable(f"'{url}' is no store address; write sqlite:///FILE.") from None
    if parsed.get_backend_name() != "sqlite":
        raise StoreUnavailable(
            f"A store of kind '{parsed.get_backend_name()}' cannot be opened by this version; write sqlite:///FILE."
        )
    if not parsed.database or parsed.database == ":memory:":
        raise StoreUnavailable("A store needs a file; write sqlite:///FILE.")
    return Path(parsed.database).expanduser().absolute()


def prepare(file: Path) -> None:
    """Make the folder 0700 and the file 0600 where they are missing, and close a file that others can read (BR17).

    :raises StoreUnavailable: the folder or the file cannot be made or written.
    """
    try:
        if not file.parent.exists():
            file.parent.mkdir(mode=_FOLDER_MODE, parents=True)
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, _FILE_MODE))
        if file.stat().st_mode & 0o077:
            file.chmod(_FILE_MODE)
    except OSError as error:
        raise StoreUnavailable(
            f"The store {file} cannot be written ({error.strerror}); check its folder's owner and the free space."
        ) from error


class FileLock:
    """An exclusive lock between processes: the kernel queues those who wait, and frees it when its holder dies."""

    def __init__(self, file: Path) -> None:
        """Lock on `file`, made when first needed."""
        self._file = file

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock; waits, without polling, as long as it takes. Call it off the event loop.

        :raises StoreUnavailable: the lock file cannot be written.
        """
        try:
            descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT, _FILE_MODE)
        except OSError as error:
            raise StoreUnavailable(
                f"The lock file {self._file} cannot be written ({error.strerror}); is the store read-only?"
            ) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)
