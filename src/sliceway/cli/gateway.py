"""`gateway`: serve one agent in chat."""

from __future__ import annotations

import asyncio
import json
import logging
import signal

import click

from sliceway.cli.call import Call, verb
from sliceway.plugins import load_all
from sliceway.wiring import running_gateway


@verb()
@click.option("--host", help="Where to listen; 127.0.0.1 if absent.")
@click.option("--port", type=click.IntRange(0, 65535), help="The port to listen on; 0 for any free one.")
def gateway(call: Call, host: str | None, port: int | None) -> None:
    """Serve one agent on Slack: /slack/events, /healthz, /readyz and /metrics.

    Needs SLACK_BOT_TOKEN and SLACK_SIGNING_SECRET. To try it without Slack, run: sliceway demo
    """
    settings, plugins = load_all(call.config, {"server.host": host, "server.port": port}, on_slack=True)
    logging.basicConfig(
        level=settings.log.level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=True
    )

    async def serve() -> None:
        stopped = asyncio.Event()
        for each in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(each, stopped.set)
        async with running_gateway(settings, plugins, host=settings.server.host, port=settings.server.port) as running:
            assert running.identity is not None
            if call.as_json:
                click.echo(json.dumps({"url": running.url, "agent": running.identity.agent}))
            else:
                click.echo(f"{running.identity.agent} listens at {running.url}/slack/events; Ctrl-C stops it.")
            await stopped.wait()

    asyncio.run(serve())
