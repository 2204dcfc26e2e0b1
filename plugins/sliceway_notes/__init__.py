"""The agent that needs no model: remember, share, recall, forget and undo, by plain words."""

from sliceway import Agent, hookimpl
from sliceway_notes.agent import NotesAgent


@hookimpl
def agent() -> Agent:
    """Return the agent that takes notes."""
    return NotesAgent()
