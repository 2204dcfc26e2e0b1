"""Which plugins run, and what stops the boot (CF5, PL1, PL4, PL6, PL7)."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from sliceway.errors import PluginError, SettingsError
from sliceway.plugins import list_plugins, load_all, load_plugins
from sliceway.settings import PluginSettings
from tests.unit.plugins.conftest import Install

Enabled = Callable[..., PluginSettings]

AGENT = """
from sliceway_notes import NotesAgent

@hookimpl
def agent():
    return NotesAgent()
"""
WATCHER = """
@hookimpl
async def proposal_changed(proposal):
    pass
"""
GUARD = """
@hookimpl
def tighten(verdict):
    return verdict
"""
SETTINGS = """
from pydantic import BaseModel

class Wanted(BaseModel):
    size: int
    names: list[str] = []

@hookimpl
def settings_model():
    return Wanted

@hookimpl
async def proposal_changed(proposal):
    pass
"""


def test_cf5_only_enabled_is_imported(install: Install, enabled: Enabled) -> None:
    """CF5: a plugin that is not enabled is found and listed, and not even imported."""
    install("loud", "raise SystemExit('imported')")
    install("calm", WATCHER)
    plugins = load_plugins(enabled("calm"))
    shown = {entry.name: entry for entry in plugins.entries}
    assert "loud_of_a_test" not in sys.modules
    assert (shown["loud"].enabled, shown["loud"].says) == (False, "found, not enabled")
    assert (shown["calm"].says, shown["calm"].hooks) == ("enabled", ("proposal_changed",))
    assert (shown["calm"].distribution, shown["calm"].source) == ("calm-dist 1.0", "calm_of_a_test")


def test_cf5_default() -> None:
    """CF5: without settings the notes agent is the one plugin that runs, and it is the agent (CF4)."""
    settings, plugins = load_all(env={})
    assert settings.plugins.enabled == ("notes",)
    assert type(plugins.make_agent()).__name__ == "NotesAgent"
    assert not plugins.can_tighten


def test_pl1_clash(install: Install, enabled: Enabled) -> None:
    """PL1: two plugins of one name stop the boot, enabled or not, and both are named."""
    install("same", WATCHER, distribution="first-dist")
    install("same", WATCHER, distribution="second-dist", module="other_of_a_test")
    with pytest.raises(PluginError) as caught:
        load_plugins(enabled("notes"))
    assert "first-dist 1.0" in caught.value.detail
    assert "second-dist 1.0" in caught.value.detail


def test_not_installed(enabled: Enabled) -> None:
    """PL7: an enabled plugin that is not there stops the boot, and the nearest name is offered."""
    with pytest.raises(PluginError, match="did you mean 'quiet_hours'"):
        load_plugins(enabled("quiet_hour"))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("@hookimpl\ndef tightn(verdict):\n    return verdict\n", "'tightn' that does not exist"),
        ("@hookimpl(optionalhook=True)\ndef tightn(verdict):\n    return verdict\n", "'tightn' that does not exist"),
        ("@hookimpl\ndef tighten(verdikt):\n    return verdikt\n", "'verdikt'"),
        ("@hookimpl\ndef tighten(verdict, noww=None):\n    return verdict\n", "'noww'"),
        ("@hookimpl\ndef tighten(**all):\n    return None\n", "without *"),
        ("@hookimpl\ndef tighten(*, now_):\n    return None\n", "'now_'"),
        ("@hookimpl(wrapper=True)\ndef tighten(verdict):\n    return (yield)\n", "wraps"),
        ("@hookimpl(hookwrapper=True)\ndef tighten(verdict):\n    yield\n", "wraps"),
        ("@hookimpl\nasync def tighten(verdict):\n    return verdict\n", "not async def"),
        ("@hookimpl\ndef tighten(verdict):\n    yield verdict\n", "without yield"),
        ("@hookimpl\ndef turn_done(turn):\n    pass\n", "async def"),
        ("@hookimpl\nasync def turn_done(turn):\n    yield 1\n", "async def"),
        ("def tighten(verdict):\n    return verdict\n", "without @hookimpl"),
        (GUARD + "\n@hookimpl(specname='tighten')\ndef more(verdict):\n    return verdict\n", "one hook twice"),
        ("x = 1\n", "no hook"),
    ],
)  # fmt: skip
def test_pl4_hooks(install: Install, enabled: Enabled, source: str, said: str) -> None:
    """PL4: a hook that would never be called, or would stand around others, stops the boot; optional or not."""
    install("odd", source)
    for table in ({}, {"optional": True}):
        with pytest.raises(PluginError, match="odd-dist") as caught:
            load_plugins(enabled("odd", odd=table))
        assert said in caught.value.detail


def test_all_plugins_told(install: Install, enabled: Enabled) -> None:
    """Problems of several plugins are told together."""
    install("one", "x = 1\n")
    install("two", "import there_is_no_such_module\n")
    with pytest.raises(PluginError) as caught:
        load_plugins(enabled("one", "two", "three"))
    assert all(f"'{name}'" in caught.value.detail for name in ("one", "two", "three"))


def test_pl6_settings(install: Install, enabled: Enabled) -> None:
    """PL6: a plugin's settings are checked by its own model, and a list may be written with commas (CF1)."""
    install("sized", SETTINGS)
    [plugin] = load_plugins(enabled("sized", sized={"size": "3", "names": "a, b", "optional": "false"})).loaded
    assert plugin.settings is not None
    assert plugin.settings.model_dump() == {"size": 3, "names": ["a", "b"]}


def test_pl6_told_with_the_others(install: Install) -> None:
    """PL6, CF2: a plugin's wrong settings are reported with all other wrong settings, without the values (CF3)."""
    install("sized", SETTINGS)
    with pytest.raises(SettingsError) as caught:
        load_all(
            env={
                "SLICEWAY_PLUGINS__ENABLED": "sized,missing",
                "SLICEWAY_PLUGINS__SIZED__SIZE": "hush",
                "SLICEWAY_PLUGINS__SIZED__SIZ": "hush",
                "SLICEWAY_POLICY__DM": "hush",
            }
        )
    fields = {problem.field for problem in caught.value.problems}
    assert {"SLICEWAY_POLICY__DM", "plugins.sized.size", "plugins.sized.siz", "plugins"} <= fields
    assert "hush" not in str(caught.value)


def test_pl6_not_enabled_is_unread(install: Install, enabled: Enabled) -> None:
    """PL6: the settings of a plugin that is not enabled are kept and not read."""
    install("sized", SETTINGS)
    section = enabled("notes", sized={"size": "wrong", "nothing": 1})
    load_plugins(section)
    assert section.values_of("sized") == {"size": "wrong", "nothing": 1}


def test_pl6_settings_without_model(install: Install, enabled: Enabled) -> None:
    """PL6, CF2: a key for a plugin that has no settings is unknown."""
    install("calm", WATCHER)
    with pytest.raises(SettingsError, match=r"plugins\.calm\.size"):
        load_plugins(enabled("calm", calm={"size": 1}))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("@hookimpl\ndef settings_model():\n    return dict\n", "pydantic model"),
        ("@hookimpl\ndef settings_model():\n    return 1 / 0\n", "ZeroDivisionError"),
    ],
)
def test_pl6_bad_model(install: Install, enabled: Enabled, source: str, said: str) -> None:
    """PL6: what is no model, or fails to be made, stops the boot in words."""
    install("odd", source)
    with pytest.raises((PluginError, SettingsError), match=said):
        load_plugins(enabled("odd"))


@pytest.mark.parametrize("broken", ["import there_is_no_such_module\n", "raise SystemExit(3)\n", "1 / 0\n"])
@pytest.mark.parametrize(
    ("source", "table", "starts"),
    [(WATCHER, {}, False), (WATCHER, {"optional": True}, True), (WATCHER, {"optional": "true"}, True),
     (GUARD, {"optional": True}, False), (AGENT, {"optional": True}, False),
     ("from other import *\n", {"optional": True}, False),
     ("from other import rule as tighten\n", {"optional": True}, False),
     ("tighten = hookimpl(print)\n", {"optional": True}, False),
     ("@hookimpl(specname='tighten')\ndef rule(verdict):\n    pass\n", {"optional": True}, False),
     ("def broken(:\n", {"optional": True}, False)],
)  # fmt: skip
def test_pl7_cannot_be_imported(
    install: Install, enabled: Enabled, source: str, broken: str, table: dict[str, Any], starts: bool
) -> None:
    """PL7: a plugin that cannot be imported stops the boot, unless it is optional and its source shows neither
    `tighten` nor the agent: then it is skipped, with its reason in the list."""
    install("odd", broken + source)
    section = enabled("notes", "odd", odd=table)
    if not starts:
        with pytest.raises(PluginError, match="'odd'"):
            load_plugins(section)
        return
    plugins = load_plugins(section)
    [entry] = [entry for entry in plugins.entries if entry.name == "odd"]
    assert entry.says.startswith("skipped: cannot be imported")
    assert [plugin.name for plugin in plugins.loaded] == ["notes"]


@pytest.mark.parametrize(("extra", "starts"), [("", True), (GUARD, False), (AGENT, False)])
def test_pl7_wrong_settings(install: Install, enabled: Enabled, extra: str, starts: bool) -> None:
    """PL7: wrong settings stop the boot, unless the plugin is optional and neither tightens nor is the agent."""
    install("sized", SETTINGS + extra)
    with pytest.raises(SettingsError):
        load_plugins(enabled("sized", sized={"size": "x"}))
    section = enabled("sized", sized={"size": "x", "optional": True})
    if starts:
        [entry] = [entry for entry in load_plugins(section).entries if entry.name == "sized"]
        assert entry.says.startswith("skipped: its settings are wrong")
    else:
        with pytest.raises(SettingsError):
            load_plugins(section)


def test_pl7_optional_is_checked(install: Install, enabled: Enabled) -> None:
    """PL7: `optional` is true or false and nothing else."""
    install("calm", WATCHER)
    with pytest.raises(SettingsError, match=r"plugins\.calm\.optional"):
        load_plugins(enabled("calm", calm={"optional": "maybe"}))


def test_list_never_raises(install: Install, enabled: Enabled) -> None:
    """`plugins list` shows what is wrong with each instead of stopping at the first."""
    install("one", "x = 1\n")
    install("two", "1 / 0\n")
    shown = {entry.name: entry for entry in list_plugins(enabled("one", "two"))}
    assert "no hook" in (shown["one"].problem or "")
    assert "ZeroDivisionError" in (shown["two"].problem or "")


def test_pl5_fresh_manager(install: Install, enabled: Enabled) -> None:
    """PL5: each app has plugins of its own; loading twice shares nothing but the modules."""
    install("calm", WATCHER)
    first, second = load_plugins(enabled("calm")), load_plugins(enabled("notes"))
    assert [plugin.name for plugin in first.loaded] == ["calm"]
    assert [plugin.name for plugin in second.loaded] == ["notes"]
