"""The page about plugins says the truth."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import sliceway
from sliceway import hookspecs
from sliceway.core.gate import OPS
from sliceway.plugins.check import HOOKS
from sliceway.plugins.host import OBSERVE_SECONDS, TIGHTEN_SECONDS

DOCS = (Path(__file__).parents[3] / "docs" / "plugins.md").read_text()
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook(hook: str) -> None:
    """Every hook stands in the table with exactly its arguments, and has one sentence in its docstring."""
    row = re.search(rf"^\| `{hook}` \| (.*?) \| (.*) \|$", DOCS, re.MULTILINE)
    assert row is not None, f"docs/plugins.md does not describe {hook}"
    spec = getattr(hookspecs, hook)
    assert re.findall(r"`(\w+)`", row[1]) == list(inspect.signature(spec).parameters)
    assert ("`async`." in row[2]) == inspect.iscoroutinefunction(spec)
    assert inspect.getdoc(spec)


def test_no_other_hook() -> None:
    """The page describes no hook that does not exist."""
    assert set(re.findall(r"^\| `(\w+)` \|", DOCS, re.MULTILINE)) == set(HOOKS)


def test_numbers() -> None:
    """The times on the page are the real ones."""
    assert f"{TIGHTEN_SECONDS * 1000:.0f} ms" in DOCS
    assert f"more than {OBSERVE_SECONDS:g} s" in DOCS


def test_paths_and_names() -> None:
    """Files that the page points to exist, and names it imports from the root are there."""
    for path in re.findall(r"`(plugins/[\w/.]+)`", DOCS):
        assert (ROOT / path).exists()
    for name in ("hookimpl", "Agent", "Reply", "Turn", "Tools", "Verdict"):
        assert name in sliceway.__all__
        assert getattr(sliceway, name) is not None


def test_guests_use_public_names_only() -> None:
    """The plugins that ship import from the root of the package and from themselves, as a guest would."""
    for file in (ROOT / "plugins").rglob("*.py"):
        assert not re.search(r"^\s*(?:from|import) sliceway\.", file.read_text(), re.MULTILINE), file


def test_public_names() -> None:
    """Every public name of the root has a home that has it, and type checkers see the same ones."""
    seen = set(re.findall(r"import \w+ as (\w+)$", Path(sliceway.__file__).read_text(), re.MULTILINE))
    for name in sorted(seen):
        assert name in sliceway.__all__
        assert getattr(sliceway, name) is not None
    assert set(sliceway.__all__) - seen == {"__version__", "open_brain"}


def test_the_example_is_the_plugin_itself() -> None:
    """What the page shows as the quiet-hours plugin is all of its code."""
    source = (ROOT / "plugins" / "sliceway_quiet_hours" / "__init__.py").read_text()
    shown = re.findall(r"```python\n(.*?)```", DOCS, re.DOTALL)[0]
    assert source.endswith(f"\n{shown}")


def test_the_ops_that_are_named_are_ops() -> None:
    """Of what `tighten` is asked, each op that the page names is one of the gate's."""
    named = re.search(r"`op` is (.*?), and `destination`", DOCS)
    assert named is not None
    assert set(re.findall(r"`(\w+)`", named[1])) <= set(OPS)


def test_who_follows_the_page_has_a_plugin_of_their_own(tmp_path: Path) -> None:
    """The two files, installed as an entry point would be and enabled as the page says, pass `plugins check` with the
    words that the page shows; so does the plugin that comes along."""
    own = DOCS[DOCS.index("## One of your own") :]
    (toml,), (source,) = (re.findall(rf"```{kind}\n(.*?)```", own, re.DOTALL) for kind in ("toml", "python"))
    project = tomllib.loads(toml)["project"]
    [(name, module)] = project["entry-points"]["sliceway"].items()
    (tmp_path / f"{module}.py").write_text(source)
    info = tmp_path / f"{module}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    (info / "entry_points.txt").write_text(f"[sliceway]\n{name} = {module}\n")
    consoles = re.findall(r"ENABLED=(\S+)\n\$ sliceway plugins check\n(.*?)```", DOCS, re.DOTALL)
    assert len(consoles) == 2
    for enabled, shown in consoles:
        paths = os.pathsep.join((str(tmp_path), os.environ.get("PYTHONPATH", "")))
        said = subprocess.run(
            [sys.executable, "-m", "sliceway", "plugins", "check"], cwd=tmp_path, capture_output=True, text=True,
            env={**os.environ, "PYTHONPATH": paths, "SLICEWAY_PLUGINS__ENABLED": enabled}, check=False,
        )  # fmt: skip
        assert (said.returncode, said.stdout) == (0, shown), said.stderr
