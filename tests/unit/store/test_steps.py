"""Steps of a schema: who may go on, judged from what each says of itself; and that it says the truth."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from alembic import command
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, event

import sliceway
from sliceway.brain.local import SCRIPTS
from sliceway.store.desk import SCRIPTS as DESK_SCRIPTS
from sliceway.store.steps import Fit, Standing, Steps, config_of, steps_of
from tests.fakes.future import ADDS, STEP, future

KNOWN = Steps(("1", "2", "3", "4"), adds=frozenset({"3", "4"}), reindexes=frozenset())
FOLDERS = ("migrations", "desk_migrations")
_ADDED_COLUMN = re.compile(r"ALTER TABLE (\w+) ADD COLUMN (.*)", re.DOTALL)
_MADE = re.compile(r"\s*CREATE TABLE (\w+)")
_INDEX = re.compile(r"CREATE (UNIQUE )?INDEX \w+ ON (\w+)")


@pytest.mark.parametrize(
    ("stands", "oldest", "fit"),
    [
        ("4", None, Fit.SAME),
        ("3", None, Fit.BEHIND),
        ("2", None, Fit.BEHIND),
        ("1", None, Fit.TOO_OLD),
        (None, None, Fit.TOO_OLD),
        ("5", "4", Fit.AHEAD),
        ("6", "2", Fit.AHEAD),
        ("5", "5", Fit.TOO_NEW),
        ("5", None, Fit.TOO_NEW),
    ],
)
def test_br12_a_store_fits_as_far_as_only_additions_lie_between(stands: str, oldest: str, fit: Fit) -> None:
    """BR12: additions alone are done without in both directions; anything else ends it, and so does not knowing."""
    assert KNOWN.fit(Standing(stands, oldest)) is fit
    assert fit.serves is (fit in {Fit.SAME, Fit.AHEAD, Fit.BEHIND})


def test_br12_the_oldest_program_is_the_one_after_which_steps_only_added() -> None:
    """BR12: what is written down for programs that do not know a step; what is said of another step does not count."""
    assert KNOWN.oldest == "2"
    assert Steps(("1", "2"), frozenset(), frozenset()).oldest == "2"
    assert Standing.kept({"version_num": "4", "oldest": "4 2"}) == Standing("4", "2")
    assert Standing.kept({"version_num": "9", "oldest": "4 2"}) == Standing("9", None)
    assert Standing.kept({"version_num": "4"}) == Standing("4", None)


def said_by(scripts: str) -> Iterator[tuple[str, list[str]]]:
    """Give each step with what it says to an empty database."""
    config = config_of(scripts)
    engine = create_engine("sqlite://")
    with engine.connect() as connection:
        config.attributes["connection"] = connection
        said: list[str] = []
        event.listen(connection, "before_cursor_execute", lambda _c, _cursor, statement, *_: said.append(statement))
        for step in steps_of(scripts).order:
            said.clear()
            command.upgrade(config, step)
            yield step, [one for one in said if "alembic_version" not in one and not one.startswith("PRAGMA")]
    engine.dispose()


def not_added(said: list[str]) -> list[str]:
    """Return what is no addition that a program can do without."""
    made = {found[1] for one in said if (found := _MADE.match(one))}
    wrong = []
    for one in said:
        column, index = _ADDED_COLUMN.match(one), _INDEX.match(one)
        if column is not None:
            fine = "NOT NULL" not in column[2] or "DEFAULT" in column[2]
        elif index is not None:
            fine = not index[1] or index[2] in made
        else:
            fine = _MADE.match(one) is not None
        wrong += [] if fine else [one]
    return wrong


@pytest.mark.parametrize("scripts", [SCRIPTS, DESK_SCRIPTS])
def test_br12_a_step_that_says_it_only_adds_does_no_more(scripts: str) -> None:
    """BR12: every step says whether it only adds; one that says so makes tables, columns that may be left out, and
    indexes that refuse no row."""
    for step in ScriptDirectory.from_config(config_of(scripts)).walk_revisions():
        assert isinstance(getattr(step.module, "adds_only", None), bool), f"{step.revision} does not say `adds_only`"
    wrong = {
        step: left for step, said in said_by(scripts) if step in steps_of(scripts).adds and (left := not_added(said))
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("does", "only_adds"),
    [
        (ADDS, True),
        ('op.add_column("pages", sa.Column("mood", sa.Text(), nullable=False, server_default="x"))', True),
        ("op.execute(\"UPDATE pages SET title = 'x'\")", False),
        ('op.create_index("one_title", "pages", ["slice", "title"], unique=True)', False),
        ('op.drop_index("pages_by_agent", table_name="pages")', False),
        ('op.rename_table("grants", "yeses")', False),
    ],
)
def test_br12_what_is_more_than_an_addition_is_found(tmp_path: Path, does: str, only_adds: bool) -> None:
    """BR12: the look at what a step does finds what a program of the version before could not work with."""
    scripts = future(tmp_path / "later", steps_of(SCRIPTS).head, does, "adds_only = True")
    assert (not_added(dict(said_by(scripts))[STEP]) == []) is only_adds


@pytest.mark.parametrize("folder", FOLDERS)
def test_br12_a_step_means_the_same_for_ever(folder: str) -> None:
    """BR12: a step uses no code of this package, which moves on: what it does stands in its own file."""
    files = sorted((Path(sliceway.__file__).parent / "store" / folder / "versions").glob("*.py"))
    assert len(files) > 2
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            modules += [name.name for name in node.names] if isinstance(node, ast.Import) else []
            assert not [one for one in modules if one.startswith("sliceway")], file.name
