"""`demo`: everything embedded, to try it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import tempfile
import webbrowser
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import get_args

import click

from sliceway.cli.call import FAILED, Call, report, verb
from sliceway.cli.play.held import held
from sliceway.cli.play.journeys import JOURNEYS
from sliceway.cli.play.script import Script
from sliceway.cli.play.stage import Stage, Transport, open_stage
from sliceway.errors import SlicewayError
from sliceway.settings import data_home

_WELCOME = """\

Open this page:  {page}

Play the three journeys there, or speak to the bot as anybody you like, and watch where each memory lands.
What is remembered is kept in {folder} (begin anew with --fresh); the gateway's log is {log}
Ctrl-C stops everything."""

_ROUNDS = "rounds"
_SAID = "workspace.json"
_KEPT = ("brain*", _ROUNDS, "gateway.log", _SAID)
"""What a demo leaves in its folder, as patterns; `--fresh` takes away these and nothing else."""


@verb()
@click.option("--play", is_flag=True, help="Play the three journeys and exit: 0 only if every outcome was checked.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The workspace's port; 0 for any free one.")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Keep everything in DIR.")
@click.option(
    "--transport",
    type=click.Choice(get_args(Transport)),
    default="http",
    show_default=True,
    help="How the workspace reaches the gateway: by signed requests, or by Socket Mode.",
)
@click.option("--fresh", is_flag=True, help="Forget what earlier demos left and begin anew.")
@click.option("--no-browser", is_flag=True, help="Only print the page's address.")
def demo(
    call: Call, play: bool, port: int, data: Path | None, transport: Transport, fresh: bool, no_browser: bool
) -> None:
    """Show the whole thing on this machine: no Slack account, no key, no database server.

    Opens a page with a local workspace, the real gateway on Slack's wire, and a view of where each memory landed; it
    stays until Ctrl-C, and what was remembered is there the next time. With --play it plays the three journeys instead,
    without a page and, without --data, on data of its own.
    """
    script = Script(loud=play and not call.as_json)
    if play:
        folder = data or Path(tempfile.mkdtemp(prefix="sliceway-demo-"))
        hold = held(folder) if data is not None else nullcontext()
        with hold:
            code = asyncio.run(
                _perform(script, folder, port=port, transport=transport, fresh=fresh, as_json=call.as_json)
            )
        if data is None and not any(folder.iterdir()):
            folder.rmdir()
    else:
        folder = data or data_home() / "demo"
        work = _show(
            script, folder, port=port, transport=transport, fresh=fresh, as_json=call.as_json, browse=not no_browser
        )
        code = asyncio.run(work)
    raise SystemExit(code)


async def _show(
    script: Script, folder: Path, *, port: int, transport: Transport, fresh: bool, as_json: bool, browse: bool
) -> int:
    """Show the page until asked to end; that may be at any moment, while it still starts too."""
    stage = asyncio.create_task(
        _stay(script, folder, port=port, transport=transport, fresh=fresh, as_json=as_json, browse=browse)
    )
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stage.cancel)
    with suppress(asyncio.CancelledError):
        await stage
    if not as_json:
        click.echo("\nStopped; everything is kept.")
    return 0


async def _stay(
    script: Script, folder: Path, *, port: int, transport: Transport, fresh: bool, as_json: bool, browse: bool
) -> None:
    """Open the stage with its page, say where it is, and stay."""
    with held(folder):
        if fresh:
            _forget(folder)
        if not as_json:
            click.echo("Starting the workspace and the gateway …")
        async with open_stage(folder, port=port, transport=transport, keep=folder / _SAID) as stage:
            if as_json:
                agents = (await stage.command_line("agent", "list"))["items"]
                there = {"url": stage.url, "key": stage.key, "page": stage.page_url}
                _print_json(script, stage.store_url, agents[0]["id"], workspace=there)
            else:
                click.echo(_WELCOME.format(page=stage.page_url, folder=folder, log=folder / "gateway.log"))
            if browse and not as_json and has_display():
                await asyncio.to_thread(webbrowser.open, stage.page_url)
            await asyncio.Event().wait()


async def _perform(script: Script, folder: Path, *, port: int, transport: Transport, fresh: bool, as_json: bool) -> int:
    """Open the stage, play every journey, and say how it went."""
    store_url = agent_id = ""
    if fresh:
        _forget(folder)
    try:
        async with open_stage(folder, port=port, transport=transport) as stage:
            store_url = stage.store_url
            agent_id = (await stage.command_line("agent", "list"))["items"][0]["id"]
            await _play(script, stage, _round(folder))
            if not as_json:
                _farewell(script, stage, agent_id)
    except SlicewayError as error:
        script.failed(error.detail)
        report(error, as_json=as_json)
        if (log := folder / "gateway.log").exists():
            click.echo(f"The gateway's log is {log}", err=True)
    if as_json:
        _print_json(script, store_url, agent_id)
    return 0 if script.ok else FAILED


def has_display() -> bool:
    """Say whether there is a screen on which a browser could open: elsewhere one in the terminal would take it over."""
    if sys.platform in ("darwin", "win32"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _forget(folder: Path) -> None:
    """Take away what earlier demos left, and nothing else that may be in the folder."""
    for file in [each for pattern in _KEPT for each in folder.glob(pattern)]:
        if file.is_file():
            file.unlink()


async def _play(script: Script, stage: Stage, round_: int) -> None:
    for journey in JOURNEYS:
        await journey(stage, script, round_)


def _round(folder: Path) -> int:
    """Return how often the journeys were played on this data, and count this time: each round says other things."""
    file = folder / _ROUNDS
    played = int(file.read_text()) if file.exists() else 0
    file.write_text(str(played + 1))
    return played


def _farewell(script: Script, stage: Stage, agent: str) -> None:
    checks = sum("checked" in step for journey in script.journeys for step in journey.steps)
    script.line("")
    script.line(click.style(f"Three journeys, {checks} outcomes checked, all as they must be.", fg="green", bold=True))
    script.line("")
    script.line("Everything is in one store, which stays until you delete its folder. Look into it:")
    script.line(f"  export SLICEWAY_STORE__URL={stage.store_url}")
    program = sys.argv[0] if Path(sys.argv[0]).name == "sliceway" else "sliceway"  # as it was called: often not on PATH
    script.line(f"  {program} page list --agent {agent}; {program} proposals list; {program} audit")


def _print_json(script: Script, store_url: str, agent_id: str, **more: object) -> None:
    answer = {
        "ok": script.ok, "store_url": store_url, "agent_id": agent_id,
        "journeys": [journey.to_json() for journey in script.journeys], **more,
    }  # fmt: skip
    click.echo(json.dumps(answer, ensure_ascii=False))
