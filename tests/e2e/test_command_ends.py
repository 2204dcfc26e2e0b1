"""How a command ends when what is around it does: no stdin, no reader, no room, no name, no store."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from sliceway.cli import call
from sliceway.cli.play.processes import clean_environment
from sliceway.settings.model import data_home

_AGENT = ("--agent", "ada")


def _command(folder: Path, *arguments: str, shell: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a verb in a shell line: `{}` stands for the command."""
    environment = clean_environment({"SLICEWAY_STORE__URL": f"sqlite:///{folder / 'store' / 'brain.db'}", **more})
    environment["COMMAND"] = f"{sys.executable} -m sliceway {' '.join(arguments)}"
    line = f"set -o pipefail; {shell.replace('{}', '$COMMAND')}"
    return subprocess.run(
        ["bash", "-c", line], env=environment, capture_output=True, text=True, timeout=60, check=False
    )  # fmt: skip


def test_br5_a_closed_stdin_is_no_text(tmp_path: Path) -> None:
    """BR5: without a stdin `memoize` is refused in words, and nothing is saved."""
    ended = _command(tmp_path, "memoize", "n", *_AGENT, "--json", shell="{} <&-")
    assert ended.returncode == 1
    assert json.loads(ended.stderr)["code"] == "invalid_request"


def test_op_a_reader_that_left_ends_a_command_quietly(tmp_path: Path) -> None:
    """FR7: an answer whose reader has gone is no crash: nothing on stderr, exit code 1."""
    ended = _command(tmp_path, "recall", "x", *_AGENT, shell="{} | true")
    assert (ended.returncode, ended.stderr) == (1, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_fr7_an_answer_that_finds_no_room_is_said(tmp_path: Path) -> None:
    """FR7: where the answer cannot be printed the command says so, in one line, and fails."""
    ended = _command(tmp_path, "recall", "x", *_AGENT, shell="{} > /dev/full")
    assert ended.returncode == 1
    assert ended.stderr.startswith("The answer could not be printed")
    assert ended.stderr.count("\n") == 1


def test_ap20_a_user_without_a_name_is_recorded_by_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """AP20: in a container whose user has no name the operator is recorded by the user's number."""

    def nobody() -> str:
        raise KeyError("getpwuid(): uid not found")

    monkeypatch.setattr("getpass.getuser", nobody)
    assert call.operator().os_user == f"uid {os.getuid()}"


def test_cf2_a_user_without_a_home_is_told_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """CF2: where there is no home folder, the settings say which variable names a place for the store."""

    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    with pytest.raises(Exception, match="XDG_DATA_HOME"):
        data_home({})


def test_br11_a_damaged_record_is_named_and_fails_the_command(tmp_path: Path) -> None:
    """BR11: `ledger verify --json` on a damaged store is one document that names the row, with all four fields, and
    exit code 1."""
    saved = _command(tmp_path, "memoize", "n", *_AGENT, shell="echo one | {}")
    assert saved.returncode == 0, saved.stderr
    with sqlite3.connect(tmp_path / "store" / "brain.db") as raw:
        raw.execute("DELETE FROM slices WHERE slice = 'agent-ada'")
    raw.close()
    ended = _command(tmp_path, "ledger", "verify", "--json", shell="{}")
    assert ended.returncode == 1
    found = json.loads(ended.stdout)
    assert found["ok"] is False
    assert found["errors"] == [{"slice": "agent-ada", "seq": None, "event_id": None, "what": "the slice is missing"}]
