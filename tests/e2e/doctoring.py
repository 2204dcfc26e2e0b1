"""Running the doctor as an operator does, and seeing that it changed nothing."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from sliceway.cli.play.processes import clean_environment

Checks = dict[str, dict[str, Any]]


async def examine(environment: Mapping[str, str], **changed: str | None) -> tuple[int, Checks]:
    """Run the doctor and return its exit code and its checks, the wrong ones of a name first.

    :param changed: settings to change in the environment; None takes one out.
    """
    settings = {name: value for name, value in {**environment, **changed}.items() if value is not None}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "sliceway", "doctor", "--json",
        env=clean_environment(settings), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    assert out, err.decode()
    document = json.loads(out)
    assert document["ok"] is all(check["ok"] for check in document["checks"])
    assert all(check["cure"] for check in document["checks"] if not check["ok"])
    for secret in ("SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"):
        assert not settings.get(secret) or settings[secret] not in (out + err).decode()
    checks: Checks = {}
    for check in sorted(document["checks"], key=lambda one: bool(one["ok"])):
        checks.setdefault(check["name"], check)
    assert process.returncode in {0, 1}
    return process.returncode, checks


def wrong(checks: Checks) -> set[str]:
    """Return the names of what is wrong."""
    return {name for name, check in checks.items() if not check["ok"]}


async def prose(environment: Mapping[str, str]) -> str:
    """Run the doctor and return what it says to a person."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "sliceway", "doctor",
        env=clean_environment(environment), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, _ = await process.communicate()
    return out.decode()


def kept(folder: Path) -> dict[str, object]:
    """Return what a folder of stores keeps: of each file its mode, and its rows or its bytes."""
    found: dict[str, object] = {}
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not file.name.endswith(("-wal", "-shm", ".log")):
            held = _rows(file) if file.suffix == ".db" else None
            found[str(file)] = (file.stat().st_mode, held if held is not None else file.read_bytes())
    return found


def _rows(file: Path) -> list[str] | None:
    """Return everything in a database, None where the file is none."""
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as opened:
        try:
            return list(opened.iterdump())
        except sqlite3.Error:
            return None
