"""The only place that names concrete classes: it opens everything, in order, and closes it in reverse.

Each name is loaded when first asked for (PEP 562): a verb that saves a note need not load a gateway, its chat platform
and two servers, which takes longer than the verb does.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sliceway.store.plan import MigrationPlan as MigrationPlan
    from sliceway.wiring.backup import Backup as Backup
    from sliceway.wiring.backup import back_up as back_up
    from sliceway.wiring.brain import DEFAULT_PORT as DEFAULT_PORT
    from sliceway.wiring.brain import RunningBrain as RunningBrain
    from sliceway.wiring.brain import running_brain as running_brain
    from sliceway.wiring.desks import scrub_desks as scrub_desks
    from sliceway.wiring.doors import open_brain as open_brain
    from sliceway.wiring.doors import open_door as open_door
    from sliceway.wiring.embedding_now import embed_pending as embed_pending
    from sliceway.wiring.fresh import now as now
    from sliceway.wiring.gateway import RunningGateway as RunningGateway
    from sliceway.wiring.gateway import running_gateway as running_gateway
    from sliceway.wiring.planning import migration_plan as migration_plan
    from sliceway.wiring.store import migrate_store as migrate_store
    from sliceway.wiring.store import open_store as open_store
    from sliceway.wiring.store import the_agent as the_agent
    from sliceway.workspace.server import running_workspace as running_workspace

_HOMES = {
    "MigrationPlan": "store.plan",
    "Backup": "wiring.backup",
    "back_up": "wiring.backup",
    "DEFAULT_PORT": "wiring.brain",
    "RunningBrain": "wiring.brain",
    "RunningGateway": "wiring.gateway",
    "embed_pending": "wiring.embedding_now",
    "migrate_store": "wiring.store",
    "migration_plan": "wiring.planning",
    "now": "wiring.fresh",
    "open_brain": "wiring.doors",
    "open_door": "wiring.doors",
    "open_store": "wiring.store",
    "running_brain": "wiring.brain",
    "running_gateway": "wiring.gateway",
    "running_workspace": "workspace.server",
    "scrub_desks": "wiring.desks",
    "the_agent": "wiring.store",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    """Load a name from its home."""
    if name not in _HOMES:
        raise AttributeError(f"module 'sliceway.wiring' has no attribute {name!r}")
    return getattr(import_module(f"sliceway.{_HOMES[name]}"), name)
