"""Running the doctor as an operator does, and seeing that it changed nothing."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.fakes.verbs import verb_in_thread

Checks = dict[str, dict[str, Any]]


async def examine(environment: Mapping[str, str], **changed: str | None) -> tuple[int, Checks]:
    """Run the doctor and return its exit code and its checks, the wrong ones of a name first.

    :param changed: settings to change in the environment; None takes one out.
    """
    settings = {name: value for name, value in {**environment, **changed}.items() if value is not None}
    ended = await verb_in_thread("doctor", "--json", environment=settings)
    assert ended.out, ended.stderr
    document = json.loads(ended.out)
    assert document["ok"] is all(check["ok"] for check in document["checks"])
    assert all(check["cure"] for check in document["checks"] if not check["ok"])
    for secret in ("SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"):
        assert not settings.get(secret) or settings[secret] not in ended.stdout + ended.stderr
    checks: Checks = {}
    for check in sorted(document["checks"], key=lambda one: bool(one["ok"])):
        checks.setdefault(check["name"], check)
    assert ended.returncode in {0, 1}
    return ended.returncode, checks


def wrong(checks: Checks) -> set[str]:
    """Return the names of what is wrong."""
    return {name for name, check in checks.items() if not check["ok"]}


async def prose(environment: Mapping[str, str]) -> str:
    """Run the doctor and return what it says to a person."""
    return (await verb_in_thread("doctor", environment=environment)).stdout


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
