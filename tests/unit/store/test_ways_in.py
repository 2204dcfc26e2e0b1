"""Which file is a store, and what happens to one that is not, or no longer, there (BR17, BR5)."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from sliceway.brain.local import open_local
from sliceway.core.access import keeping
from sliceway.core.principals import Principal
from sliceway.errors import SlicewayError, StoreUnavailable
from sliceway.store import search
from sliceway.store.engine_sqlite import SqliteDatabase
from sliceway.store.session import Session
from tests.contract.office import page
from tests.fakes.clock import HandClock, ids


def _names_in(folder: Path) -> set[str]:
    return {each.name for each in folder.iterdir()}


async def _saved(file: Path) -> None:
    async with await open_local(f"sqlite:///{file}", sync="normal", clock=HandClock(), new_id=ids()) as door:
        await door.enter(Principal.agent("ada")).write_pages(slice="mine", pages=[page("n")])


@pytest.mark.parametrize("name", ["50% off", "a?b=c", "q#1", "sp ace", "%20", "ünï", "file:x"])
async def test_br17_a_folder_may_be_called_anything(tmp_path: Path, name: str) -> None:
    """BR17: the store is the file that its address names, as it is written, and no other."""
    await _saved(tmp_path / name / "store.db")
    assert _names_in(tmp_path) == {name}
    with sqlite3.connect((tmp_path / name / "store.db").as_uri(), uri=True) as raw:
        assert raw.execute("SELECT slug FROM pages").fetchall() == [("n",)]
    raw.close()


async def test_br17_what_is_no_store_is_left_as_it_is(tmp_path: Path) -> None:
    """BR17: a text, a folder, a device and another program's database keep their mode and content, and get no
    neighbours that a refusal leaves behind."""
    text, folder, other = tmp_path / "people", tmp_path / "folder", tmp_path / "other.db"
    text.write_text("a list of people that is no store\n")
    folder.mkdir()
    with sqlite3.connect(other) as raw:
        raw.execute("CREATE TABLE theirs (a)")
    raw.close()
    device = tmp_path / "device"
    os.mkfifo(device)
    for each in (text, other, device):
        each.chmod(0o644)
    for each in (text, folder, other, device):
        before = each.stat().st_mode
        with pytest.raises(StoreUnavailable, match=r"not a store of this program"):
            await _saved(each)
        assert each.stat().st_mode == before
    assert text.read_text().startswith("a list")
    assert not (tmp_path / "people.lock").exists()


async def test_br17_an_open_mask_opens_no_file(tmp_path: Path) -> None:
    """BR17: under a umask of 0 the folder is still 0700 and each file in it 0600, while it is written too."""
    before = os.umask(0)
    try:
        async with await open_local(
            f"sqlite:///{tmp_path / 'house' / 'store.db'}", sync="normal", clock=HandClock(), new_id=ids()
        ) as door:
            await door.enter(Principal.agent("ada")).write_pages(slice="mine", pages=[page("n")])
            modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in (tmp_path / "house").iterdir()}
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "house").stat().st_mode) == 0o700
    assert modes == dict.fromkeys(("store.db", "store.db-wal", "store.db-shm", "store.db.lock"), 0o600)


async def test_fr7_a_store_that_was_taken_away_is_missed(tmp_path: Path) -> None:
    """FR7: with its file gone, a write and a long poll fail in words; nothing begins an empty store in its place."""
    file = tmp_path / "house" / "store.db"
    async with await open_local(f"sqlite:///{file}", sync="normal", clock=HandClock(), new_id=ids()) as door:
        ada = door.enter(Principal.agent("ada"))
        await ada.write_pages(slice="mine", pages=[page("n")])
        file.rename(tmp_path / "moved.db")
        with pytest.raises(StoreUnavailable):
            await ada.write_pages(slice="mine", pages=[page("n", "two")])
        with pytest.raises(StoreUnavailable):
            await ada.changes(wait=5)
        with pytest.raises(StoreUnavailable, match="moved, removed or replaced"):
            await ada.recall(query="anything")
        assert not file.exists()
        (tmp_path / "moved.db").rename(file)
        assert [hit.version for hit in (await ada.recall(query="n")).hits] == [1]


@pytest.mark.parametrize("url", ["x", "sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite:///a\0b", "mysql://h/d"])
def test_br5_an_address_of_no_file_is_refused(url: str) -> None:
    """BR5: what names no file of SQLite is `unavailable` in words."""
    with pytest.raises(SlicewayError, match="sqlite:///FILE"):
        SqliteDatabase(url)


async def test_br5_an_address_in_a_home_that_nobody_has_is_refused() -> None:
    """BR5: `~` of a person that the system does not know is refused in words."""
    with pytest.raises(StoreUnavailable, match="home"):
        SqliteDatabase("sqlite:///~nobody-of-that-name/store.db")


async def test_fr7_any_number_of_pages_may_tie(tmp_path: Path) -> None:
    """FR7: more pages than one statement takes values are read in several."""
    async with await open_local(
        f"sqlite:///{tmp_path / 'store.db'}", sync="normal", clock=HandClock(), new_id=ids()
    ) as door:
        await door.enter(Principal.agent("ada")).write_pages(slice="mine", pages=[page("n")])
        keys = [("agent-ada", doc) for doc in range(1, 40_000)]

        def look(session: Session) -> dict[search.Key, Mapping[str, Any]]:
            session.enter(keeping())
            return search.rows_of(session, keys)

        found = await door.store.reading(look)
    assert [row["slug"] for row in found.values()] == ["n"]
