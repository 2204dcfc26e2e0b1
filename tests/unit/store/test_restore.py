"""A store that moves: its whole record, put back into an empty one (BR3, BR11)."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sliceway.brain.local import LocalBrain, LocalDoor, open_local
from sliceway.core.principals import Principal
from sliceway.errors import InvalidRequest
from sliceway.ports import Brain, NewId
from tests.contract.test_record import cut, exported, file_of
from tests.fakes.clock import HandClock
from tests.unit.store.test_rebuild import dumped, lived, reads_of

if TYPE_CHECKING:
    from tests.fakes.postgres import Made  # which needs the driver

_FOLLOW = ("pages", "page_versions", "links", "terms", "proposals", "grants", "policy", "channels", "people",
           "agents", "aliases", "tokens", "events")  # fmt: skip


@pytest.fixture
def second_file(tmp_path: Path) -> Path:
    """Where the other store is."""
    return tmp_path / "other" / "store.db"


@pytest.fixture
async def second(second_file: Path, clock: HandClock, new_id: NewId) -> AsyncIterator[LocalDoor]:
    """An open door on another store, empty."""
    async with await open_local(f"sqlite:///{second_file}", sync="normal", clock=clock, new_id=new_id) as opened:
        yield opened


def _operator(door: LocalDoor) -> LocalBrain:
    return door.enter(Principal.operator("root"))


async def test_br11_a_moved_store_is_the_same_store(
    door: LocalDoor, second: LocalDoor, ada: LocalBrain, operator: LocalBrain, file: Path, second_file: Path
) -> None:
    """BR11 BR3: every read, author, version and time is the same there, every row too; the record verifies against
    the old heads, cursors of gateways go on, and the export of the copy is the file it came from."""
    await lived(door, ada)
    cursor = (await ada.changes()).cursor
    lines = await exported(operator)
    report = await _operator(second).import_(cut(file_of(lines)))
    assert (report.restored, report.imported, report.skipped, report.errors) == (True, len(lines) - 1, 0, ())
    assert dumped(second_file, _FOLLOW) == dumped(file, _FOLLOW)
    there = second.enter(Principal.agent("ada"))
    moved, was = await reads_of(second, there, _operator(second)), await reads_of(door, ada, operator)
    for waiting in (*moved[6]["items"], *was[6]["items"]):  # where cards stand is work under way, looked up again (AP3)
        waiting.pop("cards")
    assert moved == was
    assert (await there.changes(after=cursor)).items == ()
    assert (await _operator(second).verify(since=await operator.head())).ok
    assert file_of((await exported(_operator(second)))[1:]) == file_of(lines[1:])


async def test_br11_by_postgresql_and_back_it_is_the_same_store(
    door: LocalDoor, second: LocalDoor, ada: LocalBrain, operator: LocalBrain, file: Path, second_file: Path,
    postgres: Made, clock: HandClock, new_id: NewId,
) -> None:  # fmt: skip
    """BR11 BR3: a record that goes to PostgreSQL and comes back keeps every read, author, version and time on the way
    and at its end, every row, and the very bytes of its export."""
    await lived(door, ada)
    lines = await exported(operator)
    was = await reads_of(door, ada, operator)
    async with await open_local(postgres.owner_url, clock=clock, new_id=new_id) as there:
        assert (await _operator(there).import_(cut(file_of(lines)))).restored
        between = await exported(_operator(there))
        assert (await _operator(there).verify(since=await operator.head())).ok
    async with await open_local(postgres.url, clock=clock, new_id=new_id) as served:
        on_the_way = await reads_of(served, served.enter(Principal.agent("ada")), _operator(served))
    assert file_of(between[1:]) == file_of(lines[1:])
    assert (await _operator(second).import_(cut(file_of(between)))).restored
    at_the_end = await reads_of(second, second.enter(Principal.agent("ada")), _operator(second))
    for reads in (was, on_the_way, at_the_end):
        for waiting in reads[6]["items"]:  # where cards stand is work under way, looked up again (AP3)
            waiting.pop("cards")
    assert on_the_way == was
    assert at_the_end == was
    assert dumped(second_file, _FOLLOW) == dumped(file, _FOLLOW)


async def test_br11_a_restore_that_was_broken_off_goes_on(
    door: LocalDoor, second: LocalDoor, ada: LocalBrain, operator: LocalBrain, file: Path, second_file: Path
) -> None:
    """BR11: cut off anywhere, what is there verifies and is no copy yet; the same file again completes it."""
    await lived(door, ada)
    lines = await exported(operator)
    for upto in (3, len(lines) // 2, len(lines) - 1):
        with pytest.raises(InvalidRequest, match="the file ends before"):
            await _operator(second).import_(cut(file_of(lines[:upto])))
        assert (await _operator(second).verify()).ok
    report = await _operator(second).import_(cut(file_of(lines)))
    assert (report.restored, report.imported) == (True, 1)
    assert dumped(second_file, _FOLLOW) == dumped(file, _FOLLOW)
    assert dumped(second_file, ("keeper_lease",)) == {"keeper_lease": []}
    again = await _operator(second).import_(cut(file_of(lines)))
    assert (again.restored, again.imported, again.refused) == (False, 0, 0)


async def test_br3_into_a_store_in_use_a_whole_record_comes_as_the_importers(
    door: LocalDoor, second: LocalDoor, ada: LocalBrain, operator: LocalBrain
) -> None:
    """BR3: where anything was written before, nobody's authorship is taken from a file, and neither policy nor tokens
    nor decisions come in."""
    await lived(door, ada)
    await _operator(second).set_policy(teams=["T2"], managers=["U2"])
    policy = await _operator(second).policy()
    report = await _operator(second).import_(cut(file_of(await exported(operator))))
    assert not report.restored
    assert report.imported
    assert await _operator(second).policy() == policy
    assert (await _operator(second).tokens()).items == ()
    found = await second.enter(Principal.agent("ada")).read_page(slice="mine", slug="a")
    was = await ada.read_page(slice="mine", slug="a")
    assert (found.author.agent, found.version, found.content) == (None, was.version, was.content)
    assert found.author.imported_from is not None
    assert found.author.imported_from.author.agent == "ada"
    assert (await _operator(second).verify()).ok


async def test_br3_only_the_operator_puts_back_what_was(
    door: LocalDoor, second: LocalDoor, ada: LocalBrain, operator: LocalBrain
) -> None:
    """BR3: an admin's import of the same file into an empty store restamps what an admin may import."""
    await lived(door, ada)
    admin: Brain = second.enter(Principal.admin())
    report = await admin.import_(cut(file_of(await exported(operator))))
    assert not report.restored
    assert {entry.slice for entry in await _operator(second).slices()} == {"shared"}
    assert (await admin.read_page(slice="shared", slug="plan")).author.imported_from is not None


async def test_br11_a_store_that_was_written_to_is_not_restored_further(
    door: LocalDoor, second: LocalDoor, ada: LocalBrain, operator: LocalBrain
) -> None:
    """BR11: what was written between two halves of a restore is not overwritten: it ends and says so."""
    await lived(door, ada)
    lines = await exported(operator)
    at = next(number for number, line in enumerate(lines[1:], 1) if line["slice"] == "agent-ada")
    with pytest.raises(InvalidRequest):
        await _operator(second).import_(cut(file_of(lines[: at + 2])))
    await second.enter(Principal.agent("ada")).write_pages(slice="mine", pages=[{"slug": "x", "content": "mine"}])
    with pytest.raises(InvalidRequest, match="written to meanwhile"):
        await _operator(second).import_(cut(file_of(lines)))
    assert (await _operator(second).verify()).ok


async def test_br10_what_was_erased_is_in_no_export_and_its_chain_still_holds(
    door: LocalDoor, second: LocalDoor, ada: LocalBrain, operator: LocalBrain, file: Path, second_file: Path
) -> None:
    """BR10 BR11: an event whose payload and salt were emptied goes out as a tombstone; rebuilt and put back elsewhere,
    the chain verifies and its page is gone."""
    await lived(door, ada)
    await ada.write_pages(slice="mine", pages=[{"slug": "secret", "content": "the launch code"}])
    with sqlite3.connect(file) as raw:
        where = "slice = 'agent-ada' AND seq = (SELECT MAX(seq) FROM events WHERE slice = 'agent-ada')"
        assert raw.execute(f"UPDATE events SET payload = NULL, salt = NULL WHERE {where}").rowcount == 1
    raw.close()
    assert (await operator.rebuild()).ok
    assert (await operator.verify()).ok
    given = file_of(await exported(operator))
    assert b"launch code" not in given
    assert (await _operator(second).import_(cut(given))).restored
    assert (await _operator(second).verify(since=await operator.head())).ok
    assert dumped(second_file, _FOLLOW) == dumped(file, _FOLLOW)
