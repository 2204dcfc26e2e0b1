"""How fast many pages are taken in, on either engine: prints numbers, never fails on time.

`SLICEWAY_BENCH_PAGES` says how many, 1000000 for the whole; `SLICEWAY_BENCH_SECONDS` when it is enough.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import require

_PAGES = os.environ.get("SLICEWAY_BENCH_PAGES", "20000")
_SECONDS = os.environ.get("SLICEWAY_BENCH_SECONDS", "600")


def _load(url: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.importing", url, _PAGES, _SECONDS],
        check=False, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    print(f"\n{done.stdout}", end="")


@pytest.mark.bench
@pytest.mark.timeout(7200)
def test_many_pages_into_sqlite(tmp_path: Path) -> None:
    """Target: 2,000 pages/s at a million."""
    _load(f"sqlite:///{tmp_path / 'a.db'}")


@pytest.mark.bench
@pytest.mark.timeout(7200)
@pytest.mark.usefixtures("_postgres_server")
def test_many_pages_into_postgresql() -> None:
    """Target: as on SQLite; the server is one for tests, without fsync, on this machine."""
    require("psycopg")
    from tests.fakes.postgres import database

    with database() as made:
        _load(made.url)
