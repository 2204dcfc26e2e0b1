"""Agents and mounted folders from the command line: said before, killed in the middle, undone."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from sliceway.cli.front import answered
from sliceway.cli.play.processes import clean_environment

Run = Callable[..., tuple[int, str, str]]
PAGES = 900


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What names the store of this test, set here too."""
    url = f"sqlite:///{tmp_path / 'store.db'}"
    monkeypatch.setenv("SLICEWAY_STORE__URL", url)
    monkeypatch.chdir(tmp_path)
    return clean_environment({"SLICEWAY_STORE__URL": url})


@pytest.fixture
def run(environment: dict[str, str], capfd: pytest.CaptureFixture[str]) -> Run:
    """Run a verb in this process: exit code, stdout, stderr."""

    def running(*arguments: str) -> tuple[int, str, str]:
        capfd.readouterr()
        try:
            code = answered([*arguments])
        except SystemExit as ended:
            code = int(ended.code or 0)
        printed = capfd.readouterr()
        return code, printed.out, printed.err

    return running


def said(done: tuple[int, str, str]) -> Any:
    """Return the JSON document that a verb printed."""
    assert done[0] == 0, done[2]
    return json.loads(done[1])


def _file(place: Path, text: str) -> str:
    (place / "given.txt").write_text(text)
    return "given.txt"


def _lines(slice_name: str, count: int) -> str:
    return "".join(
        json.dumps({"page": {"slice": slice_name, "slug": f"p/{n}", "content": f"Page {n}."}}) + "\n"
        for n in range(count)
    )


def _merged(store: Path) -> int:
    with closing(sqlite3.connect(store)) as raw:
        return int(raw.execute("SELECT count(*) FROM events WHERE slice = 'agent-new'").fetchone()[0])


def test_id12_a_mind_is_taken_over_by_one_command_that_may_be_killed(
    run: Run, environment: dict[str, str], tmp_path: Path
) -> None:
    """ID12 BR12: `agent merge --dry-run` says what would happen and changes nothing; killed with -9 in the middle, the
    same command goes on and leaves each page once; `--undo` gives both minds back; the record verifies throughout."""
    store = tmp_path / "store.db"
    assert said(run("ledger", "import", _file(tmp_path, _lines("agent-old", PAGES)), "--json"))["imported"] == PAGES
    assert run("memoize", "p/7", "--agent", "new", "--file", _file(tmp_path, "Mine."))[0] == 0
    merge = ("agent", "merge", "old", "new", "--json")
    told = said(run(*merge, "--dry-run"))
    assert (told["outcome"], told["pages"], told["moved"]) == ("would_change", PAGES, {"p/7": "old/p/7"})
    assert _merged(store) == 1
    with subprocess.Popen(
        [sys.executable, "-m", "sliceway", *merge], env=environment, stdout=subprocess.DEVNULL
    ) as one:
        until = time.monotonic() + 60
        while _merged(store) == 1 and one.poll() is None and time.monotonic() < until:
            time.sleep(0.005)
        os.kill(one.pid, signal.SIGKILL)
    assert 1 < _merged(store) <= PAGES
    assert said(run("ledger", "verify", "--json"))["ok"]
    assert said(run(*merge))["outcome"] == "changed"
    assert _merged(store) == PAGES + 1
    assert said(run(*merge))["outcome"] == "nochange"
    shown = said(run("page", "show", "old/p/7", "--slice", "agent-new", "--agent", "new", "--json"))
    assert shown["author"]["imported_from"]["slice"] == "agent-old"
    assert said(run(*merge, "--undo"))["pages"] == PAGES
    left = said(run("page", "list", "--slice", "agent-new", "--agent", "new", "--json"))
    assert [item["slug"] for item in left["items"]] == ["p/7"]
    assert said(run("ledger", "verify", "--json"))["ok"]


def test_id12_the_other_verbs_say_what_they_do(run: Run, tmp_path: Path) -> None:
    """ID12 ID3: rename, alias, retire and their reverse, in JSON and in words; a command that names no agent acts as
    the only one that is left."""
    assert run("memoize", "n", "--agent", "old", "--file", _file(tmp_path, "The rollback target."))[0] == 0
    words = run("agent", "rename", "old", "new", "--dry-run")[1]
    assert "Nothing was changed" in words
    assert said(run("agent", "rename", "old", "new", "--display", "Nova", "--json"))["outcome"] == "changed"
    assert said(run("recall", "rollback", "--json"))["hits"][0]["slice"] == "agent-old"
    listed = {one["id"]: one for one in said(run("agent", "list", "--json"))["items"]}
    assert (listed["old"]["became"], listed["old"]["into"]) == ("renamed", "new")
    assert (listed["new"]["display"], listed["new"]["aliases"]) == ("Nova", ["agent-old"])
    refused = run("memoize", "n", "--agent", "old", "--file", "given.txt")
    assert (refused[0], "not_permitted" in refused[2]) == (1, True)
    assert said(run("agent", "rename", "old", "--undo", "--json"))["outcome"] == "undone"
    assert said(run("agent", "retire", "old", "--json"))["outcome"] == "changed"
    assert said(run("agent", "alias", "new", "agent-old", "--json"))["outcome"] == "changed"
    assert run("agent", "alias", "third", "agent-old")[0] == 1
    assert said(run("agent", "alias", "new", "agent-old", "--undo", "--json"))["outcome"] == "undone"
    assert run("agent", "retire", "nobody")[0] == 1


def test_gt6_a_folder_is_mounted_from_the_command_line(run: Run, tmp_path: Path) -> None:
    """GT6: `kb add` takes a folder in and says what it could not; `kb list` says who reads it; `kb remove` lets go."""
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "rota.md").write_text("---\ntitle: The rota\n---\nMondays.\n")
    (folder / "bad.md").write_bytes(b"\xff")
    made = said(run("kb", "add", "book", str(folder), "--agent", "ada", "--json"))
    assert (made["slice"], made["pages"], len(made["problems"])) == ("kb-book", 1, 1)
    assert said(run("recall", "Mondays", "--agent", "ada", "--json"))["hits"][0]["title"] == "The rota"
    assert "not taken: bad.md" in run("kb", "list")[1]
    assert said(run("kb", "remove", "book", "--json"))["pages"] == 0
    assert said(run("kb", "list", "--json"))["items"] == []
    assert run("kb", "add", "book", str(tmp_path / "nothing"))[0] == 1
