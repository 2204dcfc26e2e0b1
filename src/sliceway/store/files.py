"""The store's files: where they are, that only their owner can read them, and the lock that writers queue on."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sliceway.errors import StoreUnavailable

_SQLITE = "sqlite:///"
_MAGIC = b"SQLite format 3\0"
"""What a file of SQLite begins with; an empty one may become one."""
_FOLDER_MODE = 0o700
_FILE_MODE = 0o600


def sqlite_file(url: str) -> Path:
    """Return the file that a `sqlite:///FILE` address names.

    :raises StoreUnavailable: the address is of another kind or names no file.
    """
    if not url.startswith(_SQLITE):
        kind, colon, _ = url.partition("://")
        if not colon:
            raise StoreUnavailable("That is no store address; write sqlite:///FILE or postgresql://….")
        raise StoreUnavailable(f"'{kind}' cannot be opened here by this version; write sqlite:///FILE.")
    name = url.removeprefix(_SQLITE)  # as it is: a folder may be called anything, `50% off?` included
    if not name or name == ":memory:" or "\0" in name:
        raise StoreUnavailable("A store needs a file; write sqlite:///FILE.")
    try:
        return Path(name).expanduser().absolute()
    except (RuntimeError, OSError):
        raise StoreUnavailable(
            f"The store '{name}' cannot be found: there is no home or working folder to find it from; "
            "write the path from the root, sqlite:////PATH."
        ) from None


def prepare(file: Path) -> None:
    """Make the folder 0700 and the file 0600 where they are missing (BR17). What is no store is left as it is.

    :raises StoreUnavailable: the folder or the file cannot be made or written, or it is a file of another kind.
    """
    try:
        if not file.parent.exists():
            file.parent.mkdir(mode=_FOLDER_MODE, parents=True)
        ours = not file.exists() or file.is_file()
        if ours:
            descriptor = os.open(file, os.O_RDWR | os.O_CREAT, _FILE_MODE)
            try:
                ours = os.read(descriptor, len(_MAGIC)) in {b"", _MAGIC}
            finally:
                os.close(descriptor)
    except OSError as error:
        raise StoreUnavailable(
            f"The store {file} cannot be written ({error.strerror}); check its folder's owner and the free space."
        ) from error
    if not ours:
        raise StoreUnavailable(f"The file {file} is not a store of this program. Name another file.")


def which_file(file: Path) -> tuple[int, int]:
    """Return what tells a file from every other, whatever it is called."""
    found = file.stat()
    return found.st_dev, found.st_ino


def close_to_others(file: Path) -> None:
    """Take a store's file from everyone but its owner (BR17); only once it is known to be a store.

    :raises StoreUnavailable: its mode cannot be changed.
    """
    try:
        if file.stat().st_mode & 0o077:
            file.chmod(_FILE_MODE)
    except OSError as error:
        raise StoreUnavailable(
            f"The store {file} can be read by others, and its mode cannot be changed ({error.strerror}); "
            "check its owner."
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
