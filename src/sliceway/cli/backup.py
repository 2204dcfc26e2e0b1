"""`backup`."""

from __future__ import annotations

from pathlib import Path

import click

from sliceway.cli.call import Call, verb
from sliceway.cli.progress import progress
from sliceway.wiring import back_up


@verb()
@click.argument("file", required=False, type=click.Path(path_type=Path, dir_okay=False), metavar="[FILE]")
def backup(call: Call, file: Path | None) -> None:
    """Copy the store and the desks beside it while they are used, and verify the copy; on SQLite.

    Without FILE the copy is named by the time, in the folder `backups` beside the store.
    """
    with progress("Copying") as copying, progress("Verifying") as verifying:
        made = back_up(call.settings, file, copying=copying, verifying=verifying)
    lines = [f"Backed up to {made.file}: {made.bytes:,} bytes, {made.events} events verified."]
    lines += [f"Desk: {desk}" for desk in made.desks] + list(made.left_out)
    call.emit(made, lines)
