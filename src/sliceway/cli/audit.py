"""`audit`."""

from __future__ import annotations

import click

from sliceway.cli.call import Call, table, verb


@verb()
@click.option("--slice", help="Only acts in this slice.")
@click.option("--limit", type=int, default=50, show_default=True, help="1 to 200.")
@click.option("--cursor", help="Where the list before this one ended.")
def audit(call: Call, slice: str | None, limit: int, cursor: str | None) -> None:
    """List acts, newest first: who, on whose behalf, what, where, why. Ids, never values."""
    found = call.as_operator(lambda brain: brain.audit(slice=slice, limit=limit, cursor=cursor))
    rows = [
        {
            "at": item.at, "slice": item.slice, "act": item.act,
            "by": item.author.get("agent") or item.author.get("operator") or "",
            "about": " ".join(f"{name}={value}" for name, value in item.about.items() if value is not None),
        }
        for item in found
    ]  # fmt: skip
    lines = table(rows, ("at", "slice", "act", "by", "about"), empty="Nothing was done yet.")
    call.emit(found, lines + ([f"More with --cursor {found.next_cursor}"] if found.next_cursor else []))
