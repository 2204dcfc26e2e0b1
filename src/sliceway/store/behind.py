"""Doing without what a store lacks: a server on PostgreSQL may be newer than the tables, which it may not change.

Where only additions are missing, a table is read as if they were there and empty, and what would be written to them is
left out. A row that is written so is one as the version before writes it.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, Connection, MetaData, Table, inspect
from sqlalchemy.sql.compiler import SQLCompiler

from sliceway.store.engine import Database
from sliceway.store.lacks import Lacks


def do_without(database: Database, metadata: MetaData) -> None:
    """Have a database that was just opened do without what its tables lack of `metadata`."""
    with database.read() as connection:
        database.lacks = lacks = _missing(connection, metadata)
    if lacks.tables or lacks.columns:
        dialect = database.engine.dialect
        dialect.statement_compiler = _reading_without(dialect.statement_compiler, lacks)


def _missing(connection: Connection, metadata: MetaData) -> Lacks:
    looks = inspect(connection)
    there = set(looks.get_table_names())
    columns: dict[str, frozenset[str]] = {}
    for table in metadata.sorted_tables:
        if table.name in there:
            gone = set(table.c.keys()) - {column["name"] for column in looks.get_columns(table.name)}
            if gone:
                columns[table.name] = frozenset(gone)
    return Lacks(frozenset(metadata.tables) - there, columns)


def _reading_without(compiler: type[SQLCompiler], lacks: Lacks) -> type[SQLCompiler]:
    """Return a compiler that reads a table as if what it lacks were there and empty.

    Columns are named one by one: the tables may get what they lack while this program runs.
    """

    class Without(compiler):  # type: ignore[misc, valid-type]  # of whichever engine
        def visit_table(self, table: Table, asfrom: bool = False, iscrud: bool = False, **kw: Any) -> str:
            said: str = super().visit_table(table, asfrom=asfrom, iscrud=iscrud, **kw)
            gone = frozenset(table.c.keys()) if table.name in lacks.tables else lacks.columns.get(table.name)
            if not gone or not asfrom or iscrud:
                return said
            columns = ", ".join(
                self._nothing(one) if one.name in gone else self.preparer.quote(one.name) for one in table.c
            )
            of = f"FROM {said}" if table.name not in lacks.tables else "WHERE false"
            inner = f"(SELECT {columns} {of})"
            return inner if kw.get("enclosing_alias") is not None else f"{inner} AS {said}"

        def _nothing(self, column: Column[Any]) -> str:
            kind = self.dialect.type_compiler_instance.process(column.type)
            return f"CAST(NULL AS {kind.partition(' COLLATE ')[0]}) AS {self.preparer.quote(column.name)}"

    return Without
