"""One demo at a time on the same data: two gateways of one agent would answer everything twice."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sliceway.cli.play.processes import ProcessFailed

_LOCK = "demo.lock"


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Make the folder, for its owner alone, and hold it while the context is open; a crash lets it go too.

    :raises ProcessFailed: another demo holds it.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    with (folder / _LOCK).open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ProcessFailed(
                f"A demo runs already on {folder}: use its page, end it with Ctrl-C, or give this one --data DIR."
            ) from None
        yield
