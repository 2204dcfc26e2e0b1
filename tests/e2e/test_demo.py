"""The demo as a person starts it."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from sliceway.cli.play.journeys import JOURNEYS
from sliceway.cli.play.processes import clean_environment
from sliceway.cli.play.script import Script
from sliceway.cli.play.stage import Stage
from tests.e2e.remote_stage import stage_elsewhere
from tests.fakes.verbs import answer_of


class QuickStage(Stage):
    """A stage whose verbs run in this process."""

    async def command_line(self, *arguments: str) -> Any:
        """Run a verb on the stage's store and return its answer."""
        return await answer_of(*arguments, environment=self.environment)


def _run(*arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "sliceway", *arguments],
        env=clean_environment(more), capture_output=True, text=True, timeout=90, check=False,
    )  # fmt: skip


@pytest.mark.timeout(240)
def test_three_journeys_play_by_either_way_on_the_same_data(tmp_path: Path) -> None:
    """`demo --play --json` plays memoize, 1on1 and share over HTTP, says so in the contract's words, and exits 0;
    again by Socket Mode on what that left every outcome holds, and a person can read how it went."""
    data, store = ("--data", str(tmp_path / "data")), f"sqlite:///{tmp_path / 'data' / 'brain.db'}"
    log = tmp_path / "data" / "gateway.log"
    ended = _run("demo", "--play", "--json", *data)
    assert ended.returncode == 0, ended.stderr
    said = json.loads(ended.stdout)
    assert said["ok"] is True
    assert said["store_url"] == store
    assert said["agent_id"]
    assert [(one["name"], one["outcome"]) for one in said["journeys"]] == [
        ("memoize", "ok"), ("1on1", "ok"), ("share", "ok"),
    ]  # fmt: skip
    for journey in said["journeys"]:
        checks = [step["ok"] for step in journey["steps"] if "checked" in step]
        assert len(checks) >= 3
        assert all(checks)
    assert "by Socket Mode" not in log.read_text()
    ended = _run("demo", "--play", "--transport", "socket", *data)
    assert ended.returncode == 0, ended.stderr
    assert "Three journeys" in ended.stdout
    assert "✗" not in ended.stdout
    assert f"export SLICEWAY_STORE__URL={store}" in ended.stdout
    assert ended.stderr == ""
    assert "connected to Slack by Socket Mode" in log.read_text()


async def test_three_journeys_play_with_the_brain_elsewhere(tmp_path: Path) -> None:
    """The play of the demo, every outcome checked, against a gateway whose brain is behind a server."""
    script = Script(loud=False)
    async with stage_elsewhere(tmp_path / "data") as opened:
        stage = QuickStage(**{field.name: getattr(opened, field.name) for field in fields(opened)})
        for journey in JOURNEYS:
            await journey(stage, script, 0)
    assert [(journey.name, journey.outcome) for journey in script.journeys] == [
        ("memoize", "ok"), ("1on1", "ok"), ("share", "ok"),
    ]  # fmt: skip
    assert sum("checked" in step for journey in script.journeys for step in journey.steps) >= 9


def test_a_folder_or_port_that_cannot_be_used_is_said_in_words(tmp_path: Path) -> None:
    """A folder under a file and a port in use end the demo with a reason, a code and no traceback, and nothing is
    left where nothing was made."""
    (tmp_path / "file").write_text("")
    ended = _run("demo", "--play", "--data", str(tmp_path / "file" / "data"))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.startswith(f"The folder {tmp_path / 'file' / 'data'} cannot be made")
    assert ended.stderr.endswith("[boot_error]\n")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = _run("demo", "--play", "--port", port, TMPDIR=str(tmp_path))
    assert ended.returncode == 1
    assert ended.stderr.startswith(f"Port {port} ")
    assert ended.stderr.endswith("[port_in_use]\n")
    assert [each.name for each in tmp_path.iterdir()] == ["file"]


def test_the_transcript_says_first_who_alone_sees_a_message(capsys: pytest.CaptureFixture[str]) -> None:
    """What only one person sees is marked on a line of its own, before the text, so that the text stays whole."""
    script = Script(loud=True)
    script.begin("1on1", "A private session")
    script.said("sliceway", "direct", "Private session.", aside="ada")
    _, _, marked, text = capsys.readouterr().out.splitlines()
    assert marked.split() == ["direct", "sliceway", "(only", "ada", "sees", "this)"]
    assert text.strip() == "Private session."
    assert text.index("Private") == marked.index("(only")


@contextmanager
def _shown(*arguments: str) -> Iterator[tuple[subprocess.Popen[str], dict[str, Any]]]:
    """Run `demo --json` until its line is there; end it with Ctrl-C."""
    command = [sys.executable, "-m", "sliceway", "demo", "--json", *arguments]
    with subprocess.Popen(
        command, env=clean_environment({}), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        try:
            assert run.stdout is not None
            yield run, json.loads(run.stdout.readline())
        finally:
            run.send_signal(signal.SIGINT)
            run.communicate(timeout=30)


def test_the_demo_shows_a_page_keeps_its_data_and_ends_cleanly_at_ctrl_c(tmp_path: Path) -> None:
    """The page is served with its key in the fragment; what was kept is there again; --fresh forgets; nobody fails."""
    data = ("--data", str(tmp_path / "data"))
    with _shown(*data) as (first, said):
        with urllib.request.urlopen(said["workspace"]["page"].split("#")[0], timeout=10) as page:
            assert b"Where it landed" in page.read()
        assert said["workspace"]["page"].endswith(f"#key={said['workspace']['key']}")
        assert said["journeys"] == []
        second = _run("demo", *data)
        assert second.returncode == 1
        assert "runs already" in second.stderr
    assert first.returncode == 0
    kept = (tmp_path / "data" / "brain.db").stat().st_ino
    (tmp_path / "data" / "mine.txt").write_text("not the demo's")
    with _shown(*data) as (again, _):
        assert (tmp_path / "data" / "brain.db").stat().st_ino == kept
    with _shown(*data, "--fresh") as (fresh, _):
        assert (tmp_path / "data" / "mine.txt").exists()
    assert (again.returncode, fresh.returncode) == (0, 0)


def test_a_killed_demo_leaves_no_gateway_behind(tmp_path: Path) -> None:
    """Whatever ends the demo, its gateway drains and ends too."""
    with _shown("--data", str(tmp_path / "data")) as (demo, _):
        children = Path(f"/proc/{demo.pid}/task/{demo.pid}/children")
        if not children.exists():
            pytest.skip("this system does not list a process's children")
        gateways = [int(pid) for pid in children.read_text().split()]
        assert gateways
        demo.kill()
        demo.wait()
        deadline = time.monotonic() + 30
        while any(_lives(pid) for pid in gateways) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not [pid for pid in gateways if _lives(pid)]


def _lives(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
