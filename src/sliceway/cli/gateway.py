"""`gateway`: serve one agent in chat."""

from __future__ import annotations

import asyncio
import json
import os

import click

from sliceway.cli.call import Call, verb
from sliceway.cli.logs import set_up_logs
from sliceway.cli.stopping import Stopping, longest
from sliceway.plugins import load_all
from sliceway.wiring import running_gateway


@verb()
@click.option("--host", help="Where to listen; 127.0.0.1 if absent.")
@click.option("--port", type=click.IntRange(0, 65535), help="The port to listen on; 0 for any free one.")
@click.option("--with-parent", is_flag=True, help="Stop too when the process that started this one is gone.")
def gateway(call: Call, host: str | None, port: int | None, with_parent: bool) -> None:
    """Serve one agent on Slack: /slack/events, /healthz, /readyz and /metrics.

    Needs SLACK_BOT_TOKEN, and SLACK_APP_TOKEN to connect by Socket Mode, or SLACK_SIGNING_SECRET to be reached over
    HTTP. To try it without Slack, run: sliceway demo
    """
    settings, plugins = load_all(call.config, {"server.host": host, "server.port": port}, on_slack=True)
    set_up_logs(settings.log.level, settings.log.format)

    async def serve() -> None:
        stopped = Stopping(longest(settings.server.drain))
        if with_parent:
            stopped.with_parent(os.getppid())
        async with running_gateway(settings, plugins, host=settings.server.host, port=settings.server.port) as running:
            assert running.identity is not None
            if call.as_json:
                click.echo(json.dumps({"url": running.url, "agent": running.identity.agent}))
            elif running.socket is not None:
                click.echo(
                    f"{running.identity.agent} is connected by Socket Mode; {running.url}/readyz; Ctrl-C stops it."
                )
            else:
                click.echo(f"{running.identity.agent} listens at {running.url}/slack/events; Ctrl-C stops it.")
            await running.serve_until(stopped.event())

    try:
        asyncio.run(serve())
    except asyncio.CancelledError:
        click.echo("Stopped before it was ready.", err=True)
