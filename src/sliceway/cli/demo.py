"""`demo`: everything embedded, to try it."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import tempfile
from pathlib import Path

import click

from sliceway.cli.call import FAILED, Call, report, verb
from sliceway.cli.play.journeys import JOURNEYS
from sliceway.cli.play.script import Script
from sliceway.cli.play.stage import Stage, open_stage
from sliceway.errors import SlicewayError

_ROUNDS = "rounds"


@verb()
@click.option("--play", is_flag=True, help="Play the three journeys and exit: 0 only if every outcome was checked.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The workspace's port; 0 for any free one.")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Keep everything in DIR.")
@click.option("--no-browser", is_flag=True, expose_value=False, help="Open no browser; this version opens none.")
def demo(call: Call, play: bool, port: int, data: Path | None) -> None:
    """Show the whole thing on this machine: no Slack account, no key, no database server.

    Plays the three journeys through the real gateway on Slack's wire, against a local workspace. Without --play the
    workspace and the gateway stay until Ctrl-C.
    """
    folder = data or Path(tempfile.mkdtemp(prefix="sliceway-demo-"))
    script = Script(loud=not call.as_json)
    performed = _perform(script, folder, port=port, stay=not play, as_json=call.as_json)
    code = asyncio.run(performed)
    if data is None and not any(folder.iterdir()):
        folder.rmdir()
    raise SystemExit(code)


async def _perform(script: Script, folder: Path, *, port: int, stay: bool, as_json: bool) -> int:
    """Open the stage, play every journey, say how it went, and stay where asked to."""
    store_url = agent_id = ""
    try:
        async with open_stage(folder, port=port) as stage:
            store_url = stage.store_url
            agent_id = (await stage.command_line("agent", "list"))["items"][0]["id"]
            await _play(script, stage, _round(folder))
            if not as_json:
                _farewell(script, stage, agent_id, stay=stay)
            if stay:
                if as_json:
                    _print_json(script, store_url, agent_id, workspace={"url": stage.url, "key": stage.key})
                await _until_stopped()
                script.line("Stopping the gateway and the workspace.")
    except SlicewayError as error:
        script.failed(error.detail)
        report(error, as_json=as_json)
        if (log := folder / "gateway.log").exists():
            click.echo(f"The gateway's log is {log}", err=True)
    if as_json and not stay:
        _print_json(script, store_url, agent_id)
    return 0 if script.ok else FAILED


async def _play(script: Script, stage: Stage, round_: int) -> None:
    for journey in JOURNEYS:
        await journey(stage, script, round_)


def _round(folder: Path) -> int:
    """Return how often the journeys were played on this data, and count this time: each round says other things."""
    file = folder / _ROUNDS
    played = int(file.read_text()) if file.exists() else 0
    file.write_text(str(played + 1))
    return played


def _farewell(script: Script, stage: Stage, agent: str, *, stay: bool) -> None:
    checks = sum("checked" in step for journey in script.journeys for step in journey.steps)
    script.line("")
    script.line(click.style(f"Three journeys, {checks} outcomes checked, all as they must be.", fg="green", bold=True))
    script.line("")
    script.line("Everything is in one store, which stays until you delete its folder. Look into it:")
    script.line(f"  export SLICEWAY_STORE__URL={stage.store_url}")
    program = sys.argv[0] if Path(sys.argv[0]).name == "sliceway" else "sliceway"  # as it was called: often not on PATH
    script.line(f"  {program} page list --agent {agent}; {program} proposals list; {program} audit")
    if not stay:
        return
    control = f"curl -sH 'X-Workspace-Key: {stage.key}'"
    people, channel = stage.people, stage.people.channel("deploys")
    ada = people.one("member")
    script.line("")
    script.line(f"The workspace runs at {stage.url} and the gateway at {stage.gateway.url}; Ctrl-C stops both.")
    script.line(f"Say something as {people.named(ada)} in #deploys, and see what is there:")
    script.line(f"  {control} -H 'Content-Type: application/json' {stage.url}/_control/say \\")
    script.line(f'    -d \'{{"user": "{ada}", "channel": "{channel}", "text": "<@{people.bot}> recall rollback"}}\'')
    script.line(f"  {control} '{stage.url}/_control/messages?channel={channel}&as={ada}'")
    script.line("The answer is in the message's thread: add &thread_ts= and its ts to the address.")


def _print_json(script: Script, store_url: str, agent_id: str, **more: object) -> None:
    answer = {
        "ok": script.ok, "store_url": store_url, "agent_id": agent_id,
        "journeys": [journey.to_json() for journey in script.journeys], **more,
    }  # fmt: skip
    click.echo(json.dumps(answer, ensure_ascii=False))


async def _until_stopped() -> None:
    """Return at Ctrl-C or a request to end."""
    stopped = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stopped.set)
    await stopped.wait()
