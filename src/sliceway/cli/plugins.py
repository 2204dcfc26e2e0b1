"""`plugins list` and `plugins check`."""

from __future__ import annotations

import click

from sliceway.cli.call import FAILED, Call, table, verb
from sliceway.errors import PluginError, SettingsError
from sliceway.plugins import list_plugins, load_all


@click.group()
def plugins() -> None:
    """What is loaded, and from where."""


@verb(plugins, "list")
def list_(call: Call) -> None:
    """List every plugin that is found, enabled or not, each with what is wrong with it."""
    found = list_plugins(call.settings.plugins)
    rows = [{"name": entry.name, "from": entry.distribution, "says": entry.says} for entry in found]
    call.emit({"items": found}, table(rows, ("name", "from", "says"), empty="No plugins are installed."))


@verb(plugins)
def check(call: Call) -> None:
    """Load everything as the gateway would, and exit 1 with every reason why it would not start.

    Settings, plugins and the agent are made and thrown away again; nothing is connected and nothing is written.
    """
    try:
        _, loaded = load_all(call.config)
        loaded.make_agent()
    except SettingsError as error:
        wrong = [f"{each.field}: {each.detail}" for each in error.problems]
    except PluginError as error:
        wrong = error.detail.splitlines()
    else:
        entries = [entry for entry in loaded.entries if entry.enabled]
        rows = [{"name": entry.name, "from": entry.distribution, "says": entry.says} for entry in entries]
        words = table(rows, ("name", "from", "says"), empty="No plugin is enabled.")
        call.emit({"ok": True, "items": entries, "problems": []}, [*words, "The gateway would start with these."])
        return
    call.emit({"ok": False, "items": [], "problems": wrong}, [*wrong, "The gateway would not start."])
    raise SystemExit(FAILED)
