"""Reading the settings: every problem is found and told at once, and nothing starts (CF2)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from sliceway.errors import FieldError, SettingsError
from sliceway.settings.model import POLICY_KEYS, PluginSettings, Settings, data_home
from sliceway.settings.sources import (
    SLACK_NAMES,
    KeyPath,
    Source,
    env_name,
    find_file,
    from_env,
    from_file,
    from_overrides,
    keys_of,
)
from sliceway.settings.values import ENDPOINT

_WORDS = {
    "bool_parsing": "has to be true or false",
    "bool_type": "has to be true or false",
    "int_parsing": "has to be a whole number",
    "int_type": "has to be a whole number",
    "int_from_float": "has to be a whole number",
    "string_type": "has to be a text",
    "secret_type": "has to be a text",
    "dict_type": "is a table of keys, not a value",
    "model_type": "is a table of keys, not a value",
    "model_attributes_type": "is a table of keys, not a value",
    "missing": "is needed",
}

CheckPlugins = Callable[[PluginSettings], Iterable[FieldError]]
"""Given the plugins' section, returns what is wrong in the plugins' own settings (PL6)."""


def load_settings(
    config: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    *,
    on_slack: bool = False,
    check_plugins: CheckPlugins | None = None,
) -> Settings:
    """Return the settings: defaults, then the file, then the environment, then the command line (CF1).

    :param config: the file that the command line named; else `SLICEWAY_CONFIG`, else `config/sliceway.toml` of the
        working directory where there is one.
    :param overrides: values of the command line by dotted key, such as `server.port`; None means not given.
    :param env: the environment; None means that of the process.
    :param on_slack: the program is to connect to Slack: what that needs must be there too.
    :param check_plugins: checks the plugins' own settings, so that their problems are reported along.
    :raises SettingsError: with every problem found.
    """
    found = find_settings(config, overrides, env, on_slack=on_slack, check_plugins=check_plugins)
    if found.problems:
        raise SettingsError(found.problems)
    return found.settings


@dataclass(frozen=True, slots=True)
class Found:
    """Settings as far as they are right, everything that is wrong, and the keys that are at their default for it."""

    settings: Settings
    problems: tuple[FieldError, ...]
    lost: frozenset[KeyPath]

    def knows(self, *dotted: str) -> bool:
        """Say whether keys, such as `store.url`, all have the value that was meant."""
        paths = [tuple(name.split(".")) for name in dotted]
        return not any(path[: len(key)] == key for path in paths for key in self.lost)


def find_settings(
    config: Path | None = None,
    overrides: Mapping[str, Any] | None = None,
    env: Mapping[str, str] | None = None,
    *,
    on_slack: bool = False,
    check_plugins: CheckPlugins | None = None,
) -> Found:
    """Return the settings whatever is wrong with some of them, for who looks on: a key with a problem is left out.

    Arguments are those of `load_settings`.
    :raises SettingsError: there is no folder to keep anything in, so that there are no defaults either.
    """
    values = os.environ if env is None else env
    problems: list[FieldError] = []
    above = (from_overrides(Settings, overrides or {}, problems), from_env(Settings, values, problems))
    unread = len(problems)
    sources: tuple[Source, ...] = (*above, from_file(Settings, find_file(config, values), problems))
    lost: set[KeyPath] = set()
    if len(problems) > unread:  # nobody knows what a file that cannot be read would have set
        lost |= {key for key in keys_of(Settings) if not any(source.holds(key) for source in above)}
    wrong = list(_contradictions(sources))
    if on_slack:
        wrong.extend(_slack_needs(sources, values))
    if check_plugins is not None and (section := _plugins(sources)) is not None:
        wrong.extend(check_plugins(section))
    settings: Settings | None = None
    while settings is None:
        try:
            settings = Settings(sources, data_home(values))
        except ValidationError as error:
            entries = error.errors(include_url=False, include_input=False)
            problems.extend(_problem(entry, sources) for entry in entries)
            if gone := _taken_out(entries, sources):
                lost |= gone
            else:  # what is wrong is no key's fault
                sources, lost = (Source(Settings, {}, {}),), set(keys_of(Settings))
    return Found(settings, tuple(dict.fromkeys((*problems, *wrong))), frozenset(lost))


def _taken_out(entries: Iterable[ErrorDetails], sources: tuple[Source, ...]) -> set[KeyPath]:
    """Take the keys that problems are about, or the nearest above them that are set, out of every source, and return
    them."""
    gone: set[KeyPath] = set()
    for path in dict.fromkeys(tuple(str(part) for part in entry["loc"]) for entry in entries):
        for length in range(len(path), 0, -1):
            if path[:length] in gone:
                break
            if sum(source.drop(path[:length]) for source in sources):
                gone.add(path[:length])
                break
    return gone


def _set(sources: Iterable[Source], *path: str) -> str | None:
    """Return what the user calls the key at `path` in the strongest source that sets it; None where none does."""
    return next((source.name(path) for source in sources if source.holds(path)), None)


def _problem(entry: ErrorDetails, sources: Iterable[Source]) -> FieldError:
    """Say one problem of the model in words, under the name that the user gave the key; never with the value."""
    path = tuple(str(part) for part in entry["loc"])
    field = _set(sources, *path) or _set(sources, *path[:2]) or ".".join(path)
    if entry["type"] == "extra_forbidden":
        return FieldError(field, "unknown_key", "there is no such setting" + _suggestion(path, field))
    if path[0] == "plugins" and entry["type"] == "dict_type" and len(path) > 1:
        return FieldError(field, "unknown_key", "there is no such setting" + _suggestion(path, field))
    if entry["type"] == "literal_error":
        return FieldError(field, "invalid_value", f"has to be {entry['ctx']['expected']}")
    if entry["type"] == "value_error":
        return FieldError(field, "invalid_value", str(entry["ctx"]["error"]))
    return FieldError(field, "invalid_value", _WORDS.get(entry["type"], "is not a value of the right kind"))


def _suggestion(path: KeyPath, field: str) -> str:
    """Return `; did you mean …?` with the nearest key, spelt the way the user spells keys."""
    known = {".".join(key): key for key in keys_of(Settings)}
    near = get_close_matches(".".join(path), known, n=1, cutoff=0.6)
    if not near:
        return "; config/sliceway.toml lists them all"
    return f"; did you mean {env_name(known[near[0]]) if field.startswith('SLICEWAY_') else near[0]}?"


def _contradictions(sources: tuple[Source, ...]) -> Iterable[FieldError]:
    """Find settings that are right alone and wrong together."""
    url, token = _set(sources, "brain", "url"), _set(sources, "brain", "token")
    if url is not None:
        for section, key in POLICY_KEYS.values():
            if (name := _set(sources, section, key)) is not None:
                yield FieldError(
                    name, "contradiction", f"belongs to the brain at {url}: remove it here, set it on that server"
                )
        if token is None:
            yield FieldError(url, "contradiction", "needs a token: set SLICEWAY_BRAIN__TOKEN too")
    elif token is not None:
        yield FieldError(token, "contradiction", "is a token for no brain: set SLICEWAY_BRAIN__URL too, or remove it")
    yield from _embed_contradictions(sources)


def _embed_contradictions(sources: tuple[Source, ...]) -> Iterable[FieldError]:
    """Find a model behind an address without one, and an address without such a model."""
    held = (source.tree["embed"]["model"] for source in sources if source.holds(("embed", "model")))
    model, name = next(held, None), _set(sources, "embed", "model")
    outside = isinstance(model, str) and model.strip().startswith(ENDPOINT)
    if outside and name is not None and _set(sources, "embed", "url") is None:
        yield FieldError(name, "contradiction", "is a model behind an address: set SLICEWAY_EMBED__URL too")
    for key in ("url", "key"):
        given = _set(sources, "embed", key)
        if given is not None and not outside:
            words = f"is for a model behind an address: set SLICEWAY_EMBED__MODEL={ENDPOINT}MODEL too, or remove it"
            yield FieldError(given, "contradiction", words)


def _slack_needs(sources: tuple[Source, ...], env: Mapping[str, str]) -> Iterable[FieldError]:
    """Find what a connection to Slack lacks: an app token connects, a signing secret takes requests. An empty secret
    would refuse every request (T6)."""
    if _set(sources, "slack", "bot_token") is None and _set(sources, "slack", "user_token") is None:
        words = "is needed to post: copy the xoxb- token of the installed app"
        yield FieldError("SLACK_BOT_TOKEN", "missing", words + _misspelt("SLACK_BOT_TOKEN", env))
    if _set(sources, "slack", "app_token") is None and _set(sources, "slack", "signing_secret") is None:
        words = (
            "is needed, to know that a request is Slack's: copy it from the app's Basic Information, "
            "or set SLACK_APP_TOKEN to connect by Socket Mode"
        )
        slips = _misspelt("SLACK_SIGNING_SECRET", env) or _misspelt("SLACK_APP_TOKEN", env)
        yield FieldError("SLACK_SIGNING_SECRET", "missing", words + slips)


def _misspelt(name: str, env: Mapping[str, str]) -> str:
    """Return `; … is set instead` for a name in the environment that looks like `name` and is no setting: names of
    Slack that are not ours are left alone, other programs may read them."""
    strange = [each for each in env if each.startswith("SLACK_") and each not in SLACK_NAMES]
    near = get_close_matches(name, strange, n=1, cutoff=0.85)
    return f"; {near[0]} is set, is that a slip of the pen?" if near else ""


def _plugins(sources: tuple[Source, ...]) -> PluginSettings | None:
    """Return the plugins' section alone, so that it is checked even where other sections are wrong."""
    merged: dict[str, Any] = {}
    for source in reversed(sources):
        section = source.tree.get("plugins", {})
        if not isinstance(section, dict):
            return None
        for name, value in section.items():
            below = merged.get(name)
            merged[name] = {**below, **value} if isinstance(below, dict) and isinstance(value, dict) else value
    try:
        return PluginSettings.model_validate(merged)
    except ValidationError:
        return None
