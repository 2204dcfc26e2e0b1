"""Sliceway: private minds, deliberate sharing. The public names, each loaded when first asked for (PEP 562)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "Agent": "ports",
    "Brain": "ports",
    "BrainDoor": "ports",
    "Person": "core.turns",
    "Place": "core.turns",
    "Principal": "core.principals",
    "Reply": "ports",
    "SlicewayError": "errors",
    "Tools": "ports",
    "Turn": "core.turns",
    "Verdict": "core.gate",
    "hookimpl": "hookspecs",
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
