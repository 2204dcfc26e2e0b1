"""Bringing a store to this program's schema, under the lock that migrations queue on (BR12)."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, inspect, text

from sliceway.errors import StoreUnavailable
from sliceway.store.engine import Database

if TYPE_CHECKING:
    from alembic.config import Config

_STANDS = text("SELECT version_num FROM alembic_version")


def config_of(scripts: str) -> Config:
    """Return what Alembic is told of the steps in `scripts`, a `package:folder`."""
    from alembic.config import Config  # a tenth of a second, which a store that needs no step is spared

    config = Config()
    config.set_main_option("script_location", scripts)
    config.set_main_option("path_separator", "os")
    return config


def migrate(database: Database, scripts: str, *, finish: Callable[[Connection], None] | None = None) -> bool:
    """Take every step that the store has not seen; return whether there were any.

    Several processes may start on one empty store: the first migrates, the others wait and find it done.

    :param scripts: where the steps are, as `package:folder`.
    :param finish: what is done each time in the same transaction, with steps or without.
    :raises StoreUnavailable: the store is from a newer version of this program, or cannot be used.
    """
    head, known = revisions(scripts)
    with database.read() as connection:
        stands = current(connection)
    if stands == head and finish is None:
        database.close_to_others()
        return False
    with database.migrating() as connection:
        stands = current(connection)
        if stands == head:
            if finish is not None:
                finish(connection)
            return False
        if stands is None and inspect(connection).get_table_names():
            raise StoreUnavailable(
                f"What is in {database.where} is a database of another kind, "
                "not a store of this program. Name another one."
            )
        if stands is not None and stands not in known:
            raise _newer(database, stands, head)
        from alembic import command  # see `config_of`

        config = config_of(scripts)
        config.attributes["connection"] = connection
        database.close_to_others()
        command.upgrade(config, "head")
        if finish is not None:
            finish(connection)
        return True


def expect_schema(database: Database, scripts: str) -> None:
    """Look that the tables are this program's very own; whoever serves may not change them.

    :raises StoreUnavailable: they are older or newer, or not there.
    """
    with database.read() as connection:
        stands = current(connection)
    head, known = revisions(scripts)
    if stands == head:
        return
    if stands is None or stands in known:
        cure = "Run: sliceway brain migrate, with SLICEWAY_STORE__OWNER_URL set."
        raise StoreUnavailable(f"The schema of {database.where} is {stands or 'not made yet'}, not {head}. {cure}")
    raise _newer(database, stands, head)


def _newer(database: Database, stands: str, head: str | None) -> StoreUnavailable:
    return StoreUnavailable(
        f"The store {database.where} is from a newer version of this program (schema {stands}, this one knows up to "
        f"{head}). Upgrade this program; nothing was changed."
    )


def revisions(scripts: str) -> tuple[str | None, frozenset[str]]:
    """Return the newest step that this program knows, and all of them, without running any."""
    package, _, folder = scripts.partition(":")
    steps = [
        dict(_constants(ast.parse(file.read_bytes())))
        for file in (files(package) / folder / "versions").iterdir()
        if file.name.endswith(".py") and file.name != "__init__.py"
    ]
    known = frozenset(str(step["revision"]) for step in steps)
    newest = known - {step["down_revision"] for step in steps}
    return next(iter(newest), None), known


def _constants(step: ast.Module) -> Iterator[tuple[str, Any]]:
    """Yield the constants that a step begins with, typed or not."""
    for line in step.body:
        match line:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=value)):
                yield name, value


def current(connection: Connection) -> str | None:
    """Return the step that the store stands at."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(_STANDS).scalar_one_or_none()
