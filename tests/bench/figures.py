"""Where figures go beside the terminal: one JSON file for each bench, for whoever makes `docs/benchmarks.md` of them.

`SLICEWAY_BENCH_OUT` names the folder; without it nothing is kept. A file holds `bench`, `title`, `at`, `commit`,
`machine`, `load`, `notes` and `rows`: each row is an object, all of one bench with the same keys, in the order of the
columns of a table.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def keep(bench: str, title: str, rows: Sequence[Mapping[str, Any]], *, notes: Sequence[str] = ()) -> None:
    """Keep the figures of a bench, where a folder is named for them.

    :param bench: the file's name without `.json`. :param rows: what a table of it says, line by line.
    :param notes: what whoever reads the table has to know, a sentence each.
    """
    folder = os.environ.get("SLICEWAY_BENCH_OUT")
    if not folder:
        return
    file = Path(folder) / f"{bench}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    kept = {
        "bench": bench,
        "title": title,
        **circumstances(),
        "notes": list(notes),
        "rows": [dict(row) for row in rows],
    }
    file.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def add(bench: str, title: str, row: Mapping[str, Any], *, notes: Sequence[str] = ()) -> None:
    """Keep one more row of a bench that several tests make, in place of the one that begins with the same word."""
    folder = os.environ.get("SLICEWAY_BENCH_OUT")
    if not folder:
        return
    file = Path(folder) / f"{bench}.json"
    there: list[dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["rows"] if file.exists() else []
    named = next(iter(row))
    places = [at for at, one in enumerate(there) if one[named] == row[named]]
    if places:
        there[places[0]] = dict(row)
    keep(bench, title, there if places else [*there, row], notes=notes)


def circumstances() -> dict[str, str]:
    """Return when, of which commit, where and under which load something is measured."""
    return {
        "at": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"), "commit": _commit(), "machine": machine(),
        "load": busy(),
    }  # fmt: skip


def busy() -> str:
    """Return how busy the machine is, in words."""
    return f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def machine() -> str:
    """Return what is measured on: processor, cores, memory, system and Python; nothing that names the machine."""
    named = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{named[0] if named else platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB, "
        f"{platform.system()} {platform.release().partition('-')[0]}, Python {platform.python_version()}"
    )


def _commit() -> str:
    """Return the commit, and whether the program or its benches are another by now."""
    named = _git("rev-parse", "--short", "HEAD")
    return f"{named} and changes" if _git("status", "--porcelain", "--", "src", "plugins", "tests") else named


def _git(*asked: str) -> str:
    done = subprocess.run(["git", *asked], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else "unknown"
