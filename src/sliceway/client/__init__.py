"""A brain elsewhere, as everyone else sees a brain: the port over HTTP, by the one table of calls (BR1, CL1-CL4).

Its names are loaded when first asked for (PEP 562): who works on a store of this machine needs no HTTP client.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sliceway.client.brain import BrainClient as BrainClient
    from sliceway.client.door import RemoteDoor as RemoteDoor
    from sliceway.client.door import open_remote as open_remote
    from sliceway.client.patience import Patience as Patience

_HOMES = {"BrainClient": "brain", "Patience": "patience", "RemoteDoor": "door", "open_remote": "door"}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Load a name from its home."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sliceway.client' has no attribute {name!r}")
    return getattr(import_module(f"sliceway.client.{_HOMES[name]}"), name)
