"""The rules of the house, checked by the tools it names: floors, types, style, length, words."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "sliceway"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
MOST_LINES = 350

HEAVY = {
    *("aiohttp", "alembic", "httpx", "mcp", "numpy", "onnxruntime", "psycopg", "pydantic", "pydantic_settings"),
    *("slack_bolt", "slack_sdk", "snowballstemmer", "sqlalchemy", "tenacity"),
}
"""Packages that `import sliceway` and `sliceway --help` leave alone."""

# Written so that this file does not match itself.
FORBIDDEN = {
    "a path of somebody's machine": re.compile(
        r"(?<![\w.$}/-])/(?:" + r"wor[k]|tm[p]|roo[t]|hom[e]/(?!ada\b)[a-z]+|User[s]/[a-z]+" + r")\b"
    ),
    "the host of a package registry": re.compile(
        "py[p]i\\.org|python[h]osted|registry\\.np[m]|arti[f]actory|devp[i]", re.IGNORECASE
    ),
    "an ignored type error without its code": re.compile(r"#\s*type:\s*ignor[e](?!\[)"),
    "a word left for later": re.compile(r"\b(?:TOD[O]|FIXM[E]|XX[X])\b"),
}


def python_files(*places: str) -> list[Path]:
    """Return the Python files under the given folders of the tree."""
    return sorted(chain.from_iterable((ROOT / place).rglob("*.py") for place in places))


def tree_files() -> list[Path]:
    """Return every text file of the tree that is ours, by what git tracks or would track."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    paths = (ROOT / line for line in listed.stdout.splitlines())
    return [path for path in paths if path.is_file() and b"\0" not in path.read_bytes()[:8000]]


def run(*command: str) -> subprocess.CompletedProcess[str]:
    """Run a tool of this environment in the tree."""
    return subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)


def floors() -> dict[str, bool]:
    """Return every floor of the house and whether it stands in parentheses: not built yet."""
    contract = PROJECT["tool"]["importlinter"]["contracts"][0]
    named = chain.from_iterable(re.split(r"\s*[|:]\s*", layer) for layer in contract["layers"])
    return {name.strip("()"): name.startswith("(") for name in named}


def is_built(module: str) -> bool:
    """Say whether a dotted name is a module of this tree."""
    path = Path(*module.split("."))
    return any(
        (base / path).is_dir() or (base / path).with_suffix(".py").is_file()
        for base in (ROOT / "src", ROOT / "plugins")
    )


def test_parentheses_go_when_the_room_stands() -> None:
    """A floor stands in parentheses exactly as long as it is not built."""
    wrong = [name for name, waits in floors().items() if waits == is_built(f"sliceway.{name}")]
    assert not wrong, f"in pyproject.toml, put or drop the parentheses of: {', '.join(wrong)}"


def test_imports_go_down_the_floors_only(tmp_path: Path) -> None:
    """import-linter finds no import against the floors, and every contract names what exists or is to be built."""
    waiting = {f"sliceway.{name}" for name, waits in floors().items() if waits}
    if "sliceway.plugins" in waiting:  # the guests come with the room that lets them in
        waiting |= {name for name in PROJECT["tool"]["importlinter"]["root_packages"] if not is_built(name)}

    def table(values: dict[str, Any]) -> str:
        kept = {
            key: [item for item in value if item not in waiting] if isinstance(value, list) else value
            for key, value in values.items()
            if key != "contracts"
        }
        return "".join(f"{key} = {json.dumps(value)}\n" for key, value in kept.items())

    rules = PROJECT["tool"]["importlinter"]
    written = "[tool.importlinter]\n" + table(rules)
    for contract in rules["contracts"]:
        if contract["type"] == "layers" or set(contract["source_modules"]) - waiting:
            written += "[[tool.importlinter.contracts]]\n" + table(contract)
    config = tmp_path / "floors.toml"
    config.write_text(written)
    done = run(
        "-c", "from importlinter.cli import lint_imports_command as go; go()", "--no-cache", "--config", str(config)
    )
    assert done.returncode == 0, done.stdout + done.stderr


def imports_of(path: Path, modules: Mapping[str, Path]) -> set[str]:
    """Return the modules of ours that a module imports as it is loaded."""
    listed = [node for node in ast.parse(path.read_text()).body if isinstance(node, ast.ImportFrom) and node.module]
    named = {(str(node.module), name.name) for node in listed for name in node.names}
    return {inner if (inner := f"{module}.{name}") in modules else module for module, name in named} & modules.keys()


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Modules can be put in an order in which each is loaded before those that use it: any may be imported first."""
    modules = {
        ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__"): path
        for path in python_files("src")
    }
    order = TopologicalSorter({name: imports_of(path, modules) for name, path in modules.items()})
    assert len(list(order.static_order())) == len(modules) > 200


def test_ruff_has_nothing_to_say() -> None:
    """Style is checked and formatted by ruff."""
    for command in (["check"], ["format", "--check"]):
        done = run("-m", "ruff", *command, ".")
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.timeout(600)
def test_types_hold() -> None:
    """mypy in strict mode finds nothing in the package, the plugins and the tests."""
    there = [name for name in PROJECT["tool"]["mypy"]["packages"] if name == "tests" or is_built(name)]
    done = run("-m", "mypy", *chain.from_iterable(("-p", name) for name in there))
    assert done.returncode == 0, done.stdout + done.stderr


def test_files_are_short() -> None:
    """No Python file has more than 350 lines; then it wants to be two."""
    lengths = {path: len(path.read_text().splitlines()) for path in python_files("src", "plugins", "tests")}
    assert not {str(path): lines for path, lines in lengths.items() if lines > MOST_LINES}


def test_the_tree_speaks_of_the_project_alone() -> None:
    """No machine's paths, no registry's hosts, no unexplained ignore, nothing left for later."""
    found = [
        f"{path.relative_to(ROOT)}:{number}: {what}"
        for path in tree_files()
        for number, line in enumerate(path.read_text("utf-8", "replace").splitlines(), 1)
        for what, pattern in FORBIDDEN.items()
        if pattern.search(line)
    ]
    assert not found, "\n".join(found)


def test_importing_the_package_is_light() -> None:
    """`import sliceway` loads none of the heavy packages."""
    done = run("-c", "import sliceway, sys; print(*sorted(sys.modules))")
    assert done.returncode == 0, done.stderr
    assert not HEAVY & set(done.stdout.split())


def test_asking_for_help_is_light() -> None:
    """`sliceway --help` loads none of the heavy packages."""
    if floors()["cli"]:
        return  # nothing answers yet; the first test asks for the parentheses to go with the room
    done = run("-X", "importtime", "-m", "sliceway", "--help")
    assert done.returncode == 0, done.stderr
    loaded = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in done.stderr.splitlines() if "|" in line}
    assert not HEAVY & loaded


def test_a_server_loads_nothing_that_it_does_not_need() -> None:
    """A brain's server on a store of this schema starts without what migrates, and without an HTTP client."""
    done = run("-c", "import sliceway.cli.brain, sliceway.wiring.brain, sys; print(*sorted(sys.modules))")
    assert done.returncode == 0, done.stderr
    assert not {"alembic", "httpx", "numpy", "onnxruntime", "slack_bolt", "tenacity"} & set(done.stdout.split())


Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def definitions(tree: ast.Module) -> Iterator[tuple[ast.ClassDef | None, Definition]]:
    """Yield what a module defines and, with its class, what its classes define; nothing inside functions."""
    for node in tree.body:
        if isinstance(node, Definition):
            yield None, node
        if isinstance(node, ast.ClassDef):
            yield from ((node, inner) for inner in node.body if isinstance(inner, Definition))


def base_names(owner: ast.ClassDef) -> set[str]:
    """Return the plain names of a class's bases."""
    bases = (base.value if isinstance(base, ast.Subscript) else base for base in owner.bases)
    return {
        base.attr if isinstance(base, ast.Attribute) else base.id
        for base in bases
        if isinstance(base, ast.Attribute | ast.Name)
    }


def test_what_is_public_says_what_it_promises() -> None:
    """Every module, public class and public function has a docstring; a method may rely on the port it implements."""
    trees = {path: ast.parse(path.read_text()) for path in python_files("src", "plugins")}
    promised = {
        (owner.name, node.name)
        for tree in trees.values()
        for owner, node in definitions(tree)
        if owner is not None and ast.get_docstring(node)
    }
    silent = [str(path.relative_to(ROOT)) for path, tree in trees.items() if not ast.get_docstring(tree)]
    for path, tree in trees.items():
        for owner, node in definitions(tree):
            names = [node.name] if owner is None else [owner.name, node.name]
            if any(name.startswith("_") for name in names) or ast.get_docstring(node):
                continue
            if owner is not None and any((base, node.name) in promised for base in base_names(owner)):
                continue
            if any(ast.unparse(mark).endswith(".setter") for mark in node.decorator_list):
                continue
            silent.append(f"{path.relative_to(ROOT)}:{node.lineno}: {'.'.join(names)}")
    assert not silent, "\n".join(silent)


def test_every_test_states_its_promise() -> None:
    """Each test and each module of tests has a docstring."""
    silent = []
    for path in python_files("tests"):
        tree = ast.parse(path.read_text())
        if path.name.startswith("test_") and not ast.get_docstring(tree):
            silent.append(str(path.relative_to(ROOT)))
        silent += [
            f"{path.relative_to(ROOT)}:{node.lineno}: {node.name}"
            for _, node in definitions(tree)
            if node.name.startswith("test_") and not ast.get_docstring(node)
        ]
    assert not silent, "\n".join(silent)


def test_sc15_kinds_of_slices_are_compared_in_their_table_alone() -> None:
    """SC15: outside `core/slices.py` nothing asks what a slice's kind is called, nor how its name begins."""
    kinds = {"shared", "public", "agent", "user", "kb", "legacy", "system"}
    prefixes = {f"{kind}-" for kind in kinds}
    constants = {"SHARED", "PUBLIC", "LEGACY_AGENT"}
    found = []
    for path in python_files("src"):
        if path == PACKAGE / "core" / "slices.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Compare():
                    sides = [node.left, *node.comparators]
                    literals = {
                        item.value for side in sides for item in ast.walk(side) if isinstance(item, ast.Constant)
                    }
                    asks_kind = any(isinstance(side, ast.Attribute) and side.attr == "kind" for side in sides)
                    by_name = not isinstance(node.ops[0], ast.In | ast.NotIn) and any(
                        isinstance(side, ast.Name) and side.id in constants for side in sides
                    )
                    wrong = (asks_kind and bool(literals & kinds)) or by_name
                case ast.Call(func=ast.Attribute(attr="startswith" | "removeprefix"), args=[first, *_]):
                    wrong = any(isinstance(item, ast.Constant) and item.value in prefixes for item in ast.walk(first))
                case _:
                    continue
            if wrong:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {ast.unparse(node)}")
    assert not found, "\n".join(found)
