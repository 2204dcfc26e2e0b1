"""What the scripted agent does in a turn: one script for each thing that people ask."""

from __future__ import annotations

from collections.abc import AsyncIterator

from sliceway.core.pages import PageDraft
from sliceway.core.turns import Turn
from sliceway.ports import Reply, Tools


def note(text: str, slug: str = "notes/rollback") -> PageDraft:
    """Return a page."""
    return PageDraft(slug, text, title=slug.rpartition("/")[2].capitalize())


async def by_words(turn: Turn, tools: Tools) -> AsyncIterator[Reply]:
    """Do what the message says: `save`, `share`, `publish`, `corner`, `find`, `forget`, `undo`; answer in the tool's
    words."""
    word, _, rest = turn.text.partition(" ")
    match word:
        case "save":
            answer = await tools.memoize([note(rest)])
        case "share":
            answer = await tools.memoize([note(rest, "team/oncall")], target="shared")
        case "publish":
            answer = await tools.memoize([note(rest)], target="public")
        case "corner":
            answer = await tools.memoize([note(rest)], target="user")
        case "find":
            answer = await tools.recall(rest)
        case "forget":
            slice_name, _, slug = rest.partition(" ")
            answer = await tools.forget(slice_name, slug)
        case "undo":
            last = (await tools.recent())[0]
            answer = await tools.undo(last.slice, last.slug, last.event_id)
        case "proposals":
            answer = await tools.proposals()
        case "withdraw":
            answer = await tools.withdraw(rest)
        case _:
            yield Reply(f"heard: {turn.text}")
            return
    yield Reply(f"{answer.outcome}: {answer.say}")
