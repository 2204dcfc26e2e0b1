"""A brain elsewhere, as everyone else sees a brain: the port over HTTP, by the one table of calls (BR1, CL1-CL4)."""

from __future__ import annotations

from sliceway.client.brain import BrainClient
from sliceway.client.door import RemoteDoor, open_remote
from sliceway.client.patience import Patience

__all__ = ["BrainClient", "Patience", "RemoteDoor", "open_remote"]
