"""The desk's columns: what they hold is said in the metadata, and the migrations make just these."""

from __future__ import annotations

from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Text

from sliceway.store.desk import SCRIPTS
from sliceway.store.desk_tables import metadata
from sliceway.store.engine_sqlite import SqliteDatabase
from sliceway.store.migrate import migrate


def test_br10_every_text_column_of_the_desk_is_flagged() -> None:
    """BR10: a text column of the desk that does not say whether it holds content fails here; payloads alone do."""
    columns = [column for table in metadata.tables.values() for column in table.columns]
    text = [column for column in columns if isinstance(column.type, Text)]
    assert [str(column) for column in text if "content" not in column.info] == []
    assert {str(column) for column in text if column.info["content"]} == {"inbox.payload", "owed.payload"}


async def test_the_desks_migrations_make_what_its_tables_say(tmp_path: Path) -> None:
    """The tables in code and the tables that the migrations make are the same."""
    database = SqliteDatabase(f"sqlite:///{tmp_path}/desk.db")
    assert migrate(database, SCRIPTS)
    assert not migrate(database, SCRIPTS)
    with database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    await database.close()
