"""Payloads as Slack sends them, and the account they are sent to."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from sliceway.ports.chat import Me

ME = Me(team="T0TEAM", user="U0BOT", bot="B0BOT", app="A0SLICE", name="ada")
_FOLDER = Path(__file__).parents[2] / "payloads"


def payload(name: str, **changes: Any) -> dict[str, Any]:
    """Return a payload by the name of its file, with `changes` at its top."""
    data: dict[str, Any] = json.loads((_FOLDER / f"{name}.json").read_text())
    return {**data, **changes}


def event(name: str, **changes: Any) -> dict[str, Any]:
    """Return an event's envelope with `changes` in the event; a change to `...` takes the field away."""
    data = copy.deepcopy(payload(name))
    data["event"] = {key: value for key, value in {**data["event"], **changes}.items() if value is not ...}
    return data


def names() -> list[str]:
    """Return the names of all payloads."""
    return sorted(path.stem for path in _FOLDER.glob("*.json"))
