"""The only place that names concrete classes: it opens everything, in order, and closes it in reverse."""

from __future__ import annotations

from sliceway.wiring.brain import DEFAULT_PORT, RunningBrain, running_brain
from sliceway.wiring.desks import scrub_desks
from sliceway.wiring.doors import open_brain, open_door
from sliceway.wiring.fresh import now
from sliceway.wiring.gateway import RunningGateway, running_gateway
from sliceway.wiring.store import migrate_store, open_store, the_agent
from sliceway.workspace.server import running_workspace

__all__ = [
    "DEFAULT_PORT",
    "RunningBrain",
    "RunningGateway",
    "migrate_store",
    "now",
    "open_brain",
    "open_door",
    "open_store",
    "running_brain",
    "running_gateway",
    "running_workspace",
    "scrub_desks",
    "the_agent",
]
