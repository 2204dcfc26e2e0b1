"""What a store is asked to do: the statements, the steps its engine takes for them, and the slices it writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import event

from sliceway.store.engine import Database


@dataclass(slots=True)
class Trace:
    """What was seen. `steps` counts SQLite's own instructions: reading one more row takes more of them.

    `written` holds, for each write transaction, the slices whose rows it wrote.
    """

    statements: list[str] = field(default_factory=list)
    steps: int = 0
    written: list[set[Any]] = field(default_factory=list)
    unkeyed: list[str] = field(default_factory=list)

    def step(self) -> int:
        """Count one instruction of the engine."""
        self.steps += 1
        return 0

    def write(self, statement: str, rows: list[dict[str, Any]]) -> None:
        """Note the slices that a statement writes."""
        for row in rows:
            named = {value for name, value in row.items() if name == "slice" or name.startswith("slice_")}
            if not named:
                self.unkeyed.append(statement)
            self.written[-1] |= named


@contextmanager
def traced(database: Database) -> Iterator[Trace]:
    """Watch a store."""
    trace = Trace()

    def begun(connection: Any) -> None:
        if connection.get_execution_options().get("writes"):
            trace.written.append(set())

    def before(_conn: Any, cursor: Any, statement: str, _parameters: Any, context: Any, _many: bool) -> None:
        cursor.connection.set_progress_handler(trace.step, 1)
        trace.statements.append(statement)
        if statement.split()[0] in {"INSERT", "UPDATE", "DELETE"}:
            trace.write(statement, context.compiled_parameters)

    def after(_conn: Any, cursor: Any, *_rest: Any) -> None:
        cursor.connection.set_progress_handler(None, 1)

    listeners: list[tuple[str, Callable[..., Any]]] = [
        ("begin", begun),
        ("before_cursor_execute", before),
        ("after_cursor_execute", after),
    ]
    for name, listener in listeners:
        event.listen(database.engine, name, listener)
    try:
        yield trace
    finally:
        for name, listener in listeners:
            event.remove(database.engine, name, listener)
