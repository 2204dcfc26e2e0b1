"""What a migration would do is told without doing any of it (BR12)."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine

from sliceway.brain.local import SCRIPTS
from sliceway.store.desk import SCRIPTS as DESK_SCRIPTS
from sliceway.store.opening import open_database
from sliceway.store.plan import MigrationPlan, plan
from sliceway.store.steps import config_of, steps_of
from tests.fakes.snapshots import KEPT, load_sqlite
from tests.fakes.verbs import verb

if TYPE_CHECKING:
    from tests.fakes.postgres import Made  # which needs the driver


@pytest.mark.parametrize("scripts", [SCRIPTS, DESK_SCRIPTS])
def test_br12_the_steps_are_known_without_running_them(scripts: str) -> None:
    """BR12: what is read in the files of the steps is what Alembic knows of them: all, and their order."""
    directory = ScriptDirectory.from_config(config_of(scripts))
    steps = tuple(step.revision for step in directory.walk_revisions())[::-1]
    assert steps_of(scripts).order == steps
    assert steps_of(scripts).head == directory.get_current_head()


def plan_of(url: str) -> MigrationPlan:
    """Return the plan for a store that is only looked at."""
    database = open_database(url, looks_only=True)
    try:
        return plan(database, SCRIPTS)
    finally:
        database.let_go()


def at_step(file: Path, step: str) -> None:
    """Make a store of an earlier schema with a row in it."""
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        config = config_of(SCRIPTS)
        config.attributes["connection"] = connection
        command.upgrade(config, step)
    engine.dispose()
    with closing(sqlite3.connect(file)) as opened, opened:
        opened.execute("INSERT INTO links VALUES ('shared', 'a', 'b')")


def test_br12_a_plan_says_the_steps_tables_and_rows_and_changes_nothing(tmp_path: Path) -> None:
    """BR12: every step that is missing is there with what it touches; the file stays byte for byte as it was."""
    file = tmp_path / "old.db"
    at_step(file, "0003")
    before = file.read_bytes()
    found = plan_of(f"sqlite:///{file}")
    assert file.read_bytes() == before
    known = steps_of(SCRIPTS)
    assert (found.stands, found.head, found.fit) == ("0003", known.head, "too_old")
    assert tuple(step.step for step in found.steps) == known.after("0003")
    assert (found.reindexes, found.walls) == (True, None)
    touched = {(one.table, one.does): one.rows for step in found.steps for one in step.tables}
    assert touched["neighbours", "made"] is None
    assert touched["pages", "altered"] == 0
    assert all(step.says and step.tables for step in found.steps)
    assert {one.lock for step in found.steps for one in step.tables} == {
        "the one writer's: other writers wait, readers go on"
    }


def test_br12_a_store_that_is_up_to_date_has_nothing_to_do(postgres: Made) -> None:
    """BR12: on PostgreSQL too, as the owner or as the app."""
    for url in (postgres.url, postgres.owner_url):
        found = plan_of(url)
        assert found.stands == found.head
        assert found.steps == ()


def test_br12_on_postgresql_a_plan_names_its_locks(postgres: Made) -> None:
    """BR12: a store that stands one step back is told who would wait for what."""
    import psycopg

    with psycopg.connect(postgres.owner_url, autocommit=True) as owner:
        owner.execute("UPDATE alembic_version SET version_num = '0006'")
        try:
            found = plan_of(postgres.owner_url)
        finally:
            owner.execute("UPDATE alembic_version SET version_num = %s", (steps_of(SCRIPTS).head,))
    (step,) = [one for one in found.steps if one.step == "0007"]
    assert {one.table: one.lock.partition(":")[0] for one in step.tables if one.table in {"pages", "vectors"}} == {
        "pages": "ACCESS EXCLUSIVE", "vectors": "none",
    }  # fmt: skip


def test_br12_the_command_says_who_may_go_on(tmp_path: Path) -> None:
    """BR12: `brain migrate --plan` tells whoever upgrades what to stop, and whether the index is made again; a store
    that a newer version made its own, or only added to, is told apart."""
    file = tmp_path / "store.db"
    load_sqlite(KEPT / "0003.sqlite.sql", file)
    settings = {"HOME": str(tmp_path), "SLICEWAY_STORE__URL": f"sqlite:///{file}"}

    def said() -> str:
        return verb("brain", "migrate", "--plan", environment=settings).stdout

    old = said()
    assert old.startswith("From 0003 to ")
    assert "neighbours (new) is made" in old
    assert "taken into the index again" in old
    assert "Stop every program of an older version" in old
    assert verb("brain", "migrate", environment=settings).returncode == 0
    assert said() == "The schema is up to date.\n"
    for kept, words in ((f"9001 {steps_of(SCRIPTS).head}", "a newer version added to it"), ("9001 9001", "upgrade")):
        with closing(sqlite3.connect(file)) as opened, opened:
            opened.execute("UPDATE alembic_version SET version_num = '9001', oldest = ?", (kept,))
        assert words in said()
