"""`gateway`: serve one agent in chat."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal

import click

from sliceway.cli.call import Call, verb
from sliceway.cli.logs import set_up_logs
from sliceway.plugins import load_all
from sliceway.wiring import running_gateway

log = logging.getLogger("sliceway.gateway")

_LOOK_FOR_PARENT_S = 1.0


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
        stopped = _Stopping()
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


class _Stopping:
    """What the signals ask for: the first to drain, the second to be gone."""

    def __init__(self) -> None:
        """Listen for both signals from now on."""
        self._asked = asyncio.Event()
        self._starting = asyncio.current_task()
        self._watch: asyncio.Task[None] | None = None
        for each in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(each, self._signal, each)

    def event(self) -> asyncio.Event:
        """Return what is set when one of the signals came; until this is called, one gives up the start."""
        self._starting = None
        return self._asked

    def with_parent(self, parent: int) -> None:
        """Stop as SIGTERM does once `parent` is gone: what starts a gateway for a while leaves none behind."""
        self._watch = asyncio.create_task(self._outlive(parent), name="parent")

    async def _outlive(self, parent: int) -> None:
        while os.getppid() == parent:  # noqa: ASYNC110 - the end of another process announces itself to nobody
            await asyncio.sleep(_LOOK_FOR_PARENT_S)
        log.info("the process that started this one is gone")
        if not self._asked.is_set():
            self._signal(signal.SIGTERM)

    def _signal(self, number: signal.Signals) -> None:
        if self._asked.is_set():
            os._exit(128 + number)  # whatever was accepted is on the desk, and taken up at the next start
        log.info("%s: stopping; a second signal ends it at once", number.name)
        self._asked.set()
        if self._starting is not None:
            self._starting.cancel()
