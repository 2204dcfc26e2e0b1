"""An erasure reaches the bytes: what was erased is in no file of the store once it is scrubbed (BR10)."""

from __future__ import annotations

from pathlib import Path

from sliceway.brain.keeper import Keeper
from sliceway.brain.local import LocalBrain, LocalDoor
from sliceway.ports import NewId
from sliceway.store.erasing import HANDLED, OF_PAGES, WITH_CONTENT
from sliceway.store.tables import metadata
from tests.fakes.clock import HandClock

TEXT = "Quetzals nest beneath Crème-Brûlée"
WORDS = tuple(word.encode() for word in (TEXT, "quetzal", "beneath", "creme", "Crème"))


def holds(folder: Path) -> set[str]:
    """Return the files of a folder in which a word of the text stands."""
    return {file.name for file in folder.rglob("*") if file.is_file() and any(w in file.read_bytes() for w in WORDS)}


def test_br10_an_erasure_reaches_every_column_that_holds_content() -> None:
    """BR10: a table with a column of content that no erasure reaches fails here; every such column says what stands
    there without it, where its row outlives it."""
    assert WITH_CONTENT <= HANDLED
    assert {"pages", "page_versions", "links", "terms"} <= set(OF_PAGES)
    for table in metadata.sorted_tables:
        for column in table.columns:
            if column.info.get("content") and table.name not in OF_PAGES:
                assert "empty" in column.info, str(column)


async def test_br10_what_was_erased_is_in_no_file_of_the_store(
    door: LocalDoor, ada: LocalBrain, operator: LocalBrain, clock: HandClock, new_id: NewId
) -> None:
    """BR10: neither in the database nor in its log, as text or as a term; while somebody reads, `scrubbed` is false
    and nothing is held up, and the keeper does it afterwards."""
    file = door.database.file
    assert file is not None
    for n in range(40):
        await ada.write_pages(slice="mine", pages=[{"slug": f"q/{n}", "content": f"{TEXT} {n} " * 40}])
        await ada.write_pages(slice="mine", pages=[{"slug": f"k/{n}", "content": f"kept {n} " * 90}])
    await ada.delete(slice="mine", slug="q/1")
    assert holds(file.parent)
    with door.database.read() as reader:
        reader.exec_driver_sql("SELECT 1 FROM slices").fetchall()
        done = await operator.erase_slice(slice="agent-ada")
        assert done.scrubbed is False
    await operator.list_pages(slice="shared")
    keeper = Keeper(door.database, clock=clock, new_id=new_id, holder="k")
    assert (await keeper.run_once()).scrubbed is True
    assert holds(file.parent) == set()
    assert (await operator.verify()).ok
    assert (await operator.erase_slice(slice="agent-ada")).scrubbed is True


async def test_br10_a_page_among_others_is_scrubbed_by_the_call(
    door: LocalDoor, ada: LocalBrain, operator: LocalBrain
) -> None:
    """BR10: where nobody reads, the receipt says `scrubbed` at once, and the files agree; the others stand."""
    file = door.database.file
    assert file is not None
    for n in range(30):
        await ada.write_pages(slice="mine", pages=[{"slug": f"k/{n}", "content": f"kept {n} " * 90}])
        if n % 3 == 0:
            await ada.write_pages(slice="mine", pages=[{"slug": "q", "content": f"{TEXT} {n} " * 60}])
    assert (await operator.erase(slice="agent-ada", slug="q")).scrubbed is True
    assert holds(file.parent) == set()
    assert len((await ada.list_pages(slice="mine")).items) == 30
    assert (await operator.verify()).ok
