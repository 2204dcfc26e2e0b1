"""`agent list`."""

from __future__ import annotations

import click

from sliceway.cli.call import Call, table, verb


@click.group()
def agent() -> None:
    """The agents of this brain."""


@verb(agent, "list")
def list_(call: Call) -> None:
    """List the registered agents and their own slices."""
    found = call.as_operator(lambda brain: brain.agents())
    rows = [
        {
            "id": item.id, "name": item.display, "slice": item.slice, "id from": item.source,
            "since": item.registered_at,
        }
        for item in found
    ]  # fmt: skip
    call.emit(
        {"items": found}, table(rows, ("id", "name", "slice", "id from", "since"), empty="No agent is registered yet.")
    )
