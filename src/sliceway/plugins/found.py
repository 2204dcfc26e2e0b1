"""Finding plugins: entry points of the group `sliceway`. Finding imports nothing (CF5)."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from sliceway.core.records import Record
from sliceway.hookspecs import GUARDS, PROJECT


@dataclass(frozen=True, slots=True)
class PluginEntry(Record):
    """A plugin as `plugins list` and `doctor` show it.

    :ivar distribution: name and version of what installed it. :ivar source: the module, and the attribute if any.
    :ivar hooks: the hooks it has; empty for one that was not imported.
    :ivar problem: why it does not run although enabled; None otherwise.
    """

    name: str
    distribution: str
    source: str
    enabled: bool
    hooks: tuple[str, ...] = ()
    problem: str | None = None

    @property
    def says(self) -> str:
        """In a few words, whether it runs."""
        if not self.enabled:
            return "found, not enabled"
        return f"skipped: {self.problem}" if self.problem else "enabled"


def find() -> tuple[EntryPoint, ...]:
    """Return every plugin that is installed, by name; nothing is imported."""
    return tuple(sorted(entry_points(group=PROJECT), key=lambda entry: entry.name))


def distribution_of(entry: EntryPoint) -> str:
    """Return name and version of the distribution that an entry point belongs to."""
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist is not None else "an unnamed distribution"


def clashes(found: Sequence[EntryPoint]) -> Iterable[str]:
    """Say of each name that several entry points claim who they are: none of them is chosen (PL1)."""
    by_name: dict[str, list[EntryPoint]] = {}
    for entry in found:
        by_name.setdefault(entry.name, []).append(entry)
    for name, entries in by_name.items():
        if len(entries) > 1:
            who = " and ".join(f"{distribution_of(entry)} ({entry.value})" for entry in entries)
            yield f"Two plugins are named '{name}': {who}. Uninstall one, or ask its author to rename it."


def may_guard(entry: EntryPoint) -> bool:
    """Say whether a plugin that cannot be imported may have a hook that nothing runs without (PL7).

    Its source is read, not run. Whatever could give something such a hook's name counts, and so does a source
    that cannot be read, or that takes names from elsewhere without naming them.
    """
    try:
        spec = find_spec(entry.module.partition(".")[0])
    except (ImportError, ValueError):
        return True
    if spec is None or spec.origin is None:
        return True
    origin = Path(spec.origin)
    files = sorted(origin.parent.rglob("*.py")) if spec.submodule_search_locations else [origin]
    return not files or any(_mentions_guard(file) for file in files)


def _mentions_guard(file: Path) -> bool:
    """Say whether a file of Python defines, imports, assigns or spells out the name of a guarding hook."""
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return True
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                named = {name}
            case ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()):
                named = {name}
            case ast.Constant(value=str(name)):
                named = {name}
            case ast.ImportFrom(names=names):
                named = {alias.asname or alias.name for alias in names}
                named = named | GUARDS if "*" in named else named
            case _:
                continue
        if named & GUARDS:
            return True
    return False
