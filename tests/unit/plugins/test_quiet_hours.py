"""The example plugin does what it says, as installed."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

import sliceway_quiet_hours
from sliceway.core.gate import Verdict
from sliceway.errors import SettingsError
from sliceway.plugins import load_plugins
from sliceway.settings import load_settings


def at(hour: int, minute: int = 0) -> datetime:
    """Return a time of day in UTC."""
    return datetime(2026, 5, 4, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hours", "now", "quiet"),
    [
        ({}, at(23), True),
        ({}, at(22), True),
        ({}, at(6, 59), True),
        ({}, at(7), False),
        ({}, at(12), False),
        ({"FROM": "12:00", "UNTIL": "13:30"}, at(12, 30), True),
        ({"FROM": "12:00", "UNTIL": "13:30"}, at(13, 30), False),
        ({"TIMEZONE": "Asia/Tokyo"}, at(14), True),
        ({"TIMEZONE": "Asia/Tokyo"}, at(23), False),
        ({"FROM": "09:00", "UNTIL": "09:00"}, at(9), False),
    ],
)
async def test_pl2_at_night_nobody_is_asked(hours: dict[str, str], now: datetime, quiet: bool) -> None:
    """PL2: in quiet hours what would ask is refused; what is free stays free, and what is refused stays refused."""
    env = {f"SLICEWAY_PLUGINS__QUIET_HOURS__{name}": value for name, value in hours.items()}
    section = load_settings(env={"SLICEWAY_PLUGINS__ENABLED": "notes,quiet_hours", **env}).plugins
    plugins = load_plugins(section)
    expected = {
        Verdict.ALLOW: Verdict.ALLOW,
        Verdict.ASK: Verdict.DENY if quiet else Verdict.ASK,
        Verdict.DENY: Verdict.DENY,
    }
    for own, wanted in expected.items():
        assert await plugins.tighten("write", "shared", own, now) is wanted


@pytest.mark.parametrize(("key", "value"), [("from", "25:00"), ("timezone", "Mars/Olympus"), ("form", "22:00")])
def test_pl6_wrong_hours(key: str, value: str) -> None:
    """PL6: a wrong hour, an unknown time zone and a misspelt key are told under the key's name, and nothing starts."""
    section = load_settings(
        env={"SLICEWAY_PLUGINS__ENABLED": "quiet_hours", f"SLICEWAY_PLUGINS__QUIET_HOURS__{key.upper()}": value}
    ).plugins
    with pytest.raises(SettingsError, match=rf"plugins\.quiet_hours\.{key}"):
        load_plugins(section)


def test_one_screen() -> None:
    """The example to copy fits on one screen."""
    assert len(Path(sliceway_quiet_hours.__file__).read_text().splitlines()) <= 45
