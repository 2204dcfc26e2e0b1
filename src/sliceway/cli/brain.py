"""`brain serve`, `brain migrate` and `brain embed`."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import TYPE_CHECKING

import click

from sliceway import wiring
from sliceway.cli.call import Call, verb
from sliceway.cli.loading import uncollected
from sliceway.cli.logs import set_up_logs
from sliceway.cli.progress import progress
from sliceway.cli.stopping import Stopping, longest

if TYPE_CHECKING:
    from sliceway.wiring import MigrationPlan

_SWITCH_S = 0.001
"""Seconds that a thread may keep others waiting where Python runs: the loop answers while somebody searches."""

_WALLS = {
    "stand": "Roles, rights and row-level security stand as they should, and are left alone.",
    "to_make": "Roles, rights and row-level security are made anew; lock: ACCESS EXCLUSIVE on every table.",
}


@click.group()
def brain() -> None:
    """The brain as a server, its schema and its vectors."""


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
    with uncollected():
        running_brain = wiring.running_brain
    where = settings.server.port if "port" in settings.server.model_fields_set else wiring.DEFAULT_PORT

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
@click.option("--plan", "planned", is_flag=True, help="Say what would be done, and change nothing.")
def migrate(call: Call, planned: bool) -> None:
    """Bring the store to this program's schema; nothing happens where it stands there already.

    All steps are one transaction: after a failure the store is as it was.
    """
    if planned:
        found = wiring.migration_plan(call.settings)
        call.emit(found, _words(found))
        return
    changed = wiring.migrate_store(call.settings)
    call.emit({"migrated": changed}, "The schema was brought up to date." if changed else "The schema is up to date.")


def _words(found: MigrationPlan) -> list[str]:
    """Return a plan for a person."""
    if found.fit == "ahead":
        return [
            f"The schema is {found.stands}: a newer version added to it. This one goes on there; nothing is changed."
        ]
    if found.fit == "too_new":
        return [f"The schema is {found.stands}, of a newer version: upgrade this program; nothing would be changed."]
    lines = [f"From {found.stands or 'nothing'} to {found.head}, in one transaction:"]
    for step in found.steps:
        lines.append(f"{step.step}  {step.says}")
        lines += [
            f"      {one.table} ({'new' if one.rows is None else f'{one.rows:,} rows'}) is {one.does}; lock: {one.lock}"
            for one in step.tables
        ]
    if found.reindexes:
        lines.append("Then every page is taken into the index again, which takes about as long as an import of them.")
    if found.fit == "same":
        lines = ["The schema is up to date."]
    elif found.fit == "behind":
        lines.append("Only additions: programs of the version before go on meanwhile and afterwards.")
    elif found.stands is not None:
        lines.append("Stop every program of an older version before: it does not work on the new schema.")
    if found.walls is not None:
        lines.append(_WALLS[found.walls])
    return lines


@verb(brain)
def embed(call: Call) -> None:
    """Embed the pages that wait for their vectors, at once; where a server does already, watch it until it is done."""
    with progress("Embedding") as shown:
        done = asyncio.run(wiring.embed_pending(call.settings, shown))
    call.emit(done, f"Embedded {done['embedded']} pages with {done['model']}; none waits.")
