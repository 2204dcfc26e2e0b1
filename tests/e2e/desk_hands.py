"""Hands on the desk of a stage's gateway: whether all work on it is done, and time that passes on it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection, text

from sliceway import Principal, open_brain
from sliceway.cli.play.stage import Stage
from sliceway.core.slices import agent_slice
from sliceway.flows.cards import CURSOR
from sliceway.store.engine import Database
from sliceway.store.engine_sqlite import SqliteDatabase

_THEN = {"then": "2000-01-01T00:00:00.000000Z"}


def desk_file(stage: Stage, agent: str | None = None) -> Path:
    """Return where the desk of an agent is, the bot's own unless another is named."""
    name = f"brain.desk-{agent_slice(agent or stage.people.bot)}.db"
    return Path(stage.store_url.removeprefix("sqlite:///")).with_name(name)


async def all_is_done(stage: Stage) -> bool:
    """Say whether nothing that arrived or is owed waits on the desk, now or for later, and all that changed in the
    brain was seen: then the gateway says nothing more by itself."""
    with _looked_at(stage) as desk:
        if _open(desk):
            return False
        read = desk.execute(text("SELECT value FROM cursors WHERE name = :name"), {"name": CURSOR}).scalar()
    async with open_brain(stage.store_url) as door:
        team = str(stage.people.state["team"]["id"])
        gateway = door.enter(Principal.gateway(stage.people.bot, teams=[team], acts_for=True, decides=True))
        if (await gateway.changes(after=read)).items:
            return False
    with _looked_at(stage) as desk:
        return not _open(desk)


@contextmanager
def _looked_at(stage: Stage) -> Iterator[Connection]:
    """Give a connection that reads the bot's desk, wherever it is."""
    if (url := _elsewhere(stage)) is not None:
        from tests.fakes.postgres import looked_at_desk  # which needs the driver

        with looked_at_desk(url, stage.people.bot) as connection:
            yield connection
        return
    desk = SqliteDatabase(f"sqlite:///{desk_file(stage)}", looks_only=True)
    try:
        with desk.read() as connection:
            yield connection
    finally:
        desk.let_go()


def _open(desk: Connection) -> int:
    both = "SELECT (SELECT count(*) FROM inbox WHERE {0}) + (SELECT count(*) FROM owed WHERE {0})"
    return int(desk.execute(text(both.format("state IN ('waiting', 'taken')"))).scalar_one())


def leases_end(stage: Stage, agent: str | None = None) -> None:
    """Let the time pass for which a dead gateway's work is still its own; nobody may be working on this desk."""
    with _changed(stage, agent) as desk:
        for table in ("inbox", "owed"):
            desk.execute(text(f"UPDATE {table} SET lease_until = :then WHERE lease_until IS NOT NULL"), _THEN)
        desk.execute(text("UPDATE leases SET until = :then"), _THEN)


@contextmanager
def _changed(stage: Stage, agent: str | None) -> Iterator[Connection]:
    """Give a connection that changes the desk of an agent, wherever it is."""
    there = _elsewhere(stage)
    if there is None:
        desk: Database = SqliteDatabase(f"sqlite:///{desk_file(stage, agent)}")
    else:
        from sliceway.store.desk_postgres import DeskDatabase  # which needs the driver

        desk = DeskDatabase(there, agent or stage.people.bot)
    try:
        with desk.write() as connection:
            yield connection
    finally:
        desk.let_go()


def _elsewhere(stage: Stage) -> str | None:
    """Return the address of the desk on PostgreSQL, None where it is a file."""
    url = stage.environment.get("SLICEWAY_STATE__URL", "")
    return url if url.startswith("postgresql") else None
