"""The settings: loaded once at boot, whole or not at all (CF1-CF5)."""

from sliceway.settings.load import CheckPlugins, Found, find_settings, load_settings
from sliceway.settings.model import POLICY_KEYS, EmbedSettings, PluginSettings, Settings, SlackSettings, data_home
from sliceway.settings.values import is_loopback, masked

__all__ = [
    "POLICY_KEYS",
    "CheckPlugins",
    "EmbedSettings",
    "Found",
    "PluginSettings",
    "Settings",
    "SlackSettings",
    "data_home",
    "find_settings",
    "is_loopback",
    "load_settings",
    "masked",
]
