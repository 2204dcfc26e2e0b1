"""What the tables of a store have not yet of this program's, and changes that do without it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from sqlalchemy import Column, Table, null
from sqlalchemy.sql.visitors import replacement_traverse

Clause = TypeVar("Clause")


@dataclass(frozen=True, slots=True)
class Lacks:
    """What the tables of a store lack: whole tables, and columns by table."""

    tables: frozenset[str]
    columns: Mapping[str, frozenset[str]]

    def without(self, table: Table, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return values for the columns that are there."""
        gone = self.columns.get(table.name, frozenset())
        return {name: self.reads(value) for name, value in values.items() if name not in gone}

    def reads(self, clause: Clause) -> Clause:
        """Return a condition or a value in which columns that are not there are nothing."""
        if not hasattr(clause, "get_children"):
            return clause

        def replaced(part: Any, **_kw: Any) -> Any:
            gone = isinstance(part, Column) and part.name in self.columns.get(part.table.name, ())
            return null() if gone else None

        found: Clause = replacement_traverse(clause, {}, replaced)  # type: ignore[call-overload]  # of its own kind
        return found
