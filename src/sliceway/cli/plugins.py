"""`plugins list`."""

from __future__ import annotations

import click

from sliceway.cli.call import Call, table, verb
from sliceway.plugins import list_plugins


@click.group()
def plugins() -> None:
    """What is loaded, and from where."""


@verb(plugins, "list")
def list_(call: Call) -> None:
    """List every plugin that is found, enabled or not, each with what is wrong with it."""
    found = list_plugins(call.settings.plugins)
    rows = [{"name": entry.name, "from": entry.distribution, "says": entry.says} for entry in found]
    call.emit({"items": found}, table(rows, ("name", "from", "says"), empty="No plugins are installed."))
