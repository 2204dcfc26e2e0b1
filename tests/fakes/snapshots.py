"""Stores as a version left them, as SQL: what later versions are held against.

`python -m tests.fakes.snapshots` writes one of this version's schema for each engine; run it before a release and keep
what it wrote.
"""

from __future__ import annotations

import asyncio
import os
import re
import sqlite3
import subprocess
import tempfile
from contextlib import closing
from pathlib import Path

from sliceway.brain.local import SCRIPTS, migrate_postgres, open_local
from sliceway.core.principals import Principal
from sliceway.store.steps import steps_of
from tests.contract.office import ANN, ANNS, MIA, alone, ask, gateway, page, settle
from tests.fakes.clock import HandClock, ids

KEPT = Path(__file__).parents[1] / "payloads" / "schema"
OWNER = "sliceway_test_snapshot"
_SESSION = re.compile(r"^(SET |SELECT pg_catalog\.set_config|--|\\|$).*\n", re.MULTILINE)
"""What a dump says of itself and of whoever runs it, which is no part of a store."""


def kept(engine: str) -> list[Path]:
    """Return the snapshots of an engine, `sqlite` or `postgres`, by their steps."""
    return sorted(KEPT.glob(f"*.{engine}.sql"))


async def fill(owner_url: str, url: str) -> None:
    """Write a little of everything: pages with versions, a decision, a deletion, a corner, a token, a neighbour."""
    clock, new_id = HandClock(), ids()
    async with await open_local(owner_url, clock=clock, new_id=new_id, new_secret=lambda: "s" * 43) as owner:
        operator = await settle(owner)
        await operator.create_token(kind="agent", agent="ada")
    async with await open_local(url, clock=clock, new_id=new_id) as door:
        ada = door.enter(Principal.agent("ada"))
        for content in ("Build 2300 is the rollback target.", "Build 2301 is the [[deploy/target]] of a rollback."):
            await ada.write_pages(slice="mine", pages=[page("deploy/1", content), page("deploy/2", f"Then: {content}")])
        await ada.write_pages(slice="mine", pages=[page("gone", "It was here.")])
        await ada.delete(slice="mine", slug="gone")
        for slug, decision in (("oncall", "approve"), ("offcall", "deny"), ("waits", None)):
            asked = await ask(gateway(door), page(slug))
            if decision is not None:
                await gateway(door).decide(id=asked.id, decision=decision, revision=1, decided_by=MIA)
        await gateway(door).write_pages(slice=ANNS, pages=[page("note", "Only for Ann.")], origin=alone(ANN))


def sqlite_text(file: Path) -> str:
    """Return a store in a file as SQL."""
    with closing(sqlite3.connect(file)) as opened:
        return "\n".join(opened.iterdump()) + "\n"


def postgres_text(owner_url: str) -> str:
    """Return a store on PostgreSQL as SQL, rights and walls included."""
    from tests.fakes.postgres import binaries

    asked = [str(binaries() / "pg_dump"), "--inserts", "--enable-row-security", "--no-owner", owner_url]
    dumped = subprocess.run(asked, check=True, capture_output=True, text=True).stdout
    return _SESSION.sub("", dumped).replace(OWNER, "CURRENT_USER")


def load_sqlite(snapshot: Path, file: Path) -> None:
    """Make the store of a snapshot in a file."""
    with closing(sqlite3.connect(file)) as opened:
        opened.executescript(snapshot.read_text(encoding="utf-8"))


def load_postgres(snapshot: Path, owner_url: str) -> None:
    """Make the store of a snapshot in an empty database, as its owner."""
    import psycopg

    with psycopg.connect(owner_url) as owner:
        owner.execute(snapshot.read_bytes())


def main() -> None:
    """Write both snapshots of this version's schema."""
    from tests.fakes.postgres import end_shared, owned_database

    KEPT.mkdir(exist_ok=True)
    head = steps_of(SCRIPTS).head
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "store.db"
        url = f"sqlite:///{file}"
        asyncio.run(fill(url, url))
        (KEPT / f"{head}.sqlite.sql").write_text(sqlite_text(file), encoding="utf-8")
    os.environ.pop("SLICEWAY_TEST_POSTGRES", None)
    with owned_database(OWNER) as made:
        migrate_postgres(made.owner_url, made.url)
        asyncio.run(fill(made.owner_url, made.url))
        (KEPT / f"{head}.postgres.sql").write_text(postgres_text(made.owner_url), encoding="utf-8")
    end_shared()


if __name__ == "__main__":
    main()
