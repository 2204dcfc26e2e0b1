"""Plugins that are really installed: a module and a distribution's metadata on the path."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

import pytest

from sliceway.settings import PluginSettings

Install = Callable[..., EntryPoint]
HEAD = "from sliceway import Agent, Verdict, hookimpl\n"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Return a function that installs a plugin from its source and returns its entry point."""
    monkeypatch.syspath_prepend(str(tmp_path))
    before = set(sys.modules)

    def put(name: str, source: str, *, distribution: str | None = None, module: str | None = None) -> EntryPoint:
        module = module or f"{name}_of_a_test"
        distribution = distribution or f"{name.replace('_', '-')}-dist"
        (tmp_path / f"{module}.py").write_text(HEAD + textwrap.dedent(source))
        info = tmp_path / f"{distribution.replace('-', '_')}-1.0.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[sliceway]\n{name} = {module}\n")
        [entry] = [one for one in entry_points(group="sliceway") if one.value == module]
        return entry

    yield put
    for added in set(sys.modules) - before:
        if added.endswith("_of_a_test"):
            del sys.modules[added]


@pytest.fixture
def enabled() -> Callable[..., PluginSettings]:
    """Return a function that makes the plugins' section with some plugins enabled."""

    def make(*names: str, **tables: dict[str, Any]) -> PluginSettings:
        return PluginSettings.model_validate({"enabled": list(names), **tables})

    return make
