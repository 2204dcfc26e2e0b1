"""What people call the agents and slices of this brain: ids are for machines."""

from __future__ import annotations

from sliceway.core.slices import kind_of
from sliceway.flows.parts import Parts
from sliceway.ports.lists import whole


async def agent_names(parts: Parts) -> dict[str, str]:
    """Return the display names of the agents that this gateway may know of, by id."""
    return {entry.id: entry.display for entry in await whole(parts.brain.agents) if entry.display}


def place_words(slice_name: str) -> str:
    """Return a destination in words, with its name."""
    kind = kind_of(slice_name)
    return f"{kind.title} (`{slice_name}`)" if kind is not None else slice_name
