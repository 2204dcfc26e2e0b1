"""Adding many rows at once: one statement that the driver runs, without the toolkit's work for each row.

On SQLite the driver repeats the statement; on PostgreSQL the columns go as arrays, for `COPY` is refused where
row-level security is on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import Boolean, Connection, Float, Integer, LargeBinary, Table

_ARRAYS = ((Boolean, "bool[]"), (Integer, "int8[]"), (Float, "float8[]"), (LargeBinary, "bytea[]"))
"""What a column's values are called as an array; text is the rest."""


def add_rows(
    connection: Connection, table: Table, names: tuple[str, ...], rows: Sequence[tuple[Any, ...]], slice_name: str
) -> None:  # fmt: skip
    """Add rows of one slice.

    :param names: the columns that the rows have, in order; the slice comes before them and is not among them.
    :param rows: at least one.
    """
    if connection.dialect.name == "postgresql":
        columns = map(list, zip(*rows, strict=True))
        connection.exec_driver_sql(_as_arrays(table, names), (slice_name, *columns)).close()
        return
    connection.exec_driver_sql(_repeated(table, names), list(map((slice_name,).__add__, rows))).close()


@lru_cache(maxsize=256)
def _repeated(table: Table, names: tuple[str, ...]) -> str:
    return f"{_into(table, names)} VALUES ({', '.join('?' * (len(names) + 1))})"


@lru_cache(maxsize=256)
def _as_arrays(table: Table, names: tuple[str, ...]) -> str:
    arrays = ", ".join(f"%s::{_array_of(table, name)}" for name in names)
    return f"{_into(table, names)} SELECT %s, told.* FROM unnest({arrays}) AS told"  # noqa: S608 - names of our own tables


def _into(table: Table, names: tuple[str, ...]) -> str:
    listed = ", ".join(f'"{name}"' for name in ("slice", *names))
    return f"INSERT INTO {table.name} ({listed})"


def _array_of(table: Table, name: str) -> str:
    kind = table.c[name].type
    return next((array for known, array in _ARRAYS if isinstance(kind, known)), "text[]")
