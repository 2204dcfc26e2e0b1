"""A store that cannot be used says why in words, and loses nothing (BR5, BR12, BR17)."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from sliceway.brain.local import LocalBrain, LocalDoor, open_local
from sliceway.core.principals import Principal
from sliceway.errors import StoreUnavailable
from sliceway.ports import NewId
from sliceway.store.engine_sqlite import SqliteDatabase
from tests.fakes.clock import HandClock, ids

PAGE = {"slug": "n", "content": "kept"}


@pytest.fixture
async def kept(file: Path, clock: HandClock) -> Path:
    """The file of a store that was used and closed."""
    async with await open_local(f"sqlite:///{file}", clock=clock, new_id=ids()) as door:
        await door.enter(Principal.agent("ada")).write_pages(slice="mine", pages=[PAGE])
    return file


async def _opened(file: Path, clock: HandClock) -> LocalDoor:
    return await open_local(f"sqlite:///{file}", clock=clock, new_id=ids(1000))


async def _holds(file: Path, clock: HandClock) -> bool:
    """Say whether the store holds its page and verifies."""
    async with await _opened(file, clock) as door:
        page = await door.enter(Principal.agent("ada")).read_page(slice="mine", slug="n")
        report = await door.enter(Principal.operator()).verify()
        return page.content == "kept" and report.ok


def _written(file: Path, data: bytes) -> None:
    file.parent.mkdir(mode=0o700, exist_ok=True)
    file.write_bytes(data)


def _read(file: Path) -> bytes:
    return file.read_bytes()


async def test_br17_folder_and_files_are_their_owner_s_alone(door: LocalDoor, ada: LocalBrain, file: Path) -> None:
    """BR17: the store's folder is 0700 and each of its files 0600, the log and the lock included."""
    await ada.write_pages(slice="mine", pages=[PAGE])
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in file.parent.iterdir()}
    assert set(modes) >= {"store.db", "store.db-wal", "store.db.lock"}
    assert set(modes.values()) == {0o600}


async def test_br5_a_newer_store_is_left_alone(kept: Path, clock: HandClock) -> None:
    """BR12: a store from a newer version is refused in words that say to upgrade, and stays as it is."""
    with sqlite3.connect(kept) as raw:
        stood = raw.execute("SELECT version_num FROM alembic_version").fetchone()
        raw.execute("UPDATE alembic_version SET version_num = '9999'")
    raw.close()
    with pytest.raises(StoreUnavailable, match=r"newer version.*9999"):
        await _opened(kept, clock)
    with sqlite3.connect(kept) as raw:
        raw.execute("UPDATE alembic_version SET version_num = ?", stood)
    raw.close()
    assert await _holds(kept, clock)


async def test_br5_a_file_that_is_no_store_is_left_alone(file: Path, clock: HandClock) -> None:
    """BR5: a file of another kind is refused, and not a byte of it is changed."""
    text = b"This is somebody's text. " * 200
    _written(file, text)
    with pytest.raises(StoreUnavailable, match="not a store of this program"):
        await _opened(file, clock)
    assert _read(file) == text


async def test_br5_another_program_s_database_is_left_alone(file: Path, clock: HandClock) -> None:
    """BR5: a database with other tables is refused in words, and gets none of ours."""
    file.parent.mkdir(mode=0o700)
    with sqlite3.connect(file) as raw:
        raw.execute("CREATE TABLE events (a INTEGER)")
    raw.close()
    with pytest.raises(StoreUnavailable, match="not a store of this program"):
        await _opened(file, clock)
    with sqlite3.connect(file) as raw:
        assert [row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")] == ["events"]
    raw.close()


async def test_br5_a_damaged_store_says_so(kept: Path, clock: HandClock) -> None:
    """BR5: pages of the file overwritten: `unavailable` that names the file and the cure, never an empty answer."""
    with sqlite3.connect(kept) as raw:
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.close()
    data = bytearray(_read(kept))
    for at in range(4096, len(data), 4096):
        data[at : at + 64] = b"\xff" * 64
    _written(kept, bytes(data))
    with pytest.raises(StoreUnavailable, match="damaged"):
        async with await _opened(kept, clock) as door:
            await door.enter(Principal.agent("ada")).read_page(slice="mine", slug="n")


async def test_br5_a_full_disk_loses_nothing(door: LocalDoor, ada: LocalBrain, operator: LocalBrain) -> None:
    """BR5: when the disk is full a write is `unavailable` in words, nothing of it is there, and reads go on."""
    await ada.write_pages(slice="mine", pages=[PAGE])
    pages = await door.database.reading(lambda one: one.exec_driver_sql("PRAGMA page_count").scalar_one())
    await door.database.writing(lambda one: one.exec_driver_sql(f"PRAGMA max_page_count = {pages}").scalar_one())
    big = {"slug": "big", "content": "many different words " + " ".join(f"w{at}" for at in range(20_000))}
    with pytest.raises(StoreUnavailable, match=r"disk of the store .* is full; nothing was written"):
        await ada.write_pages(slice="mine", pages=[big])
    assert [entry.slug for entry in await ada.list_pages()] == ["n"]
    assert (await operator.verify()).ok
    await door.database.writing(lambda one: one.exec_driver_sql("PRAGMA max_page_count = 1073741823").scalar_one())
    assert (await ada.write_pages(slice="mine", pages=[big])).outcome == "written"


def test_br5_a_read_only_store_says_so() -> None:
    """BR5: a store that this user may not write is `unavailable`, in words, and stays as it is."""
    with _folder_of_all() as folder:
        file = folder / "store.db"
        file.write_bytes(b"")
        file.chmod(0o444)
        folder.chmod(0o555)
        with _as_nobody(), pytest.raises(StoreUnavailable, match=r"cannot be written \(Permission denied\)"):
            SqliteDatabase(f"sqlite:///{file}")
        assert file.read_bytes() == b""
        folder.chmod(0o755)


@contextmanager
def _folder_of_all() -> Iterator[Path]:
    """Give a folder that any user may look into; pytest's own are its user's alone."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@contextmanager
def _as_nobody() -> Iterator[None]:
    """Be a user without rights where the tests run as root, to whom nothing is read-only."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


async def test_br5_a_store_turned_read_only_says_so(door: LocalDoor, ada: LocalBrain, operator: LocalBrain) -> None:
    """BR5: a store that turned read-only under a running program refuses writes in words and goes on reading."""
    await ada.write_pages(slice="mine", pages=[PAGE])
    turned = ["PRAGMA query_only = ON"]
    await door.database.writing(lambda one: [one.exec_driver_sql(text) for text in turned] and None)
    with pytest.raises(StoreUnavailable, match="read-only for this user; nothing was written"):
        await ada.write_pages(slice="mine", pages=[{"slug": "m", "content": "lost"}])
    assert (await ada.read_page(slice="mine", slug="n")).content == "kept"
    assert (await operator.verify()).ok


@pytest.mark.parametrize("url", ["mysql://h/d", "sqlite://", "sqlite:///:memory:", "nonsense"])
async def test_br5_an_address_that_names_no_file_is_refused(url: str, clock: HandClock, new_id: NewId) -> None:
    """BR5: an address of another kind, or of no file, is `unavailable` and says what to write."""
    with pytest.raises(StoreUnavailable, match="sqlite:///FILE"):
        await open_local(url, clock=clock, new_id=new_id)


async def test_br5_without_its_driver_a_store_on_postgresql_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, clock: HandClock, new_id: NewId
) -> None:
    """BR5: where psycopg is missing, the error names the extra that brings it."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreUnavailable, match=r"pip install 'sliceway\[postgres\]'"):
        await open_local("postgresql://h/d", clock=clock, new_id=new_id)


async def test_br5_a_folder_that_cannot_be_made_is_named(tmp_path: Path, clock: HandClock, new_id: NewId) -> None:
    """BR5: where the folder cannot be made, the error names the file and says what to check."""
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StoreUnavailable, match="cannot be written"):
        await open_local(f"sqlite:///{tmp_path / 'file' / 'store.db'}", clock=clock, new_id=new_id)
