"""`slices list`."""

from __future__ import annotations

import click

from sliceway.cli.call import Call, table, verb


@click.group()
def slices() -> None:
    """The slices that exist."""


@verb(slices, "list")
def list_(call: Call) -> None:
    """List the slices by name, count and time; never their content."""
    found = call.as_operator(lambda brain: brain.slices())
    rows = [
        {
            "slice": item.slice, "pages": item.pages, "changed": item.updated_at, "what": item.title,
            "read by": item.readers,
        }
        for item in found
    ]  # fmt: skip
    call.emit({"items": found}, table(rows, ("slice", "pages", "changed", "what", "read by"), empty="No slices yet."))
