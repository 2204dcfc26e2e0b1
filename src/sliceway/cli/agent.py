"""`agent list`."""

from __future__ import annotations

import click

from sliceway.cli.call import Call, table, verb


@click.group()
def agent() -> None:
    """The agents of this brain."""


@verb(agent, "list")
@click.option("--limit", type=int, default=50, show_default=True, help="1 to 200.")
@click.option("--cursor", help="Where the list before this one ended.")
def list_(call: Call, limit: int, cursor: str | None) -> None:
    """List the registered agents and their own slices."""
    found = call.as_operator(lambda brain: brain.agents(limit=limit, cursor=cursor))
    rows = [
        {
            "id": item.id, "name": item.display, "slice": item.slice, "id from": item.source,
            "since": item.registered_at,
        }
        for item in found
    ]  # fmt: skip
    call.emit(found, table(rows, ("id", "name", "slice", "id from", "since"), empty="No agent is registered yet."))
