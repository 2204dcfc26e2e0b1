"""`slices list | erase`."""

from __future__ import annotations

import click

from sliceway.cli.call import Call, table, verb
from sliceway.cli.erasing import dry_run_option, erase, yes_option


@click.group()
def slices() -> None:
    """The slices that exist."""


@verb(slices, "list")
@click.option("--limit", type=int, default=50, show_default=True, help="1 to 200.")
@click.option("--cursor", help="Where the list before this one ended.")
def list_(call: Call, limit: int, cursor: str | None) -> None:
    """List the slices by name, count and time; never their content."""
    found = call.as_operator(lambda brain: brain.slices(limit=limit, cursor=cursor))
    rows = [
        {
            "slice": item.slice, "pages": item.pages, "changed": item.updated_at, "what": item.title,
            "read by": item.readers,
        }
        for item in found
    ]  # fmt: skip
    call.emit(found, table(rows, ("slice", "pages", "changed", "what", "read by"), empty="No slices yet."))


@verb(slices, "erase")
@click.argument("name", metavar="S")
@yes_option
@dry_run_option
def erase_(call: Call, name: str, yes: bool, dry_run: bool) -> None:
    """Erase all that was ever written in the slice S, and drafts that would have come there, for good."""
    erase(call, lambda b: b.erase_slice(slice=name, dry_run=dry_run), what=f"All of {name}", yes=yes, dry_run=dry_run)
