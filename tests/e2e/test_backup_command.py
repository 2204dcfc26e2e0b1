"""`sliceway backup`: one moment of a store in use, whole or not at all."""

from __future__ import annotations

import asyncio
import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from sliceway import Principal, open_brain
from sliceway.errors import InvalidRequest
from sliceway.store.backup import copied
from tests.fakes.verbs import Ended, verb

KILLED = """
import sys, time
from pathlib import Path
from sliceway.store.backup import copied
with copied(Path(sys.argv[1]), Path(sys.argv[2])):
    print("copied", flush=True)
    time.sleep(60)
"""


async def memoize(url: str, first: int, last: int) -> None:
    """Write so many pages, one after the other."""
    async with open_brain(url) as door:
        brain = door.enter(Principal.agent("ada"))
        for number in range(first, last):
            await brain.write_pages(slice="mine", pages=[{"slug": f"n/{number}", "content": f"note {number}"}])


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with ten pages."""
    file = tmp_path / "data" / "brain.db"
    asyncio.run(memoize(f"sqlite:///{file}", 0, 10))
    return file


def backup(store: Path, *arguments: str, **more: str) -> Ended:
    """Run the verb on a store."""
    return verb("backup", *arguments, environment={"SLICEWAY_STORE__URL": f"sqlite:///{store}", **more})


def beside(file: Path) -> dict[str, tuple[int, int]]:
    """Return mode and size of each file in a file's folder."""
    return {one.name: (one.stat().st_mode & 0o777, one.stat().st_size) for one in file.parent.iterdir()}


async def test_br12_a_backup_is_one_moment_of_a_store_that_is_written(store: Path, tmp_path: Path) -> None:
    """BR12 BR17: what was written before it is in it, whatever is written meanwhile; it is one file for its owner
    alone, verifies, and answers with the heads to keep elsewhere."""
    writing = asyncio.create_task(memoize(f"sqlite:///{store}", 10, 60))
    made = await asyncio.to_thread(backup, store, str(tmp_path / "there" / "copy.db"), "--json")
    await writing
    assert made.returncode == 0, made.stderr
    told = json.loads(made.stdout)
    copy = Path(told["file"])
    assert beside(copy) == {"copy.db": (0o600, told["bytes"])}
    async with open_brain(f"sqlite:///{copy}") as door:
        report = await door.enter(Principal.operator()).verify(since=told["head"])
        pages = await door.enter(Principal.agent("ada")).list_pages(limit=200)
    assert (report.ok, report.events) == (True, told["events"])
    assert {f"n/{number}" for number in range(10)} <= {page.slug for page in pages}


def test_without_a_name_it_is_named_by_the_time_and_desks_go_with_it(store: Path) -> None:
    """The desks beside the store are copied beside the copy."""
    desk = store.with_name("brain.desk-agent-ada.db")
    with closing(sqlite3.connect(desk)) as made:
        made.execute("CREATE TABLE inbox (key TEXT)")
    told = json.loads(backup(store, "--json").stdout)
    file, (copied_desk,) = Path(told["file"]), map(Path, told["desks"])
    assert file.parent == store.parent / "backups"
    assert file.stem.startswith("brain-2")
    assert copied_desk == file.with_name(f"{file.stem}.desk-agent-ada.db")
    with closing(sqlite3.connect(copied_desk)) as kept:
        assert kept.execute("SELECT count(*) FROM inbox").fetchone() == (0,)


def test_a_desk_that_is_elsewhere_is_said_to_be_left_out(store: Path) -> None:
    """A desk on PostgreSQL is not copied, which is said plainly, with what to run for it."""
    there = {"SLICEWAY_STATE__URL": "postgresql://gateways:secret@db.invalid/desks"}
    told = backup(store, **there)
    assert told.returncode == 0
    assert "desk is on PostgreSQL" in told.stdout
    assert "pg_dump --format=custom --schema='desk_*'" in told.stdout
    assert "secret" not in told.stdout + told.stderr
    (left,) = json.loads(backup(store, str(store.with_name("again.db")), "--json", **there).stdout)["left_out"]
    assert "pg_dump" in left


def test_br12_killed_in_the_middle_it_leaves_nothing_under_its_name(store: Path, tmp_path: Path) -> None:
    """BR12: after `kill -9` there is no file of that name, and the next backup is made."""
    target = tmp_path / "copy.db"
    with subprocess.Popen([sys.executable, "-c", KILLED, store, target], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"copied\n"
        process.send_signal(signal.SIGKILL)
    assert not target.exists()
    assert backup(store, str(target)).returncode == 0
    assert target.is_file()


def test_br11_a_copy_that_does_not_verify_is_dropped(store: Path, tmp_path: Path) -> None:
    """BR11: a store that was tampered with is said to be, and no copy of it passes for a good one."""
    with closing(sqlite3.connect(store)) as opened, opened:
        opened.execute("UPDATE pages SET content = 'forged' WHERE slug = 'n/3'")
    ended = backup(store, str(tmp_path / "copy.db"))
    assert ended.returncode == 1
    assert "does not verify" in ended.stderr
    assert not (tmp_path / "copy.db").exists()


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        ({"SLICEWAY_STORE__URL": "postgresql://brain@localhost/brain"}, 1, "--schema='desk_*'"),
        ({"SLICEWAY_BRAIN__URL": "http://127.0.0.1:9", "SLICEWAY_BRAIN__TOKEN": "slw_a_b"}, 2, "brain.url"),
        ({"SLICEWAY_STORE__URL": "sqlite:////nowhere/at/all.db"}, 1, "no store"),
    ],
)
def test_what_cannot_be_copied_is_said_in_words(store: Path, more: dict[str, str], code: int, words: str) -> None:
    """PostgreSQL has its own way, a brain elsewhere is backed up there, and what is not there cannot be."""
    ended = backup(store, str(store.with_name("copy.db")), **more)
    assert ended.returncode == code
    assert words in ended.stderr
    assert not store.with_name("copy.db").exists()


def test_a_name_that_is_taken_is_left_alone(store: Path, tmp_path: Path) -> None:
    """Nothing is written over, also where the name is taken while the copy is made."""
    there = tmp_path / "there.db"
    there.write_bytes(b"mine")
    assert backup(store, str(there)).returncode == 1
    later = tmp_path / "later.db"
    with pytest.raises(InvalidRequest), copied(store, later):
        later.write_bytes(b"mine")
    assert (there.read_bytes(), later.read_bytes()) == (b"mine", b"mine")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["data", "later.db", "there.db"]
