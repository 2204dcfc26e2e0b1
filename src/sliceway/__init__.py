"""Sliceway: private minds, deliberate sharing. The public names, each loaded when first asked for (PEP 562)."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sliceway.core.gate import Verdict as Verdict
    from sliceway.core.pages import Hit as Hit
    from sliceway.core.pages import Page as Page
    from sliceway.core.pages import PageDraft as PageDraft
    from sliceway.core.pages import Receipt as Receipt
    from sliceway.core.principals import Principal as Principal
    from sliceway.core.proposals import Proposal as Proposal
    from sliceway.core.scope import Scope as Scope
    from sliceway.core.slices import kind_of as kind_of
    from sliceway.core.turns import Person as Person
    from sliceway.core.turns import Place as Place
    from sliceway.core.turns import Turn as Turn
    from sliceway.errors import SlicewayError as SlicewayError
    from sliceway.hookspecs import hookimpl as hookimpl
    from sliceway.ports import Agent as Agent
    from sliceway.ports import Brain as Brain
    from sliceway.ports import BrainDoor as BrainDoor
    from sliceway.ports import Decision as Decision
    from sliceway.ports import Reply as Reply
    from sliceway.ports import ToolAnswer as ToolAnswer
    from sliceway.ports import Tools as Tools

__version__ = "0.1.0"

_HOMES = {
    "Agent": "ports",
    "Brain": "ports",
    "BrainDoor": "ports",
    "Decision": "ports",
    "Hit": "core.pages",
    "Page": "core.pages",
    "PageDraft": "core.pages",
    "Person": "core.turns",
    "Place": "core.turns",
    "Principal": "core.principals",
    "Proposal": "core.proposals",
    "Receipt": "core.pages",
    "Reply": "ports",
    "Scope": "core.scope",
    "SlicewayError": "errors",
    "ToolAnswer": "ports",
    "Tools": "ports",
    "Turn": "core.turns",
    "Verdict": "core.gate",
    "hookimpl": "hookspecs",
    "kind_of": "core.slices",
    "open_brain": "wiring",
}

__all__ = sorted(["__version__", *_HOMES])


def __getattr__(name: str) -> Any:
    """Load a public name from its home."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sliceway' has no attribute {name!r}")
    return getattr(import_module(f"sliceway.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """List the public names."""
    return __all__
