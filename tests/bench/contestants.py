"""Contestants as processes, spoken to one at a time, so that none works while another is measured."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tests.bench.environments import ROOT, CannotBeInstalledError, environment, python_for

NAMES = {
    "ours": "Sliceway", "langgraph_store": "LangGraph SqliteStore", "chroma_store": "Chroma", "fts5": "plain FTS5",
}  # fmt: skip
"""Contestants, by the module that is theirs under `peers`."""


class Contestant:
    """A process that holds one store."""

    def __init__(self, module: str, process: subprocess.Popen[str]) -> None:
        """Take the process; it need not be ready yet."""
        self.module, self._process = module, process

    @property
    def name(self) -> str:
        """Return what people call it."""
        return NAMES[self.module]

    def do(self, what: str, **given: Any) -> Any:
        """Have it do something, and return its answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"do": what, **given}) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, f"{self.name} ended without an answer to {what}"
        return json.loads(line)["answer"]


@contextmanager
def contestant(module: str, data: Path, store: Path) -> Iterator[Contestant]:
    """Give a contestant on a store, made where it is missing.

    :raises CannotBeInstalledError: its environment cannot be made.
    """
    python = python_for(module)
    process = subprocess.Popen(
        [python, "-m", f"tests.bench.peers.{module}", str(data), str(store)], cwd=ROOT, env=environment(), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        yield Contestant(module, process)
    finally:
        try:
            process.communicate(timeout=60)  # the end of what it is asked
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()


@contextmanager
def all_of_them(data: Path, stores: Path) -> Iterator[tuple[list[Contestant], list[str]]]:
    """Give every contestant that can be installed here, each on a store of its own, and why others cannot."""
    here, missing = [], []
    with ExitStack() as stack:
        for module, name in NAMES.items():
            try:
                here.append(stack.enter_context(contestant(module, data, stores / module)))
            except CannotBeInstalledError as error:
                missing.append(f"{name} is not in this run: {error}")
        yield here, missing
