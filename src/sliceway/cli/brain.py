"""`brain migrate`."""

from __future__ import annotations

import click

from sliceway.cli.call import Call, verb
from sliceway.wiring import migrate_store


@click.group()
def brain() -> None:
    """The brain's schema."""


@verb(brain)
def migrate(call: Call) -> None:
    """Bring the store to this program's schema; nothing happens where it stands there already."""
    changed = migrate_store(call.settings)
    call.emit({"migrated": changed}, "The schema was brought up to date." if changed else "The schema is up to date.")
