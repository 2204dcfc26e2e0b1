"""Long work says how far it is on a terminal, with a rate and the time left, and nothing in a pipe (7-contract)."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.brain_server import environment

_PAGES = 2500
"""More than the batches that an import reads at once."""
_LONG: dict[str, tuple[str, ...]] = {
    "Importing": ("ledger", "import", "pages.ndjson"),
    "Verifying": ("ledger", "verify"),
    "Rebuilding": ("ledger", "rebuild", "--yes"),
    "Exporting": ("ledger", "export"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with many pages to be taken in."""
    made = tmp_path_factory.mktemp("long")
    pages = ({"slice": "kb-guide", "slug": f"n/{at}", "content": f"note {at}"} for at in range(_PAGES))
    (made / "pages.ndjson").write_text("".join(json.dumps({"page": page}) + "\n" for page in pages))
    return made


def _run(folder: Path, *arguments: str, terminal: bool) -> tuple[int, str]:
    """Run a verb with its errors on a terminal or in a pipe; return its exit code and what came there."""
    ours, theirs = pty.openpty() if terminal else os.pipe()
    with subprocess.Popen(
        [sys.executable, "-m", "sliceway", *arguments, "--json"], cwd=folder, env=environment(folder), stderr=theirs,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    ) as process:  # fmt: skip
        os.close(theirs)
        said = bytearray()
        try:
            while chunk := os.read(ours, 4096):
                said += chunk
        except OSError:  # how Linux says that nobody holds the other end of a terminal any more
            pass
        finally:
            os.close(ours)
        return process.wait(60), said.decode()


def test_long_work_says_how_far_it_is_on_a_terminal_alone(folder: Path) -> None:
    """7-contract: a count, of how many, a rate and the seconds left, on one line that is gone in the end; nothing of it
    in a pipe."""
    for word, arguments in _LONG.items():
        code, said = _run(folder, *arguments, terminal=True)
        assert code == 0, said
        told = [
            re.fullmatch(word + r": ([\d,]+) of ([\d,]+), ([\d,]+)/s, (\d+) s left ", part) for part in said.split("\r")
        ]
        steps = [(int(one[1].replace(",", "")), int(one[2].replace(",", ""))) for one in told if one is not None]
        assert steps, said
        assert [done for done, _ in steps] == sorted(done for done, _ in steps)
        assert all(done <= total * 1.2 for done, total in steps), steps
        assert said.endswith("\r\x1b[K")
        code, said = _run(folder, *arguments, terminal=False)
        assert (code, word in said, "\r" in said) == (0, False, False), said
