"""The extension surface: every hook a plugin may have. What each promises stands in its docstring.

A plugin is a module or object behind an entry point of the group `sliceway`, whose functions carry `@hookimpl`. A hook
takes any of the arguments named here and no other. `settings` is always the plugin's own, as its `settings_model`
checked them, and None for a plugin without one: a plugin is never given the app, a store or a token (PL5).
"""

from __future__ import annotations

from datetime import datetime

from pluggy import HookimplMarker, HookspecMarker
from pydantic import BaseModel

from sliceway.core.gate import Verdict
from sliceway.core.pages import Receipt
from sliceway.core.proposals import Proposal
from sliceway.core.turns import Turn
from sliceway.ports import Agent

PROJECT = "sliceway"
"""The name that pluggy's marks carry, and the group of the entry points."""

hookspec = HookspecMarker(PROJECT)
hookimpl = HookimplMarker(PROJECT)
"""Marks a function of a plugin as the hook it is named after."""


@hookspec
def settings_model() -> type[BaseModel] | None:
    """Return the pydantic model that checks the plugin's settings, asked once before anything else (PL6)."""
    return None


@hookspec
def agent(settings: BaseModel | None) -> Agent | None:
    """Return the agent that answers in chat, asked once at boot; exactly one enabled plugin does."""
    del settings
    return None


@hookspec
def tighten(op: str, destination: str, verdict: Verdict, now: datetime, settings: BaseModel | None) -> Verdict | None:
    """Return a verdict at least as strict as `verdict`, or None to leave it: a plain function of its arguments, given
    250 ms in a thread of its own, where an exception or a late answer is DENY (PL2)."""
    del op, destination, verdict, now, settings
    return None


@hookspec
async def turn_done(
    turn: Turn, receipts: tuple[Receipt, ...], proposals: tuple[Proposal, ...], settings: BaseModel | None
) -> None:
    """Hear that a turn ended and what it wrote and asked for; nobody waits long and an error is only logged (PL3)."""
    del turn, receipts, proposals, settings


@hookspec
async def proposal_changed(proposal: Proposal, settings: BaseModel | None) -> None:
    """Hear that a proposal reached another state; nobody waits long and an error is only logged (PL3)."""
    del proposal, settings


GUARDS = frozenset({"agent", "tighten"})
"""Hooks that nothing runs without: a plugin that has one is never skipped (PL7)."""
