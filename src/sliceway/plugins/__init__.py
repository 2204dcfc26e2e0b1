"""Plugins: found, checked and called, one manager for each app and none for the process (PL1-PL7)."""

from sliceway.plugins.found import PluginEntry, find
from sliceway.plugins.host import Loaded, Plugins
from sliceway.plugins.load import list_plugins, load_all, load_plugins

__all__ = ["Loaded", "PluginEntry", "Plugins", "find", "list_plugins", "load_all", "load_plugins"]
