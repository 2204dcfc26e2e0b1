"""`grants list | revoke`."""

from __future__ import annotations

import click

from sliceway.cli.call import Call, table, verb, who


@click.group()
def grants() -> None:
    """Standing yeses: for one writer, one thread, one slice, until a time."""


@verb(grants, "list")
@click.option("--limit", type=int, default=50, show_default=True, help="1 to 200.")
@click.option("--cursor", help="Where the list before this one ended.")
def list_(call: Call, limit: int, cursor: str | None) -> None:
    """List the grants that hold now."""
    found = call.as_operator(lambda brain: brain.grants(limit=limit, cursor=cursor))
    rows = [
        {
            "id": item.id, "slice": item.slice, "agent": item.agent, "writer": who(item.writer),
            "thread": f"{item.place.channel}/{item.place.thread or ''}", "given by": who(item.granted_by),
            "until": item.until,
        }
        for item in found
    ]  # fmt: skip
    call.emit(found, table(rows, ("id", "slice", "agent", "writer", "thread", "given by", "until"), empty="No grants."))


@verb(grants)
@click.argument("id")
def revoke(call: Call, id: str) -> None:
    """End the grant ID at once."""
    found = call.as_operator(lambda brain: brain.revoke_grant(id=id))
    call.emit(found, f"Ended: grant {found.id} to {found.slice}.")
