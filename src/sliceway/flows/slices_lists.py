"""The lists of `/slices`: what waits for a decision, one's own requests, the standing yeses (AP18, AP26, AP15, R42).

Each is made anew whenever it is shown, as its person may see it at that moment.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from sliceway.core.card_lists import PER_MESSAGE, item_of_grant, item_of_requester, item_to_decide
from sliceway.core.cards import Button, Item, Message, button_value
from sliceway.core.policy import Policy, is_manager, may_decide
from sliceway.core.principals import Origin
from sliceway.core.proposals import Proposal, State
from sliceway.core.scope import Scope
from sliceway.core.turns import Person, Place
from sliceway.flows import slices_words as words
from sliceway.flows.drafts import origin_of_owner
from sliceway.flows.grant_words import revoke_button
from sliceway.flows.grants import grants_of
from sliceway.flows.names import agent_names
from sliceway.flows.parts import Parts

INBOX, OWN, GRANTS = "inbox", "own", "grants"
"""The names of the lists. Where a part does not begin with the first entry, a slash follows and the id of the entry
before it."""
_PAGE = 200


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: what it is ordered by, and what is shown."""

    id: str
    item: Item


@dataclass(frozen=True, slots=True)
class View:
    """Who looks, where, and what the policy and the scope there are."""

    who: Person
    place: Place
    policy: Policy
    scope: Scope


class SlicesLists:
    """Makes the lists, and the messages that show a part of one."""

    def __init__(self, parts: Parts) -> None:
        """Take the ports."""
        self._parts = parts

    async def entries(self, name: str, view: View) -> list[Entry]:
        """Return all entries of a list as its person may see them now, in the order of their ids; of a list that this
        place does not show, none."""
        if view.scope.case == "SC1":
            return []
        made = {INBOX: self._inbox, OWN: self._own, GRANTS: self._grants}
        found = await made[name](view) if name in made else []
        return sorted(found, key=lambda one: one.id)

    def message(self, name: str, entries: list[Entry], *, after: str = "") -> Message | None:
        """Return what shows a part of a list, None where nothing is left of it.

        :param entries: the whole list. :param after: the id of the entry before the part.
        """
        left = [one for one in entries if one.id > after]
        if not left:
            return None
        shown, more = left[:PER_MESSAGE], len(left) - PER_MESSAGE
        buttons = (Button("more", f"Show more ({more} left)", button_value(shown[-1].id, 1)),) if more > 0 else ()
        return Message(
            words.heading(name, len(entries)),
            items=tuple(one.item for one in shown),
            buttons=buttons if name == INBOX else (),
            name=f"{name}/{after}" if after else name,
        )

    def messages(self, name: str, entries: list[Entry]) -> list[Message]:
        """Return what shows a list at first: of the inbox its beginning, of another all of it."""
        made: list[Message] = []
        after = ""
        while (message := self.message(name, entries, after=after)) is not None:
            made.append(message)
            if name == INBOX:
                break
            after = [one.id for one in entries if one.id > after][: len(message.items)][-1]
        return made

    async def _inbox(self, view: View) -> list[Entry]:
        """Return what the person may decide."""
        names, now = await agent_names(self._parts), self._parts.clock()
        return [
            Entry(one.id, item_to_decide(one, view.policy, now, agent_name=names.get(one.agent)))
            async for one in self._pending(None)
            if self._decides(view, one)
        ]

    async def _own(self, view: View) -> list[Entry]:
        """Return what the person asked for themselves and cannot decide; their drafts in private alone (AP26)."""
        private, who = view.scope.private, view.who
        origin = origin_of_owner(who, view.place) if private else Origin(person=who, place=view.place)
        now = self._parts.clock()
        return [
            Entry(one.id, item_of_requester(one, view.policy, now))
            async for one in self._pending(origin, drafts=private)
            if one.requested_by is not None and one.requested_by.is_same(who) and not self._decides(view, one)
        ]

    async def _grants(self, view: View) -> list[Entry]:
        """Return the standing yeses that the person may take back (AP15)."""
        who = view.who
        return [
            Entry(grant.id, item_of_grant(grant, revoke_button(grant)))
            async for grant in grants_of(self._parts)
            if is_manager(view.policy, who) or grant.granted_by.is_same(who) or grant.writer.is_same(who)
        ]

    async def _pending(self, origin: Origin | None, *, drafts: bool = False) -> AsyncIterator[Proposal]:
        """Yield what waits, as far as this origin may see it."""
        for state in (State.PENDING, State.DRAFT) if drafts else (State.PENDING,):
            cursor: str | None = None
            while True:
                listed = await self._parts.brain.proposals(state=state.value, limit=_PAGE, cursor=cursor, origin=origin)
                for one in listed:
                    yield one
                if (cursor := listed.next_cursor) is None:
                    break

    def _decides(self, view: View, proposal: Proposal) -> bool:
        """Say whether the person may decide a proposal through this gateway."""
        relays = self._parts.config.decides
        return relays and may_decide(view.policy, proposal.slice, view.who, proposal.requested_by) is None
