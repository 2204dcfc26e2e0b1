"""Which agent each chat account was at the last run, in a small file beside the store: a change is noticed (ID12)."""

from __future__ import annotations

import json
import os
from pathlib import Path


def last_agents(store: Path) -> dict[str, str]:
    """Return the agent's id of each account at its last run; empty where there was none, or it cannot be read."""
    try:
        found = json.loads(_beside(store).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(name): str(agent) for name, agent in found.items()} if isinstance(found, dict) else {}


def note_agent(store: Path, account: str, agent: str) -> str | None:
    """Remember which agent an account is now, and return which other one it was before, None where it is the same.

    :raises OSError: the file cannot be written.
    """
    before = last_agents(store)
    if before.get(account) != agent:
        part = _beside(store).with_suffix(".part")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            json.dump({**before, account: agent}, out)
        part.replace(_beside(store))
    was = before.get(account)
    return was if was != agent else None


def _beside(store: Path) -> Path:
    return store.with_name(f"{store.stem}.last-run.json")
