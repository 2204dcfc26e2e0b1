"""There is no way to the brain's rows but a session with its access: read in the source itself (BR4, BR15)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import sliceway
from sliceway.core import access

ROOT = Path(sliceway.__file__).parent

AROUND = {
    "store/session.py": "it is the way",
    "store/driver.py": "hands the driver a statement that the session lets through",
    "store/bulk.py": "adds rows of the one slice that the session lands on",
    "store/engine.py": "what every engine gives; runs no statement",
    "store/engine_sqlite.py": "opens the file and begins transactions, for brain and desk alike",
    "store/engine_postgres.py": "opens the database and begins transactions",
    "store/bell.py": "listens to a channel that says nothing; no row",
    "store/opening.py": "chooses the engine; runs no statement",
    "store/walls.py": "tells PostgreSQL the session's access, and holds the slice that the session lands on",
    "store/roles.py": "the roles and policies of PostgreSQL, beside the migrations; no row of a slice",
    "store/secured.py": "reads how the roles and policies of PostgreSQL stand, in its own lists; no row of a slice",
    "store/migrate.py": "brings a schema up to date; no row of a slice",
    "store/steps.py": "reads and writes down which schema there is; no row of a slice",
    "store/behind.py": "looks which columns there are; no row of a slice",
    "store/backup.py": "copies the file as it is, page by page; reads no row of a slice",
    "store/plan.py": "counts the rows of tables, and takes steps in an empty database in memory; no row of a slice",
    "store/watch.py": "looks at the file's data version alone",
    "store/doctor_postgres.py": "looks whether the database is reached, and at its schema; no row of a slice",
    "store/doctor.py": "looks whether the file can be written, and at its schema; no row of a slice",
    "store/desk.py": "the desk: a gateway's own state in a file of its own, no brain data",
    "store/desk_postgres.py": "has a desk's writers go one after another, and makes its schema; no brain data",
    "store/desk_queues.py": "the desk's queues",
    "store/desk_migrations/": "the steps of the desk's schema",
    "store/reindex.py": "what a step of the schema does to the index, before anybody calls",
    "store/migrations/": "the steps of the brain's schema, before anybody calls",
}
"""What speaks SQL without an access, and why it may. Whatever is not here goes through a session."""

MAKERS = {
    "opening": {"store/session.py"},
    "reading": {"brain/base.py"},
    "changing": {"brain/pages.py", "brain/proposals.py"},
    "seeing": {"brain/feed.py", "brain/grants.py"},
    "handling": {"brain/decisions.py", "brain/drafts.py", "brain/feed.py", "brain/grants.py", "brain/proposals.py"},
    "recollecting": {"brain/record.py"},
    "recording": {
        "brain/actor.py",
        "brain/embedding.py",
        "brain/eraser.py",
        "brain/following.py",
        "brain/keeper.py",
    },
    "administering": {"brain/agents.py", "brain/tokens.py"},
    "auditing": {"brain/administration.py"},
    "overseeing": {"brain/administration.py", "brain/mounts.py"},
    "maintaining": {"brain/importing.py", "brain/record.py"},
    "keeping": {"brain/following.py", "brain/keeper.py", "brain/purging.py"},
    "counting": {"brain/local.py"},
    "embedding": {"brain/embedding.py"},
    "exporting": {"brain/exporting.py"},
    "importing": {"brain/importing.py"},
    "merging": {"brain/merging.py"},
    "erasing": {"brain/erasing.py"},
}
"""Who makes an access of each kind. A new caller is written down here, or fails."""

_SQL = {"execute", "executemany", "executescript", "exec_driver_sql", "execution_options"}
_RAW = {"Connection", "Engine", "create_engine", "insert", "update", "delete", "event", "DDL"}
_UNSEALED = {"__new__", "__setattr__", "__reduce_ex__", "_SEAL"}


def _sources() -> Iterator[tuple[str, ast.Module]]:
    for file in sorted(ROOT.rglob("*.py")):
        yield file.relative_to(ROOT).as_posix(), ast.parse(file.read_text(encoding="utf-8"))


SOURCES = dict(_sources())


def _calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute | ast.Name):
            yield (node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id), node


def _imported(tree: ast.Module, module: str) -> set[str]:
    return {
        name.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == module
        for name in node.names
    }


def test_br4_every_statement_of_the_store_goes_through_a_session() -> None:
    """BR4: in the store every statement is a session's and says of which slices it reads; nothing else there can make
    a connection or a change."""
    wrong = []
    statements = 0
    for name, tree in SOURCES.items():
        if not name.startswith("store/") or name.startswith(tuple(AROUND)):
            continue
        wrong += [f"{name} imports {one} from sqlalchemy" for one in _RAW & _imported(tree, "sqlalchemy")]
        wrong += [f"{name} imports {one}" for one in ("sqlite3",) if _imports(tree, one)]
        for called, node in _calls(tree):
            if called not in _SQL or not isinstance(node.func, ast.Attribute):
                continue
            statements += 1
            receiver = ast.unparse(node.func.value)
            if receiver.split(".")[-1] != "session" or "of" not in {keyword.arg for keyword in node.keywords}:
                wrong.append(f"{name}:{node.lineno} {receiver}.{called}")
    assert wrong == []
    assert statements > 40


def _imports(tree: ast.Module, module: str) -> bool:
    return any(
        isinstance(node, ast.Import) and any(name.name.split(".")[0] == module for name in node.names)
        for node in ast.walk(tree)
    )


def test_br4_sql_is_spoken_in_the_store_alone() -> None:
    """BR4: no module above the store runs a statement, or has a connection to run one on."""
    wrong = []
    for name, tree in SOURCES.items():
        if name.startswith("store/"):
            continue
        wrong += [f"{name}:{node.lineno} {called}" for called, node in _calls(tree) if called in _SQL]
        wrong += [
            f"{name}:{node.lineno} {node.attr}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Attribute) and node.attr in {"engine", "exec_driver_sql", "_connection"}
        ]
        past = {"database.reading", "database.writing", "database.read", "database.write"}
        bare = [node for _, node in _calls(tree) if ".".join(ast.unparse(node.func).split(".")[-2:]) in past]
        if name == "wiring/store.py":  # which step the schema stands at, for `/readyz`
            assert [ast.unparse(node) for node in bare] == ["store.database.reading(standing)"]
        else:
            wrong += [f"{name}:{node.lineno}" for node in bare]
    assert wrong == []


def test_br4_what_goes_around_the_session_touches_no_rows_of_slices() -> None:
    """BR4: the table of what speaks SQL without an access is closed, true, and of files that know no table of the
    brain."""
    assert all(reason.strip() for reason in AROUND.values())
    for entry in AROUND:
        files = [name for name in SOURCES if name.startswith(entry)]
        assert files, f"{entry} is gone: take it out of the table"
        for name in files:
            known = _imported(SOURCES[name], "sliceway.store.tables")
            known |= _imported(SOURCES[name], "sliceway.store") & {"tables"}
            assert known <= {"metadata"}, name


def test_br4_each_kind_of_access_is_made_where_it_is_written_down() -> None:
    """BR4: who makes which kind is a closed table; `Access` itself is called, and its seal named, in one module."""
    assert set(MAKERS) == {kind.value for kind in access.Kind}
    made: dict[str, set[str]] = {name: set() for name in MAKERS}
    for name, tree in SOURCES.items():
        if name == "core/access.py":
            continue
        imported = _imported(tree, "sliceway.core.access")
        assert not imported & {"_SEAL", "_OPENING", "_RECORDING"}, name
        assert "access" not in _imported(tree, "sliceway.core"), f"{name}: import the makers by their names"
        for one in imported & set(MAKERS):
            made[one].add(name)
        if imported:
            assert not [called for called, _ in _calls(tree) if called == "Access"], name
            assert not [one for one in ast.walk(tree) if isinstance(one, ast.Attribute) and one.attr in _UNSEALED], name
    assert made == MAKERS


@pytest.mark.parametrize("called", ["Session", "Store"])
def test_br4_sessions_are_begun_by_the_store_alone(called: str) -> None:
    """BR4: a session is made in its own module; a store, by the door and the keeper."""
    allowed = {"Session": {"store/session.py"}, "Store": {"brain/local.py", "brain/keeper.py"}}[called]
    makers = {name for name, tree in SOURCES.items() for one, _ in _calls(tree) if one == called}
    assert makers == allowed


def test_br4_no_part_of_the_brain_takes_a_bare_connection() -> None:
    """BR4: the brain has sessions; the database behind them is handed on whole by the door and the keeper."""
    for name, tree in SOURCES.items():
        if not name.startswith("brain/"):
            continue
        engine = _imported(tree, "sliceway.store.engine")
        assert engine <= ({"Database"} if name in {"brain/local.py", "brain/keeper.py"} else set()), name
        for called, node in _calls(tree):
            if called in {"reading", "writing", "read", "write"} and isinstance(node.func, ast.Attribute):
                assert ast.unparse(node.func.value) in {"self._store", "self.store"}, f"{name}:{node.lineno}"
