"""The steps of a schema, and whether a program may work on a store that stands at another one than its own.

Each step says of itself whether it only adds. What it adds then, columns, tables, indexes, may be missing from a row or
from the whole store: rows that were written without it are whole. So a program goes on where a newer one added to the
store, and serves one to which its own additions were not made yet. A step that does not say so ends both.
"""

from __future__ import annotations

import ast
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from sqlalchemy import Connection, inspect

if TYPE_CHECKING:
    from alembic.config import Config


class Fit(StrEnum):
    """How a store's schema stands to this program's."""

    SAME = "same"
    """It is this program's own."""
    AHEAD = "ahead"
    """A newer program added to it, no more; this one goes on."""
    BEHIND = "behind"
    """Additions alone are missing; this program can do without them."""
    TOO_NEW = "too_new"
    """A newer program changed what this one relies on."""
    TOO_OLD = "too_old"
    """It is not made yet, or lacks what this program relies on."""

    @property
    def serves(self) -> bool:
        """Whether this program may read and write there."""
        return self in {Fit.SAME, Fit.AHEAD, Fit.BEHIND}

    @property
    def done(self) -> bool:
        """Whether this program has no step to take there, and may work there."""
        return self in {Fit.SAME, Fit.AHEAD}


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a store stands: its `step`, None where it has no schema; and the step of the `oldest` program that may work
    there, None where that was not written down."""

    step: str | None = None
    oldest: str | None = None

    @classmethod
    def kept(cls, row: Mapping[str, Any] | None) -> Self:
        """Return it by the row that keeps it. What is said of another step than the row's own does not count."""
        if row is None:
            return cls()
        of, _, oldest = (row.get("oldest") or "").partition(" ")
        return cls(row["version_num"], oldest if of == row["version_num"] else None)


@dataclass(frozen=True, slots=True)
class Steps:
    """All steps that this program knows, in their order.

    :ivar adds: those that only add. :ivar reindexes: those after which the index is to be made again.
    """

    order: tuple[str, ...]
    adds: frozenset[str]
    reindexes: frozenset[str]

    @property
    def head(self) -> str:
        """The newest: this program's schema."""
        return self.order[-1]

    @property
    def oldest(self) -> str:
        """The step of the oldest program that may work on a store at the newest: only additions came after it."""
        at = len(self.order) - 1
        while at and self.order[at] in self.adds:
            at -= 1
        return self.order[at]

    def after(self, step: str | None) -> tuple[str, ...]:
        """Return the steps that a store which stands at `step` has not seen."""
        return self.order if step is None else self.order[self.order.index(step) + 1 :]

    def fit(self, standing: Standing) -> Fit:
        """Say how a store that stands there fits this program."""
        if standing.step == self.head:
            return Fit.SAME
        if standing.step is None:
            return Fit.TOO_OLD
        if standing.step in self.order:
            only_adds = self.adds.issuperset(self.after(standing.step))
            return Fit.BEHIND if only_adds else Fit.TOO_OLD
        return Fit.AHEAD if standing.oldest in self.order else Fit.TOO_NEW


def config_of(scripts: str) -> Config:
    """Return what Alembic is told of the steps in `scripts`, a `package:folder`."""
    from alembic.config import Config  # a tenth of a second, which a store that needs no step is spared

    config = Config()
    config.set_main_option("script_location", scripts)
    config.set_main_option("path_separator", "os")
    return config


_ONE_READS = threading.Lock()
"""Python 3.11 counts the depth of the syntax trees that it makes for all threads together: two that parse at once end,
now and then, with a SystemError (CPython issue 106905)."""


@lru_cache(maxsize=16)
def steps_of(scripts: str) -> Steps:
    """Return the steps that this program knows, by what each says of itself; none of them is run.

    :param scripts: where they are, as `package:folder`, or a folder.
    """
    package, colon, folder = scripts.partition(":")
    place = files(package) / folder if colon else Path(scripts)
    with _ONE_READS:
        said = [
            dict(_constants(ast.parse(file.read_bytes())))
            for file in (place / "versions").iterdir()
            if file.name.endswith(".py") and file.name != "__init__.py"
        ]
    after = {step["down_revision"]: step["revision"] for step in said}
    order: list[str] = []
    while (step := after.get(order[-1] if order else None)) is not None:
        order.append(step)

    def saying(name: str) -> frozenset[str]:
        return frozenset(step["revision"] for step in said if step.get(name))

    return Steps(tuple(order), saying("adds_only"), saying("reindexes"))


def _constants(step: ast.Module) -> Iterator[tuple[str, Any]]:
    """Give the constants that a step begins with, typed or not."""
    for line in step.body:
        match line:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=value)):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=value)):
                yield name, value


def standing(connection: Connection) -> Standing:
    """Return where the store of a connection stands."""
    if not inspect(connection).has_table("alembic_version"):
        return Standing()
    row = connection.exec_driver_sql("SELECT * FROM alembic_version").mappings().first()
    return Standing.kept(dict(row) if row is not None else None)


def keep_oldest(connection: Connection, steps: Steps) -> None:
    """Write down beside the newest step which programs may still work there, for those that do not know the step."""
    if "oldest" not in {column["name"] for column in inspect(connection).get_columns("alembic_version")}:
        connection.exec_driver_sql("ALTER TABLE alembic_version ADD COLUMN oldest VARCHAR(80)").close()
    mark = "%s" if connection.dialect.name == "postgresql" else "?"
    connection.exec_driver_sql(f"UPDATE alembic_version SET oldest = {mark}", (f"{steps.head} {steps.oldest}",)).close()  # noqa: S608 - a mark
