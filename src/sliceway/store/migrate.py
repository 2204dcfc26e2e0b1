"""Bringing a store to this program's schema, under the writers' lock (BR12)."""

from __future__ import annotations

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from sliceway.errors import StoreUnavailable
from sliceway.store.engine import Database
from sliceway.store.files import close_to_others


def _config(scripts: str) -> Config:
    config = Config()
    config.set_main_option("script_location", scripts)
    config.set_main_option("path_separator", "os")
    return config


def migrate(database: Database, scripts: str) -> bool:
    """Take every step that the store has not seen; return whether there were any.

    Several processes may start on one empty store: the first migrates, the others wait and find it done.

    :param scripts: where the steps are, as `package:folder`.
    :raises StoreUnavailable: the store is from a newer version of this program, or cannot be used.
    """
    head, known = revisions(scripts)
    with database.read() as connection:
        stands = current(connection)
    if stands == head:
        close_to_others(database.file)
        return False
    with database.write() as connection:
        stands = current(connection)
        if stands == head:
            return False
        if stands is None and inspect(connection).get_table_names():
            raise StoreUnavailable(
                f"The file {database.file} is a database of another kind, "
                "not a store of this program. Name another file."
            )
        if stands is not None and stands not in known:
            raise StoreUnavailable(
                f"The store {database.file} is from a newer version of this program (schema {stands}, this one knows "
                f"up to {head}). Upgrade this program; nothing was changed."
            )
        config = _config(scripts)
        config.attributes["connection"] = connection
        close_to_others(database.file)
        command.upgrade(config, "head")
        return True


def revisions(scripts: str) -> tuple[str | None, frozenset[str]]:
    """Return the newest step that this program knows, and all of them."""
    directory = ScriptDirectory.from_config(_config(scripts))
    return directory.get_current_head(), frozenset(step.revision for step in directory.walk_revisions())


def current(connection: Connection) -> str | None:
    """Return the step that the store stands at."""
    return MigrationContext.configure(connection).get_current_revision()
