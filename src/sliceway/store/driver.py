"""Statements of our own straight to an engine's driver, for the few that every recall runs.

The toolkit takes some forty microseconds for each: ten times what SQLite needs for the smallest. What watches
statements hears of these as of any other, and what a driver raises is raised as the toolkit does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, Dialect, TextualSelect
from sqlalchemy.engine.interfaces import Compiled
from sqlalchemy.exc import DBAPIError

_KEPT = 1024
"""Statements that are kept as a driver takes them."""

Given = Any
"""Values as a driver takes them: by place or by name."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement as a driver takes it, and how its values are given."""

    text: str
    given: Callable[[Mapping[str, Any]], Given]
    compiled: Compiled


@dataclass(frozen=True, slots=True)
class _Context:
    """What a watcher is told of a statement, as far as the toolkit's own context says so too."""

    compiled: Compiled
    compiled_parameters: list[Mapping[str, Any]]


@lru_cache(maxsize=_KEPT)
def _said(statement: TextualSelect, dialect: Dialect) -> _Said:
    compiled = statement.compile(dialect=dialect)
    if not compiled.positional:
        return _Said(str(compiled), dict, compiled)
    places = list(compiled.positiontup or ())
    one = itemgetter(*places)
    return _Said(str(compiled), one if len(places) > 1 else lambda values: (one(values),), compiled)


def fetched(connection: Connection, statement: TextualSelect, values: Mapping[str, Any]) -> Sequence[Any]:
    """Return the rows of a statement that has values, all of them texts and numbers.

    :raises DBAPIError: the driver's own error is its cause.
    """
    said = _said(statement, connection.dialect)
    given = said.given(values)
    hears = connection.dispatch
    context = _Context(said.compiled, [values]) if hears.before_cursor_execute else None
    cursor = connection.connection.cursor()
    try:
        for hear in hears.before_cursor_execute:
            hear(connection, cursor, said.text, given, context, False)
        cursor.execute(said.text, given)
        for hear in hears.after_cursor_execute:
            hear(connection, cursor, said.text, given, context, False)
        return cursor.fetchall()
    except connection.dialect.loaded_dbapi.Error as error:
        raise _in_the_toolkits_words(connection, said.text, error) from error
    finally:
        cursor.close()


def _in_the_toolkits_words(connection: Connection, said: str, error: Any) -> DBAPIError:
    """Return the error as the toolkit raises it; a connection that is lost is not used again."""
    dialect = connection.dialect
    lost = dialect.is_disconnect(error, connection.connection.dbapi_connection, None)
    made: DBAPIError = DBAPIError.instance(
        said, None, error, dialect.loaded_dbapi.Error, hide_parameters=True, connection_invalidated=lost,
        dialect=dialect,
    )  # fmt: skip
    if lost:
        connection.invalidate(error)
    return made
