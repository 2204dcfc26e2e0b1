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
from sliceway.store.migrate import config_of, revisions
from sliceway.store.opening import open_database
from sliceway.store.plan import MigrationPlan, plan

if TYPE_CHECKING:
    from tests.fakes.postgres import Made  # which needs the driver


@pytest.mark.parametrize("scripts", [SCRIPTS, DESK_SCRIPTS])
def test_br12_the_steps_are_known_without_running_them(scripts: str) -> None:
    """BR12: what is read in the files of the steps is what Alembic knows of them: the newest, and all."""
    directory = ScriptDirectory.from_config(config_of(scripts))
    steps = frozenset(step.revision for step in directory.walk_revisions())
    assert revisions(scripts) == (directory.get_current_head(), steps)


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
    head, known = revisions(SCRIPTS)
    assert (found.stands, found.head) == ("0003", head)
    assert [step.step for step in found.steps] == sorted(one for one in known if one > "0003")
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
            owner.execute("UPDATE alembic_version SET version_num = %s", (revisions(SCRIPTS)[0],))
    (step,) = [one for one in found.steps if one.step == "0007"]
    assert {one.table: one.lock.partition(":")[0] for one in step.tables if one.table in {"pages", "vectors"}} == {
        "pages": "ACCESS EXCLUSIVE", "vectors": "none",
    }  # fmt: skip
