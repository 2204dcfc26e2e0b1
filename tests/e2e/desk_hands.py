"""Hands on the desk of a stage's gateway: whether all work on it is done, and time that passes on it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sliceway import Principal, open_brain
from sliceway.cli.play.stage import Stage
from sliceway.core.slices import agent_slice
from sliceway.flows.cards import CURSOR

_LONG_AGO = "2000-01-01T00:00:00.000000Z"


def desk_file(stage: Stage, agent: str | None = None) -> Path:
    """Return where the desk of an agent is, the bot's own unless another is named."""
    name = f"brain.desk-{agent_slice(agent or stage.people.bot)}.db"
    return Path(stage.store_url.removeprefix("sqlite:///")).with_name(name)


async def all_is_done(stage: Stage) -> bool:
    """Say whether nothing that arrived or is owed waits on the desk, now or for later, and all that changed in the
    brain was seen: then the gateway says nothing more by itself."""
    with closing(sqlite3.connect(f"{desk_file(stage).as_uri()}?mode=ro", uri=True)) as desk:
        if _open(desk):
            return False
        (read,) = desk.execute("SELECT value FROM cursors WHERE name = ?", (CURSOR,)).fetchone() or (None,)
        async with open_brain(stage.store_url) as door:
            team = str(stage.people.state["team"]["id"])
            gateway = door.enter(Principal.gateway(stage.people.bot, teams=[team], acts_for=True, decides=True))
            if (await gateway.changes(after=read)).items:
                return False
        return not _open(desk)


def _open(desk: sqlite3.Connection) -> int:
    both = "SELECT (SELECT count(*) FROM inbox WHERE {0}) + (SELECT count(*) FROM owed WHERE {0})"
    return int(desk.execute(both.format("state IN ('waiting', 'taken')")).fetchone()[0])


def leases_end(stage: Stage, agent: str | None = None) -> None:
    """Let the time pass for which a dead gateway's work is still its own; nobody may be working on this desk."""
    with closing(sqlite3.connect(desk_file(stage, agent), timeout=20)) as desk, desk:
        for table in ("inbox", "owed"):
            desk.execute(f"UPDATE {table} SET lease_until = ? WHERE lease_until IS NOT NULL", (_LONG_AGO,))
        desk.execute("UPDATE leases SET until = ?", (_LONG_AGO,))
