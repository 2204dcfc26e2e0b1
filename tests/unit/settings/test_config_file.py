"""The settings file that ships says the truth about every key."""

from __future__ import annotations

import re
import tomllib
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from sliceway.core.clock import parse_duration
from sliceway.settings import Settings, load_settings
from sliceway.settings.sources import keys_of

CONFIG = Path(__file__).parents[3] / "config" / "sliceway.toml"
_KEY = re.compile(r"# (\w+) = (.*?)\s+# (\S.*)")


def documented() -> dict[tuple[str, ...], tuple[Any, str]]:
    """Return every key of the file, with its value as TOML reads it and the line of why."""
    found: dict[tuple[str, ...], tuple[Any, str]] = {}
    section: tuple[str, ...] = ()
    for line in CONFIG.read_text().splitlines():
        if head := re.match(r"\[(\w+)\]", line):
            section = (head[1],)
        elif match := _KEY.fullmatch(line):
            found[(*section, match[1])] = (tomllib.loads(f"value = {match[2]}")["value"], match[3])
    return found


def default_of(path: tuple[str, ...]) -> Any:
    """Return the default of a key."""
    value: Any = Settings()
    for part in path:
        value = getattr(value, part)
    return value


def test_every_key() -> None:
    """CF1: config/sliceway.toml names every key there is and no other, each with a reason."""
    assert set(documented()) == set(keys_of(Settings))
    assert all(len(why) > 20 for _, why in documented().values())


@pytest.mark.parametrize("path", list(keys_of(Settings)), ids=".".join)
def test_defaults(path: tuple[str, ...]) -> None:
    """CF1: config/sliceway.toml shows each key's default; a key without one is shown empty."""
    shown, _ = documented()[path]
    default = default_of(path)
    if isinstance(default, timedelta):
        assert parse_duration(shown) == default
    elif default is None:
        assert shown in ("", [])
    else:
        assert (tuple(shown) if isinstance(shown, list) else shown) == default


def test_loads_as_it_is() -> None:
    """CF4: the file as it ships changes nothing."""
    assert load_settings(CONFIG, env={}) == load_settings(env={})


def test_uncommented(tmp_path: Path) -> None:
    """CF1: each line can be uncommented as it stands and then changes nothing; only an empty list of approvers means
    what it says, nobody."""
    lines = [re.sub(r"^# (?=\w+ = )", "", line) for line in CONFIG.read_text().splitlines()]
    whole = tmp_path / "whole.toml"
    whole.write_text("\n".join(line for line in lines if not line.startswith("approvers")))
    assert load_settings(whole, env={}) == load_settings(env={})
