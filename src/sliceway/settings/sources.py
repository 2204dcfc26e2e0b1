"""Where settings come from: a file, the environment, the command line. Each knows what the user calls a key."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from sliceway.errors import FieldError

PREFIX = "SLICEWAY_"
CONFIG_NAME = "SLICEWAY_CONFIG"
"""Names the file to read where the command line names none."""
CONFIG_FILE = Path("config/sliceway.toml")
"""Read from the working directory where nothing names a file."""
SLACK_NAMES = {
    "SLACK_BOT_TOKEN": "bot_token",
    "SLACK_APP_TOKEN": "app_token",
    "SLACK_SIGNING_SECRET": "signing_secret",
    "SLACK_USER_TOKEN": "user_token",
    "SLACK_API_URL": "api_url",
    "SLACK_CLIENT_ID": "client_id",
}
"""Slack's own names, honoured as they are (CF1)."""

KeyPath = tuple[str, ...]
Tree = dict[str, Any]


class Source(PydanticBaseSettingsSource):
    """A tree of values that was read already, with the name of each key as its user knows it."""

    def __init__(self, model: type[BaseSettings], tree: Tree, names: Mapping[KeyPath, str], suffix: str = "") -> None:
        """Take the values, the names of some keys, and what is added to the dotted form of all others."""
        super().__init__(model)
        self.tree = tree
        self._names = names
        self._suffix = suffix

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Return one top-level value."""
        del field
        return self.tree.get(field_name), field_name, False

    def __call__(self) -> Tree:
        """Return the whole tree."""
        return self.tree

    def holds(self, path: KeyPath) -> bool:
        """Say whether this source sets the key at `path` or something below it."""
        here: Any = self.tree
        for part in path:
            if not isinstance(here, dict) or part not in here:
                return False
            here = here[part]
        return True

    def drop(self, path: KeyPath) -> bool:
        """Forget the key at `path` and all below it; False where this source does not set it."""
        if not self.holds(path):
            return False
        here = self.tree
        for part in path[:-1]:
            here = here[part]
        del here[path[-1]]
        return True

    def name(self, path: KeyPath) -> str:
        """Return what the user calls the key at `path`."""
        below = next((name for inner, name in self._names.items() if inner[: len(path)] == path), None)
        return self._names.get(path) or below or ".".join(path) + self._suffix


def plant(tree: Tree, path: KeyPath, value: Any) -> bool:
    """Put `value` at `path`; False where a value stands in the way, which is then kept."""
    here = tree
    for part in path[:-1]:
        below = here.setdefault(part, {})
        if not isinstance(below, dict):
            return False
        here = below
    if path[-1] in here:
        return False
    here[path[-1]] = value
    return True


def env_name(path: KeyPath) -> str:
    """Return the name in the environment of the key at `path`."""
    if path[0] == "slack":
        return next((name for name, key in SLACK_NAMES.items() if path[1:] == (key,)), "SLACK_…")
    return PREFIX + "__".join(path).upper()


def find_file(named: Path | None, env: Mapping[str, str]) -> Path | None:
    """Return the file to read: as named on the command line, else by `SLICEWAY_CONFIG`, else `config/sliceway.toml`
    of the working directory where there is one."""
    if named is not None:
        return named
    if told := env.get(CONFIG_NAME, "").strip():
        return Path(told)
    return CONFIG_FILE if CONFIG_FILE.is_file() else None


def from_file(model: type[BaseSettings], file: Path | None, problems: list[FieldError]) -> Source:
    """Read a TOML file; what is wrong with the file itself is added to `problems`. An empty text counts as not set, but
    in the tables of plugins, which are read by their own models."""
    tree: Tree = {}
    if file is not None:
        try:
            tree = tomllib.loads(file.read_bytes().removeprefix(b"\xef\xbb\xbf").decode())
        except OSError as error:
            problems.append(FieldError(str(file), "unreadable", f"cannot be read: {error.strerror or 'no such file'}"))
        except UnicodeDecodeError:
            problems.append(FieldError(str(file), "unreadable", "is not a text in UTF-8; save it as UTF-8"))
        except tomllib.TOMLDecodeError as error:
            problems.append(FieldError(str(file), "invalid_toml", f"is not TOML: {error}"))
    kept = {name: value if name == "plugins" else _without_blanks(value) for name, value in tree.items()}
    return Source(model, {name: value for name, value in kept.items() if not _is_blank(value)}, {}, f" in {file}")


def _without_blanks(value: Any) -> Any:
    return {key: each for key, each in value.items() if not _is_blank(each)} if isinstance(value, dict) else value


def _is_blank(value: Any) -> bool:
    return isinstance(value, str) and not value.strip()


def from_env(model: type[BaseSettings], env: Mapping[str, str], problems: list[FieldError]) -> Source:
    """Read `SLICEWAY_A__B` as the key `a.b`, and Slack's own names. A blank value counts as not set, but for a list,
    where it is the empty one: that never means anyone (AP7)."""
    tree: Tree = {}
    names: dict[KeyPath, str] = {}
    for name in sorted(env):
        value = env[name]
        if name in SLACK_NAMES:
            path: KeyPath = ("slack", SLACK_NAMES[name])
        elif name.startswith(PREFIX) and name != CONFIG_NAME:
            path = tuple(name.removeprefix(PREFIX).lower().split("__"))
            if path[0] == "slack" and len(path) > 1:
                problems.append(FieldError(name, "unknown_key", f"is set by Slack's own name, {env_name(path)}"))
                continue
        else:
            continue
        names[path] = name
        if not value.strip() and not is_list(model, path):
            continue
        if not all(path):
            problems.append(FieldError(name, "unknown_key", "there is no such setting: a part of the name is missing"))
        elif not plant(tree, path, value):
            problems.append(FieldError(name, "unknown_key", "contradicts another variable with the same beginning"))
    return Source(model, tree, names)


def from_overrides(model: type[BaseSettings], overrides: Mapping[str, Any], problems: list[FieldError]) -> Source:
    """Read the command line: dotted keys; None means not given."""
    tree: Tree = {}
    for dotted, value in overrides.items():
        if value is not None and not plant(tree, tuple(dotted.split(".")), value):
            problems.append(FieldError(dotted, "contradiction", "is given twice on the command line"))
    return Source(model, tree, {}, " on the command line")


def is_list(model: type[BaseSettings], path: KeyPath) -> bool:
    """Say whether the key at `path` holds a list."""
    fields: Mapping[str, FieldInfo] = model.model_fields
    for part in path[:-1]:
        below = fields[part].annotation if part in fields else None
        fields = getattr(below, "model_fields", {})
    return path[-1] in fields and "tuple[" in str(fields[path[-1]].annotation)


def keys_of(model: type[BaseSettings]) -> dict[KeyPath, FieldInfo]:
    """Return every key there is, by its path."""
    keys: dict[KeyPath, FieldInfo] = {}
    for section, field in model.model_fields.items():
        below: Mapping[str, FieldInfo] = getattr(field.annotation, "model_fields", {})
        if below:
            keys.update({(section, name): inner for name, inner in below.items()})
        else:
            keys[(section,)] = field
    return keys
