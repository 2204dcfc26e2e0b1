"""Where memories landed, as the page shows it: read from the brain as the operator, who sees no private content."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from sliceway.core.pages import PageEntry
from sliceway.core.principals import Principal
from sliceway.core.slices import Landing, kind_of
from sliceway.ports import Brain, BrainDoor
from sliceway.ports.lists import whole
from sliceway.ports.outcomes import AuditEntry, SliceEntry
from sliceway.workspace.landings import Landings
from sliceway.workspace.model import Json

_ACTS = 200
_PAGES = 50
_ENTRIES = 4  # shown of one slice


class BrainLandings(Landings):
    """The slices and the newest acts of one brain. It is read again only when its record has grown."""

    def __init__(self) -> None:
        """Begin with nothing to tell; `enter` says where to look."""
        self._door: BrainDoor | None = None
        self._newest: str | None = None
        self._seen: Json = {"slices": [], "acts": [], "events": "0"}

    def enter(self, door: BrainDoor) -> None:
        """Take the way to the brain: entered as the operator, and as each agent for the titles in its own mind."""
        self._door = door

    async def look(self) -> Json:
        """Return what the page shows."""
        if self._door is None:
            return self._seen
        brain = self._door.enter(Principal.operator())
        newest = await brain.audit(limit=1)
        if newest.items and newest.items[0].event_id != self._newest:
            self._seen = await self._read(self._door, brain)
            self._newest = newest.items[0].event_id
        return self._seen

    async def _read(self, door: BrainDoor, brain: Brain) -> Json:
        audit = await brain.audit(limit=_ACTS)
        known = await whole(brain.agents)
        names = {agent.slice: agent.display or agent.id for agent in known}
        for act in audit.items:
            person = _for(act)
            if person is not None and _private(act.slice):
                names.setdefault(act.slice, person.capitalize())
        agents = {agent.id: agent.display or agent.id for agent in known}
        minds = {agent.slice: door.enter(Principal.agent(agent.id)) for agent in known}
        yeses = {
            str(act.about["proposal"]): _for(act) or act.author.get("operator")
            for act in audit.items
            if act.act == "proposal.approve" and act.about.get("proposal")
        }
        pending = await brain.proposals(state="pending", limit=_PAGES)
        waiting = Counter(each.slice for each in pending.items)
        return {
            "slices": [
                await self._slice(minds.get(each.slice, brain), each, names.get(each.slice), agents)
                | {"waiting": waiting[each.slice]}
                for each in await whole(brain.slices)
            ],
            "acts": [_act(act, names.get(act.slice), agents, yeses) for act in audit.items],
            "events": f"{_ACTS}+" if audit.next_cursor else str(len(audit.items)),
        }

    async def _slice(self, brain: Brain, entry: SliceEntry, owner: str | None, agents: dict[str, str]) -> Json:
        entries: Sequence[PageEntry] = ()
        kind = kind_of(entry.slice)
        if kind is not None and kind.named and not _private(entry.slice):
            found = await brain.list_pages(slice=entry.slice, limit=_PAGES)
            entries = sorted(found.items, key=lambda page: page.updated_at, reverse=True)[:_ENTRIES]
        return {
            "slice": entry.slice, "kind": entry.kind, "title": entry.title, "readers": entry.readers,
            "owner": owner, "pages": entry.pages, "entries": [_entry(page, agents) for page in entries],
        }  # fmt: skip


def _private(name: str) -> bool:
    """Say whether a slice is a person's own: of these only name, count and time are shown."""
    kind = kind_of(name)
    return kind is None or kind.landing is Landing.PERSON


def _entry(page: PageEntry, agents: dict[str, str]) -> Json:
    person = page.author.on_behalf_of
    yes = page.approver
    return {
        "title": page.title or page.slug,
        "version": page.version,
        "by": agents.get(page.author.agent or "", page.author.agent),
        "for": (person.name or person.user) if person is not None else None,
        "yes": (yes.name or yes.user or yes.operator) if yes is not None else None,
    }


def _act(act: AuditEntry, owner: str | None, agents: dict[str, str], yeses: dict[str, str | None]) -> Json:
    kind = kind_of(act.slice)
    agent = act.author.get("agent")
    return {
        "id": act.event_id, "at": act.at, "slice": act.slice, "kind": kind.kind if kind else "", "owner": owner,
        "act": act.act, "by": agents.get(agent, agent) if agent else act.author.get("operator"), "for": _for(act),
        "yes": yeses.get(str(act.about.get("proposal"))), "why": None if _private(act.slice) else act.about.get("why"),
    }  # fmt: skip


def _for(act: AuditEntry) -> str | None:
    """Return for whom an act was done, by the name people know."""
    person = act.author.get("on_behalf_of") or {}
    name = person.get("name") or person.get("user")
    return str(name) if name else None
