"""`brain serve` and `brain migrate`."""

from __future__ import annotations

import asyncio
import json
import os
import sys

import click

from sliceway.cli.call import Call, verb
from sliceway.cli.logs import set_up_logs
from sliceway.cli.stopping import Stopping, longest
from sliceway.wiring import DEFAULT_PORT, migrate_store, running_brain

_SWITCH_S = 0.001
"""Seconds that a thread may keep others waiting where Python runs: the loop answers while somebody searches."""


@click.group()
def brain() -> None:
    """The brain as a server, and its schema."""


@verb(brain)
@click.option("--host", help="Where to listen; 127.0.0.1 if absent.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="The port to listen on; 3100 if absent, 0 for any free one."
)
@click.option("--with-parent", is_flag=True, help="Stop too when the process that started this one is gone.")
def serve(call: Call, host: str | None, port: int | None, with_parent: bool) -> None:
    """Serve this store to many gateways and agents over HTTP, each known by its token.

    Make the first token with: sliceway token create --kind admin
    """
    call.overrides = {"server.host": host, "server.port": port}
    settings = call.settings
    sys.setswitchinterval(_SWITCH_S)
    set_up_logs(settings.log.level, settings.log.format)
    where = settings.server.port if "port" in settings.server.model_fields_set else DEFAULT_PORT

    async def served() -> None:
        stopped = Stopping(longest(settings.server.drain))
        if with_parent:
            stopped.with_parent(os.getppid())
        async with running_brain(settings, host=settings.server.host, port=where) as running:
            words = f"The brain listens at {running.url}; its calls are described at /openapi.json; Ctrl-C stops it."
            click.echo(json.dumps({"url": running.url}) if call.as_json else words)
            await stopped.event().wait()

    try:
        asyncio.run(served())
    except asyncio.CancelledError:
        click.echo("Stopped before it was ready.", err=True)


@verb(brain)
def migrate(call: Call) -> None:
    """Bring the store to this program's schema; nothing happens where it stands there already."""
    changed = migrate_store(call.settings)
    call.emit({"migrated": changed}, "The schema was brought up to date." if changed else "The schema is up to date.")
