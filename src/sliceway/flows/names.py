"""What people call the agents of this brain: ids are for machines."""

from __future__ import annotations

from sliceway.flows.parts import Parts


async def agent_names(parts: Parts) -> dict[str, str]:
    """Return the display names of the agents that this gateway may know of, by id."""
    return {entry.id: entry.display for entry in await parts.brain.agents() if entry.display}
