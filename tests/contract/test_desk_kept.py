"""What a desk keeps, and where: in a file or a schema of its own, through every process, and no text for longer."""

from __future__ import annotations

import asyncio
import multiprocessing
import stat
from pathlib import Path

import pytest
from sqlalchemy import select

from sliceway.errors import StoreUnavailable
from sliceway.settings.values import sqlite_file
from sliceway.store.desk import SCRIPTS, open_desk
from sliceway.store.desk_tables import metadata
from sliceway.store.engine import Database
from sliceway.store.migrate import migrate
from sliceway.store.opening import open_database
from sliceway.store.steps import steps_of
from tests.fakes.clock import HandClock
from tests.fakes.future import future


async def test_br10_what_is_done_leaves_no_text_behind(desk_address: str, clock: HandClock) -> None:
    """BR10: a finished delivery and a settled debt keep their key, and nothing of their text stays in the file, or in
    any row of the schema."""
    desk = await open_desk(desk_address, clock=clock)
    await desk.put_event(key="a", queue="q", kind="turn", payload={"text": "wombat in the inbox"})
    await desk.owe(key="k", kind="reply", payload={"text": "wombat in the outbox"})
    assert "wombat" in _kept(desk_address)
    await desk.take_turn(holder="h", lease_s=5)
    await desk.finish("a")
    await desk.settle("k")
    await desk.close()
    assert "wombat" not in _kept(desk_address)
    assert "turn" in _kept(desk_address)


def _kept(address: str) -> str:
    """Return all that is kept at an address: the files' bytes, or every row as text."""
    if file := sqlite_file(address):
        return "".join(one.read_bytes().decode("latin-1") for one in file.parent.iterdir())
    from tests.fakes.postgres import looked_at_desk  # which needs the driver

    with looked_at_desk(address, "default") as connection:
        return str([connection.execute(select(table)).all() for table in metadata.sorted_tables])


async def test_br17_only_the_owner_may_read_the_file(clock: HandClock, tmp_path: Path) -> None:
    """BR17: the folder is 0700 and every file in it 0600."""
    folder = tmp_path / "state"
    desk = await open_desk(f"sqlite:///{folder}/desk.db", clock=clock)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()} == {0o600}
    await desk.close()


def _work(url: str, name: str, count: int) -> None:
    """What one of several processes does: put, take and finish its own deliveries."""

    async def main() -> None:
        desk = await open_desk(url, clock=HandClock())
        for number in range(count):
            await desk.put_event(key=f"{name}-{number}", queue=name, kind="turn", payload={})
        await desk.close()

    asyncio.run(main())


async def test_br12_several_processes_write_one_desk(desk_address: str, clock: HandClock) -> None:
    """BR12: processes that open, migrate and write one empty desk at once all succeed, and nothing is lost."""
    if not sqlite_file(desk_address):
        from tests.fakes.postgres import desk_home, drop_desk  # which needs the driver

        drop_desk(desk_home(), "default")
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=_work, args=(desk_address, f"w{number}", 25)) for number in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        await asyncio.to_thread(worker.join, 60)
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    desk = await open_desk(desk_address, clock=clock)
    assert await desk.inbox_depth() == 75
    await desk.close()


async def test_br12_a_gateway_goes_on_with_a_desk_that_a_newer_one_only_added_to(
    desk_address: str, clock: HandClock, tmp_path: Path
) -> None:
    """BR12: what a newer gateway of the same agent added to their desk is no hindrance for this one; what it changed
    otherwise is, and is said."""
    head = steps_of(SCRIPTS).head
    adds = 'op.add_column("inbox", sa.Column("mood", sa.Text(), nullable=True))'
    later = future(tmp_path / "later", head, adds, "adds_only = True", of="desk_migrations")
    desk = await open_desk(desk_address, clock=clock, agent="rolling")
    await desk.put_event(key="before", queue="q", kind="turn", payload={})
    await desk.close()
    newer = _desk_database(desk_address)
    try:
        assert migrate(newer, later)
        desk = await open_desk(desk_address, clock=clock, agent="rolling")
        await desk.put_event(key="after", queue="q", kind="turn", payload={})
        taken = await desk.take_turn(holder="h", lease_s=5)
        assert taken is not None
        assert (taken.key, await desk.inbox_depth()) == ("before", 2)
        await desk.close()
        with newer.write() as connection:
            connection.exec_driver_sql("UPDATE alembic_version SET oldest = '9001 9001'").close()
        with pytest.raises(StoreUnavailable, match="from a newer version"):
            await open_desk(desk_address, clock=clock, agent="rolling")
    finally:
        newer.let_go()
        if not sqlite_file(desk_address):
            from tests.fakes.postgres import desk_home, drop_desk  # which needs the driver

            drop_desk(desk_home(), "rolling")


def _desk_database(address: str) -> Database:
    """Return the database of the desk `rolling`, as a gateway opens it."""
    if sqlite_file(address):
        return open_database(address)
    from sliceway.store.desk_postgres import DeskDatabase  # which needs the driver

    return DeskDatabase(address, "rolling")


async def test_a_file_that_is_no_desk_is_refused_in_words(tmp_path: Path, clock: HandClock) -> None:
    """A damaged file and one of another kind are refused with the file's name and what to do."""
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"not a database at all, but long enough to be taken for one" * 40)
    with pytest.raises(StoreUnavailable, match=r"broken\.db is not a store"):
        await open_desk(f"sqlite:///{broken}", clock=clock)
    with pytest.raises(StoreUnavailable, match="sqlite:///FILE"):
        await open_desk("mysql://somewhere/else", clock=clock)
