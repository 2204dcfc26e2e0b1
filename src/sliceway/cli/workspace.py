"""`sliceway workspace`: only the local Slack-like workspace, for any bot."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sliceway.cli.call import report
from sliceway.errors import BootError, InvalidRequest

if TYPE_CHECKING:
    from sliceway.workspace.faults import Fault
    from sliceway.workspace.server import RunningWorkspace

DEFAULT_PORT = 8765
_WELCOME = """\
A local Slack-like workspace runs at {url}
It takes your bot's calls at        {api_url}

Point a bot at it:
  export SLACK_API_URL={api_url}
  export SLACK_BOT_TOKEN={bot}
  export SLACK_APP_TOKEN={app}             # by Socket Mode, or over HTTP:
  export SLACK_SIGNING_SECRET={secret}
(Slack's own SDK does not read SLACK_API_URL: give it, as in WebClient(token=…, base_url=os.environ["SLACK_API_URL"]))
and, over HTTP, tell the workspace where the bot listens:
  curl -H 'X-Workspace-Key: {key}' -H 'Content-Type: application/json' \\
    -d '{{"url": "http://127.0.0.1:3000/slack/events"}}' {url}/_control/request_url

Let somebody speak:
  curl -H 'X-Workspace-Key: {key}' -H 'Content-Type: application/json' \\
    -d '{{"user": "UADA", "channel": "CDEPLOYS", "text": "<@{bot_user}> hello"}}' {url}/_control/say

Ctrl-C stops it."""


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True, help="0: any free one.")
@click.option("--faults", type=click.Path(path_type=Path), help="A JSON file with a plan of what goes wrong.")
@click.option("--request-url", help="Where the bot takes events, e.g. http://127.0.0.1:3000/slack/events.")
@click.option("--json", "as_json", is_flag=True, help="Print one line of JSON: url, api_url, key.")
@click.option(
    "--config", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Accepted; nothing in it is needed."
)
def workspace(port: int, faults: Path | None, request_url: str | None, as_json: bool, config: Path | None) -> None:  # noqa: ARG001 - every verb takes it
    """Run only the local Slack-like workspace, for any bot."""
    if request_url is not None and not request_url.startswith(("http://", "https://")):
        raise click.UsageError("--request-url wants an address like http://127.0.0.1:3000/slack/events.")
    try:
        asyncio.run(_run(port, _plan(faults), request_url, as_json))
    except BootError as error:
        raise SystemExit(report(error, as_json=as_json)) from error


def _plan(file: Path | None) -> list[Fault]:
    from sliceway.workspace.faults import faults_in

    if file is None:
        return []
    try:
        return faults_in(file)
    except InvalidRequest as error:
        raise click.UsageError(error.detail) from error


async def _run(port: int, faults: list[Fault], request_url: str | None, as_json: bool) -> None:
    from sliceway.workspace.server import running_workspace

    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    async with running_workspace(port=port, faults=faults, request_url=request_url) as running:
        click.echo(_greeting(running, as_json))
        sys.stdout.flush()
        await stop.wait()


def _greeting(running: RunningWorkspace, as_json: bool) -> str:
    if as_json:
        return json.dumps({"url": running.url, "api_url": running.api_url, "key": running.key})
    return _WELCOME.format(
        url=running.url,
        api_url=running.api_url,
        key=running.key,
        bot=running.tokens.bot,
        app=running.tokens.app,
        secret=running.tokens.signing_secret,
        bot_user=running.model.app.bot_user,
    )
