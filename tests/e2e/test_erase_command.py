"""Forgetting from the command line: asked, said, and out of every file on this machine (BR10)."""

from __future__ import annotations

import asyncio
import io
import json
from pathlib import Path
from typing import Any

import pytest

from sliceway.cli.front import answered
from sliceway.store.desk import open_desk
from sliceway.wiring import now
from tests.unit.store.test_scrub import TEXT, holds


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Any:
    """A way to run a verb in this process on a store in a folder: exit code, answer, stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SLICEWAY_STORE__URL", f"sqlite:///{tmp_path}/brain.db")

    def go(*arguments: str, text: str = "") -> tuple[int, Any, str]:
        capfd.readouterr()
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        try:
            code = answered([*arguments, "--json"])
        except SystemExit as ended:
            code = int(ended.code or 0)
        said = capfd.readouterr()
        return code, json.loads(said.out) if said.out else None, said.err

    return go


def test_br10_a_page_is_erased_by_one_command(run: Any, tmp_path: Path) -> None:
    """BR10 BR5: not without a yes; a dry run changes nothing; then neither the store's files nor a desk's hold it, and
    the record verifies. The same again says that it is gone; what never was is refused."""
    desk = asyncio.run(open_desk(f"sqlite:///{tmp_path}/brain.desk-agent-ada.db", clock=now))
    asyncio.run(desk.put_event(key="k", queue="q", kind="event", payload={"text": TEXT}))
    asyncio.run(desk.finish("k"))
    assert run("memoize", "quetzal/1", "--agent", "ada", text=f"{TEXT}, and more")[0] == 0
    assert run("memoize", "kept", "--agent", "ada", text="kept")[0] == 0
    named = ("page", "erase", "quetzal/1", "--slice", "agent-ada")
    code, _, why = run(*named)
    assert (code, "--yes" in why) == (1, True)
    code, planned, _ = run(*named, "--dry-run")
    assert (code, planned["dry_run"], [each["pages"] for each in planned["slices"]]) == (0, True, [1])
    assert {"brain.desk-agent-ada.db-wal"} < holds(tmp_path)
    code, done, _ = run(*named, "--yes")
    assert (code, done["scrubbed"], done["slices"]) == (0, True, planned["slices"])
    assert holds(tmp_path) == set()
    assert run("ledger", "verify")[1]["ok"] is True
    assert run(*named, "--yes")[1]["scrubbed"] is True
    assert run("page", "erase", "never", "--slice", "agent-ada", "--yes")[0] == 1
    assert [one["slug"] for one in run("page", "list", "--agent", "ada")[1]["items"]] == ["kept"]
    code, done, _ = run("slices", "erase", "agent-ada", "--yes")
    assert (code, done["slices"][0]["pages"]) == (0, 1)
    assert run("person", "erase", "U1", "--yes")[0] == 1
    assert run("person", "erase", "T1:U1", "--yes")[1]["slices"] == []
    asyncio.run(desk.close())
