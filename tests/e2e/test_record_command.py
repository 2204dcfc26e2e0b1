"""The record from the command line: moved, made again, cut off in the middle."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import IO

import pytest

from sliceway.cli.play.processes import clean_environment
from tests.fakes.verbs import Ended, verb

Run = Callable[..., Ended]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a verb on the store of that name; `given` is its stdin."""

    def running(store: str, *arguments: str, given: bytes = b"", **more: str) -> Ended:
        environment = {"SLICEWAY_STORE__URL": f"sqlite:///{tmp_path / store}"}
        return verb(*arguments, environment={**environment, **more}, given=given)

    return running


def _process(
    store: Path, *arguments: str, given: IO[bytes] | int | None = subprocess.DEVNULL
) -> subprocess.Popen[bytes]:  # fmt: skip
    """Start a verb about the record in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "sliceway", "ledger", *arguments],
        env=clean_environment({"SLICEWAY_STORE__URL": f"sqlite:///{store}", "SLICEWAY_STORE__SYNC": "normal"}),
        stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def _lines(count: int, slice_name: str = "kb-book") -> bytes:
    return b"".join(
        json.dumps({"page": {"slice": slice_name, "slug": f"p/{n}", "content": f"Page {n} of [[p/{n + 1}]]."}}).encode()
        + b"\n"
        for n in range(count)
    )


def test_br11_a_store_is_moved_by_a_pipe(run: Run, tmp_path: Path) -> None:
    """BR11 BR3: what one store exports another takes in as it was: same pages, authors, versions; and says on stderr
    alone what such a file holds."""
    for text in (b"build 2301", b"build 2302"):
        assert run("one.db", "memoize", "ops/rollback", "--agent", "ada", given=text).returncode == 0
    with _process(tmp_path / "one.db", "export") as out, _process(tmp_path / "two.db", "import", "-", "--json",
                                                                  given=out.stdout) as taken:  # fmt: skip
        ended, _ = taken.communicate(timeout=60)
        assert out.stderr is not None
        assert b"private corner" in out.stderr.read()
    assert json.loads(ended)["restored"] is True
    assert json.loads(run("one.db", "ledger", "export").out.splitlines()[0])["sliceway"] == 1
    show = ("page", "history", "ops/rollback", "--slice", "agent-ada", "--agent", "ada", "--json")
    assert run("two.db", *show).out == run("one.db", *show).out != b""
    heads = run("one.db", "ledger", "head", "--json").out.decode()
    assert run("two.db", "ledger", "verify", "--since", heads).returncode == 0
    part = run("two.db", "ledger", "export", "--slice", "agent-ada")
    assert part.err == b""
    assert {json.loads(line)["slice"] for line in part.out.splitlines()[1:]} == {"agent-ada"}


def test_br5_refused_lines_are_said_and_end_with_1(run: Run, tmp_path: Path) -> None:
    """BR5: each refused line is named with its reason; the good ones are in, and the exit code tells."""
    file = tmp_path / "load.ndjson"
    file.write_bytes(b"nonsense\n" + _lines(3))
    ended = run("one.db", "ledger", "import", str(file))
    assert ended.returncode == 1
    assert b"3 lines taken in, 0 skipped, 1 refused" in ended.out
    assert b"line 1: " in ended.out
    missing = run("one.db", "ledger", "import", str(tmp_path / "nowhere"))
    assert (missing.returncode, b"cannot be read" in missing.err) == (1, True)


def test_br11_a_rebuild_is_asked_for_and_done_where_the_store_is(run: Run, tmp_path: Path) -> None:
    """BR11: without a terminal it wants --yes; with a brain elsewhere it is refused and says where to run it."""
    run("one.db", "ledger", "import", "-", given=_lines(5))
    with closing(sqlite3.connect(tmp_path / "one.db")) as raw, raw:
        raw.execute("DELETE FROM terms")
    assert run("one.db", "ledger", "verify").returncode == 1
    unasked = run("one.db", "ledger", "rebuild")
    assert (unasked.returncode, b"--yes" in unasked.err) == (1, True)
    away = run(
        "one.db", "ledger", "rebuild", "--yes", SLICEWAY_BRAIN__URL="https://brain.example",
        SLICEWAY_BRAIN__TOKEN="slw_any_thing",
    )  # fmt: skip
    assert (away.returncode, b"[not_permitted]" in away.err) == (1, True)
    done = run("one.db", "ledger", "rebuild", "--yes", "--json")
    assert json.loads(done.out)["ok"] is True
    assert run("one.db", "ledger", "verify").returncode == 0


def test_br12_an_import_that_is_killed_leaves_a_store_that_verifies_and_goes_on(run: Run, tmp_path: Path) -> None:
    """BR12 BR6: `kill -9` in the middle: what came in verifies, and the same file brings in the rest, once."""
    file, store = _lines(5000), tmp_path / "one.db"
    half = file.index(b"p/4500")
    with _process(store, "import", "-", given=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.write(file[:half])
        process.stdin.flush()  # it blocks reading on, with what it was given taken in batch by batch
        while _there(store) < 500:
            assert process.poll() is None
        process.kill()
        process.wait(20)
    there = _there(store)
    assert 500 <= there < 5000
    assert run("one.db", "ledger", "verify").returncode == 0
    ended = json.loads(run("one.db", "ledger", "import", "-", "--json", given=file).out)
    assert (ended["imported"], ended["skipped"]) == (5000 - there, there)
    assert run("one.db", "ledger", "verify").returncode == 0


def _there(store: Path) -> int:
    """Return how many events of the load are in the store by now."""
    if not store.exists():
        return 0
    with closing(sqlite3.connect(f"{store.as_uri()}?mode=ro", uri=True, timeout=20)) as raw:
        try:
            return int(raw.execute("SELECT COUNT(*) FROM events WHERE slice = 'kb-book'").fetchone()[0])
        except sqlite3.OperationalError:  # its tables are being made
            return 0
