"""The models that turn texts into vectors, each behind the port `Embedder`; named by the wiring alone.

Their names are loaded when first asked for (PEP 562): one model runs, and another's HTTP client is none of its needs.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sliceway.embed.e5 import E5 as E5
    from sliceway.embed.endpoint import Endpoint as Endpoint
    from sliceway.embed.minilm import MiniLm as MiniLm

_HOMES = {"E5": "e5", "Endpoint": "endpoint", "MiniLm": "minilm"}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Load a name from its home."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sliceway.embed' has no attribute {name!r}")
    return getattr(import_module(f"sliceway.embed.{_HOMES[name]}"), name)
