"""What a plugin's hooks have to look like, so that none is silently never called (PL4)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

from pluggy import PluginManager

from sliceway import hookspecs

_SPECS: dict[str, Callable[..., Any]] = {
    name: spec for name, spec in vars(hookspecs).items() if hasattr(spec, f"{hookspecs.PROJECT}_spec")
}
HOOKS = tuple(_SPECS)
"""The names of all hooks, in the order they are written down."""


def new_manager() -> PluginManager:
    """Return a manager of its own for one app: no plugin is registered for the whole process."""
    manager = PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    return manager


def hooks_of(manager: PluginManager, plugin: object) -> dict[str, str]:
    """Return the hook that each marked function of a plugin says it is, by the function's name."""
    found = {}
    for name in dir(plugin):
        if (marks := manager.parse_hookimpl_opts(plugin, name)) is not None:
            found[name] = marks.get("specname") or name
    return found


def faults(manager: PluginManager, plugin: object) -> Iterable[str]:
    """Say everything about a plugin's hooks that would make one of them do nothing, or more than it may."""
    marked = hooks_of(manager, plugin)
    for name, hook in marked.items():
        marks = manager.parse_hookimpl_opts(plugin, name)
        function = getattr(plugin, name)
        if hook not in _SPECS:
            yield f"has a hook '{hook}' that does not exist; the hooks are {', '.join(HOOKS)}"
        elif marks is not None and (marks.get("wrapper") or marks.get("hookwrapper")):
            yield f"wraps the hook '{hook}'; a plugin may add to what others say, never stand around it"
        else:
            yield from _signature(hook, function)
    for name in HOOKS:
        if name not in marked and _is_own_function(plugin, name):
            yield f"has a function '{name}' without @hookimpl; mark it, or give it another name"
    if len(set(marked.values())) < len(marked):
        yield "has one hook twice; join the two functions"


def _signature(hook: str, function: Callable[..., Any]) -> Iterable[str]:
    """Check the arguments of an implementation, and that it is async exactly where its hook is."""
    known = set(inspect.signature(_SPECS[hook]).parameters)
    for parameter in inspect.signature(function).parameters.values():
        if parameter.kind in {parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY}:
            yield f"takes '{parameter}' in '{hook}'; name the arguments it needs, without * and /"
        elif parameter.name not in known:
            takes = ", ".join(sorted(known)) or "none"
            yield f"takes an argument '{parameter.name}' in '{hook}' that does not exist; it has {takes}"
    wants = inspect.iscoroutinefunction(_SPECS[hook])
    if inspect.iscoroutinefunction(function) != wants or inspect.isasyncgenfunction(function):
        yield f"has to write '{hook}' with {'async def' if wants else 'def, not async def'}"
    elif inspect.isgeneratorfunction(function):
        yield f"has to write '{hook}' without yield"


def _is_own_function(plugin: object, name: str) -> bool:
    """Say whether a plugin defines, and did not only import, a function `name`."""
    function = inspect.getattr_static(plugin, name, None)
    home = plugin.__name__ if inspect.ismodule(plugin) else type(plugin).__module__
    return inspect.isfunction(function) and function.__module__ == home
