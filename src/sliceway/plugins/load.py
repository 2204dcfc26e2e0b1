"""Loading plugins at boot: those enabled and no other, each checked, every problem told (CF5, PL1, PL4, PL6, PL7)."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, get_origin

from pydantic import BaseModel, ValidationError

from sliceway.core.refusal_words import words_of
from sliceway.errors import FieldError, PluginError, SettingsError
from sliceway.hookspecs import GUARDS
from sliceway.plugins.check import faults, hooks_of, new_manager
from sliceway.plugins.found import PluginEntry, clashes, distribution_of, find, may_guard
from sliceway.plugins.host import Loaded, Plugins
from sliceway.settings import PluginSettings, Settings, load_settings

LOG = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What came of loading: the plugins that run, all that were found, and what is wrong."""

    loaded: tuple[Loaded, ...]
    entries: tuple[PluginEntry, ...]
    wrong: tuple[str, ...]
    wrong_settings: tuple[FieldError, ...]


def load_plugins(settings: PluginSettings, found: Sequence[EntryPoint] | None = None) -> Plugins:
    """Return the enabled plugins, ready to be called.

    :param found: the entry points to choose from; None means all that are installed.
    :raises SettingsError: with every problem in the plugins' settings, and every other one along.
    :raises PluginError: with every other problem.
    """
    outcome = _load(settings, find() if found is None else found)
    if outcome.wrong_settings:
        raise SettingsError((*outcome.wrong_settings, *_as_fields(outcome)))
    if outcome.wrong:
        raise PluginError("\n".join(outcome.wrong))
    return Plugins(outcome.loaded, outcome.entries)


def list_plugins(settings: PluginSettings, found: Sequence[EntryPoint] | None = None) -> tuple[PluginEntry, ...]:
    """Return every plugin that is found, enabled or not, each with what is wrong with it; nothing is raised."""
    return _load(settings, find() if found is None else found).entries


def load_all(
    config: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    *,
    on_slack: bool = False,
    found: Sequence[EntryPoint] | None = None,
) -> tuple[Settings, Plugins]:
    """Return settings and plugins, loaded together so that the problems of both are told together (CF2, PL6).

    Arguments are those of `load_settings` and `load_plugins`.
    :raises SettingsError: something is wrong with a setting; problems of plugins are told along.
    :raises PluginError: only plugins are wrong.
    """
    outcomes: list[_Outcome] = []

    def check(section: PluginSettings) -> tuple[FieldError, ...]:
        outcomes.append(_load(section, find() if found is None else found))
        return outcomes[-1].wrong_settings

    try:
        settings = load_settings(config, overrides, env, on_slack=on_slack, check_plugins=check)
    except SettingsError as error:
        along = tuple(problem for outcome in outcomes for problem in _as_fields(outcome))
        raise SettingsError((*error.problems, *along)) from None
    [outcome] = outcomes
    if outcome.wrong:
        raise PluginError("\n".join(outcome.wrong))
    return settings, Plugins(outcome.loaded, outcome.entries)


def _as_fields(outcome: _Outcome) -> tuple[FieldError, ...]:
    """Return what is wrong beside settings in the form of settings' problems."""
    return tuple(FieldError("plugins", PluginError.code, text) for text in outcome.wrong)


def _load(settings: PluginSettings, found: Sequence[EntryPoint]) -> _Outcome:
    """Import and check each enabled plugin, in the order they are enabled."""
    names = {entry.name: entry for entry in found}
    wrong = list(clashes(found))
    wrong_settings: list[FieldError] = []
    loaded: list[Loaded] = []
    enabled: dict[str, PluginEntry] = {}
    clashing = {entry.name for entry in found if sum(other.name == entry.name for other in found) > 1}
    for name in settings.enabled:
        if name in clashing:
            continue
        if name not in names:
            near = get_close_matches(name, names, n=1)
            hint = f"did you mean '{near[0]}'?" if near else f"found are {', '.join(sorted(names)) or 'none'}."
            wrong.append(f"Plugin '{name}' is enabled and not installed; {hint}")
            continue
        entry = names[name]
        one = _load_one(entry, settings)
        if one.plugin is not None:
            loaded.append(one.plugin)
        wrong.extend(f"Plugin '{name}' ({distribution_of(entry)}) {text}." for text in one.wrong)
        wrong_settings.extend(one.wrong_settings)
        problem = one.skipped or "; ".join((*one.wrong, *(f"{e.field}: {e.detail}" for e in one.wrong_settings)))
        enabled[name] = PluginEntry(
            name, distribution_of(entry), entry.value, enabled=True, hooks=one.hooks, problem=problem or None
        )
    entries = tuple(
        enabled.get(entry.name) or PluginEntry(entry.name, distribution_of(entry), entry.value, enabled=False)
        for entry in found
    )
    return _Outcome(tuple(loaded), entries, tuple(wrong), tuple(wrong_settings))


@dataclass(frozen=True, slots=True)
class _One:
    """What came of one plugin. `skipped` says why it does not run although nothing is wrong."""

    plugin: Loaded | None = None
    hooks: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    wrong_settings: tuple[FieldError, ...] = ()
    skipped: str | None = None


def _load_one(entry: EntryPoint, settings: PluginSettings) -> _One:
    """Import one plugin, check its hooks, then its settings."""
    optional = settings.optional(entry.name)
    if isinstance(optional, str) and optional.strip().lower() in {"true", "false"}:
        optional = optional.strip().lower() == "true"
    if not isinstance(optional, bool):
        field = f"plugins.{entry.name}.optional"
        return _One(wrong_settings=(FieldError(field, "invalid_value", "has to be true or false"),))
    try:
        module = entry.load()
    except (Exception, SystemExit) as error:
        why = f"cannot be imported: {type(error).__name__}: {error}"
        LOG.exception("The plugin %s %s", entry.name, why)
        if optional and not may_guard(entry):
            return _One(skipped=why)
        return _One(wrong=(why + _way_out(optional=optional),))
    manager = new_manager()
    hooks = tuple(sorted(set(hooks_of(manager, module).values())))
    if wrong := tuple(faults(manager, module)):
        return _One(hooks=hooks, wrong=wrong)
    if not hooks:
        return _One(wrong=("has no hook; mark its functions with @hookimpl from sliceway",))
    functions = {hook: getattr(module, name) for name, hook in hooks_of(manager, module).items()}
    try:
        checked = _own_settings(functions, entry.name, settings.values_of(entry.name))
    except SettingsError as error:
        if optional and not GUARDS & set(hooks):
            return _One(hooks=hooks, skipped=f"its settings are wrong: {error.detail}")
        return _One(hooks=hooks, wrong_settings=error.problems)
    except Exception as error:
        LOG.exception("The plugin %s failed while its settings were checked", entry.name)
        return _One(hooks=hooks, wrong=(f"failed while its settings were checked: {type(error).__name__}: {error}",))
    return _One(Loaded(entry.name, distribution_of(entry), functions, checked), hooks)


def _way_out(*, optional: bool) -> str:
    """Say what to do about a plugin that cannot be imported."""
    if optional:
        return "; it may tighten or be the agent, so that nothing starts without it: repair it, or do not enable it"
    return "; repair it, do not enable it, or set its key optional to true if it only watches"


def _own_settings(functions: Mapping[str, Any], name: str, values: dict[str, Any]) -> BaseModel | None:
    """Return a plugin's settings as its own model checked them (PL6).

    :raises SettingsError: with every value that is wrong, and every key that its model does not have.
    """
    model = functions["settings_model"]() if "settings_model" in functions else None
    if model is None:
        keys = tuple(FieldError(f"plugins.{name}.{key}", "unknown_key", "the plugin has no settings") for key in values)
        if keys:
            raise SettingsError(keys)
        return None
    if not (isinstance(model, type) and issubclass(model, BaseModel)):
        field = f"plugins.{name}"
        raise SettingsError((FieldError(field, PluginError.code, "settings_model has to return a pydantic model"),))
    known = {field.alias or key: field for key, field in model.model_fields.items()}
    problems = [
        FieldError(f"plugins.{name}.{key}", "unknown_key", f"there is no such setting; there are {', '.join(known)}")
        for key in values
        if key not in known
    ]
    given = {key: _listed(known[key].annotation, value) for key, value in values.items() if key in known}
    try:
        checked = model.model_validate(given)
    except ValidationError as error:
        for entry in error.errors(include_url=False, include_input=False):
            where = ".".join((f"plugins.{name}", *map(str, entry["loc"])))
            problems.append(FieldError(where, "invalid_value", words_of(entry["type"], entry.get("ctx", {}))))
    if problems:
        raise SettingsError(problems)
    return checked


def _listed(kind: Any, value: Any) -> Any:
    """Read `a, b` as a list where the plugin's model wants one (CF1)."""
    if isinstance(value, str) and (get_origin(kind) or kind) in {list, tuple, set, frozenset}:
        return [entry.strip() for entry in value.split(",") if entry.strip()]
    return value
