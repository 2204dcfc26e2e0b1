"""One demo at a time on the same data: two gateways of one agent would answer everything twice."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sliceway.cli.play.processes import ProcessFailed
from sliceway.errors import BootError

_LOCK = "demo.lock"


def usable(folder: Path) -> Path:
    """Make the folder, for its owner alone, and return it.

    :raises BootError: it cannot be made, or not be written to.
    """
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        detail = f"The folder {folder} cannot be made: {error.strerror}. Name another one with --data."
        raise BootError(detail) from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise BootError(f"The folder {folder} cannot be written to. Check its owner, or name another one with --data.")
    return folder


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Make the folder, for its owner alone, and hold it while the context is open; a crash lets it go too.

    :raises ProcessFailed: another demo holds it. :raises BootError: the folder cannot be used.
    """
    with (usable(folder) / _LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ProcessFailed(
                f"A demo runs already on {folder}: use its page, end it with Ctrl-C, or give this one --data DIR."
            ) from None
        yield
