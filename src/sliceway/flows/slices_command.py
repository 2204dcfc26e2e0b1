"""`/slices`: what a place reads and writes and why, what waits, the standing yeses, and trust (AP18, AP26, SC7, R42).

The asker alone is shown it, and nothing in it counts or names what they may not see.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace

from sliceway.core.card_lists import PER_MESSAGE, item_of_grant, item_of_requester, item_to_decide
from sliceway.core.cards import Button, Item, Message, button_value
from sliceway.core.policy import Policy, is_external_place, is_manager, may_decide
from sliceway.core.principals import Origin
from sliceway.core.proposals import Proposal, State
from sliceway.core.scope import Scope, scope_for
from sliceway.core.slices import agent_slice
from sliceway.core.turns import Click, Command, Person, Place, PlaceKind, Trust, Turn
from sliceway.errors import ChatError, Forbidden
from sliceway.flows import slices_words as words
from sliceway.flows.drafts import origin_of_owner
from sliceway.flows.grant_words import revoke_button
from sliceway.flows.grants import grants_of
from sliceway.flows.lines import owe_line
from sliceway.flows.names import agent_names
from sliceway.flows.parts import Parts
from sliceway.flows.standing import person_now, place_now, policy_now
from sliceway.flows.trouble import why_words

log = logging.getLogger(__name__)

ACTIONS = frozenset({"more", "trust"})
"""What is pressed or submitted in what `/slices` shows, beside decisions and Revoke."""
_PAGE = 200


class SlicesCommand:
    """Answers `/slices`, and what is pressed in its answer."""

    def __init__(self, parts: Parts, kick: Callable[[], None]) -> None:
        """Take the ports, and what to call when something is owed."""
        self._parts, self._kick = parts, kick

    async def run(self, command: Command) -> None:
        """Carry out the command."""
        who = await person_now(self._parts, command.by)
        place = await place_now(self._parts, command.place)
        match command.text.strip().casefold():
            case "":
                await self._show(command.key, who, place)
            case "trust":
                await self._ask_trust(command, who, place)
            case "untrust":
                await self._set_trust(command.key, who, place, Trust.UNKNOWN)
            case _:
                await self._tell(place, who, Message(words.HELP))

    async def click(self, click: Click) -> None:
        """Carry out what was pressed: the next entries, or the trust that a form asked for."""
        who, place = await person_now(self._parts, click.by), await place_now(self._parts, click.place)
        if click.action == "trust":
            await self._set_trust(click.key, who, place, Trust.TRUSTED)
            return
        policy = await policy_now(self._parts, place)
        if not is_external_place(policy, place):
            await self._inbox(who, place, policy, after=click.proposal)

    async def failed(self, command: Command, error: Exception) -> None:
        """Tell the person that their command failed, after it did so too often."""
        await self._tell(command.place, command.by, Message(words.FAILED.format(why=why_words(error))))

    async def _show(self, key: str, who: Person, place: Place) -> None:
        """Show the place, then what waits and the standing yeses; in a place shared outside, the place alone."""
        policy = await policy_now(self._parts, place)
        scope = scope_for(Turn(key, self._parts.agent_id, who, place), policy)
        await self._tell(place, who, Message(words.of_place(scope, policy, who, place)))
        if scope.case == "SC1":
            return
        await self._inbox(who, place, policy)
        await self._own(who, place, policy, scope)
        await self._grants(who, place, policy)

    async def _inbox(self, who: Person, place: Place, policy: Policy, *, after: str = "") -> None:
        """Show who may decide a part of what waits for them, the oldest first, with what decides it (R42).

        :param after: the id of the entry shown last; what waits is listed in the order it was asked.
        """
        waiting = [one async for one in self._pending(None) if self._decides(policy, who, one)]
        if not waiting:
            if after or is_manager(policy, who):
                await self._tell(place, who, Message(words.NOTHING_WAITS))
            return
        left = sorted((one for one in waiting if one.id > after), key=lambda one: one.id)
        names, now = await agent_names(self._parts), self._parts.clock()
        shown = left[:PER_MESSAGE]
        items = [item_to_decide(one, policy, now, agent_name=names.get(one.agent)) for one in shown]
        more = len(left) - len(shown)
        buttons = (Button("more", f"Show more ({more} left)", button_value(shown[-1].id, 1)),) if more else ()
        heading = f"*Waiting for your decision* ({len(waiting)})"
        await self._tell(place, who, Message(heading, items=tuple(items), buttons=buttons))

    async def _own(self, who: Person, place: Place, policy: Policy, scope: Scope) -> None:
        """Show the person what they asked for themselves and cannot decide; their drafts in private alone (AP26)."""
        origin = origin_of_owner(who, place) if scope.private else Origin(person=who, place=place)
        now = self._parts.clock()
        mine = [
            one
            async for one in self._pending(origin, drafts=scope.private)
            if one.requested_by is not None and one.requested_by.is_same(who) and not self._decides(policy, who, one)
        ]
        items = [item_of_requester(one, policy, now) for one in mine]
        await self._lists("*You asked for, and it waits*", who, place, items)

    async def _grants(self, who: Person, place: Place, policy: Policy) -> None:
        """Show the standing yeses that the person may take back (AP15)."""
        concerned = [
            grant
            async for grant in grants_of(self._parts)
            if is_manager(policy, who) or grant.granted_by.is_same(who) or grant.writer.is_same(who)
        ]
        items = [item_of_grant(grant, revoke_button(grant)) for grant in concerned]
        await self._lists("*Standing yeses*", who, place, items)

    async def _lists(self, heading: str, who: Person, place: Place, items: Sequence[Item]) -> None:
        """Show entries in as many messages as they need."""
        for start in range(0, len(items), PER_MESSAGE):
            await self._tell(place, who, Message(heading, items=tuple(items[start : start + PER_MESSAGE])))

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

    async def _ask_trust(self, command: Command, who: Person, place: Place) -> None:
        """Open the form that says what trust means, for a manager (SC7)."""
        if (why := await self._why_not(command.key, who, place)) is not None:
            await self._tell(place, who, Message(why))
            return
        try:
            if command.trigger is None:
                raise ChatError("There is no trigger.", reason="no_trigger")
            await self._parts.chat.open_form(command.trigger, words.trust_form(place))
        except ChatError as error:
            log.warning("the form for %s did not open (%s)", command.key, error.reason)
            await self._tell(place, who, Message(words.AGAIN))

    async def _set_trust(self, key: str, who: Person, place: Place, trust: Trust) -> None:
        """Set a channel's trust for a manager; the brain checks again, and records it."""
        why = await self._why_not(key, who, place)
        if why is None:
            try:
                await self._parts.brain.set_trust(team=place.team, channel=place.channel, trust=trust.value, by=who)
            except Forbidden as error:
                why = error.detail
        if why is not None:
            await self._tell(place, who, Message(why))
            return
        await self._tell(place, who, Message(words.now_trusted(trust)))
        if trust is Trust.TRUSTED:
            await owe_line(self._parts, replace(place, thread=None), words.trusted(who), key=f"trusted/{key}")
            self._kick()

    async def _why_not(self, key: str, who: Person, place: Place) -> str | None:
        """Return why this person may not change the trust of this place, None where they may; a refusal is recorded.

        A place that was shared with others and is no more may be trusted anew: that is how it returns (SC7).
        """
        policy = await policy_now(self._parts, place)
        if place.external or place.team not in policy.teams:
            why = words.SHARED_OUT
        elif place.kind is PlaceKind.IM:
            return words.NOT_HERE
        elif not is_manager(policy, who):
            why = words.NOT_A_MANAGER
        else:
            return None
        self._parts.metrics.count("commands_refused")
        origin, mind = (
            Origin(person=who, place=place if place.channel else None, turn=key),
            agent_slice(self._parts.agent_id),
        )
        await self._parts.brain.report_denial(op="trust", slice=mind, origin=origin, reason=why[:200])
        return why

    def _decides(self, policy: Policy, who: Person, proposal: Proposal) -> bool:
        """Say whether a person may decide a proposal through this gateway."""
        relays = self._parts.config.decides
        return relays and may_decide(policy, proposal.slice, who, proposal.requested_by) is None

    async def _tell(self, place: Place, who: Person, message: Message) -> None:
        """Show something to the person alone."""
        try:
            await self._parts.chat.say_privately(place, who, message)
        except ChatError as error:
            log.warning("%s cannot be shown what they asked for (%s)", who.user, error.reason)
