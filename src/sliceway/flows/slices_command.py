"""`/slices`: what a place reads and writes and why, what waits, the standing yeses, and trust (AP18, AP26, SC7, R42).

The asker alone is shown it, and nothing in it counts or names what they may not see.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from sliceway.core.cards import Message, button_value
from sliceway.core.policy import is_manager
from sliceway.core.principals import Origin
from sliceway.core.scope import scope_for
from sliceway.core.slices import agent_slice
from sliceway.core.traces import trace_of
from sliceway.core.turns import Click, Command, Person, Place, PlaceKind, ShownList, Trust, Turn
from sliceway.errors import ChatError, Forbidden
from sliceway.flows import slices_words as words
from sliceway.flows.commands import tell_at, tell_direct, tell_there
from sliceway.flows.lines import owe_line
from sliceway.flows.parts import Parts
from sliceway.flows.slices_lists import GRANTS, INBOX, OWN, SlicesLists, View
from sliceway.flows.standing import person_now, place_now, policy_now
from sliceway.flows.trouble import trouble_of, why_words

log = logging.getLogger(__name__)

ACTIONS = frozenset({"more", "trust"})
"""What is pressed or submitted in what `/slices` shows, beside decisions and Revoke."""


class SlicesCommand:
    """Answers `/slices`, and what is pressed in its answer."""

    def __init__(self, parts: Parts, kick: Callable[[], None]) -> None:
        """Take the ports, and what to call when something is owed."""
        self._parts, self._kick = parts, kick
        self._lists = SlicesLists(parts)

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
                await self._tell(command.key, place, who, Message(words.HELP))

    async def click(self, click: Click) -> None:
        """Carry out what was pressed: the next entries, or the trust that a form asked for."""
        who, place = await person_now(self._parts, click.by), await place_now(self._parts, click.place)
        if click.action == "trust":
            await self._set_trust(click.key, who, place, Trust.TRUSTED)
            return
        view = await self._view(click.key, who, place)
        entries = await self._lists.entries(INBOX, view)
        message = self._lists.message(INBOX, entries, after=click.proposal) or self._lists.message(INBOX, entries)
        if message is not None or view.scope.case != "SC1":
            await self._tell(click.key, place, who, message or Message(words.NOTHING_WAITS))

    async def put_anew(self, click: Click) -> None:
        """Show the list that was pressed as it is now, unless what was pressed still stands in it: then nothing came of
        the press yet, and the address to answer to, which holds for a few answers only, is kept for later (AP11).

        What chat does not take is only logged: the person was told already what came of the press.
        """
        if click.shown is not None and (trouble := await trouble_of(self._put_anew(click, click.shown))) is not None:
            log.info("the list that %s pressed is not put anew: %s", click.key, trace_of(trouble))

    async def _put_anew(self, click: Click, shown: ShownList) -> None:
        """Show the list as it is now."""
        who, place = await person_now(self._parts, click.by), await place_now(self._parts, click.place)
        name, _, after = shown.name.partition("/")
        view = await self._view(click.key, who, place)
        entries = await self._lists.entries(name, view)
        pressed = button_value(click.proposal, click.revision)
        if any(button.value == pressed for one in entries for button in one.item.buttons):
            return
        message = self._lists.message(name, entries, after=after) or self._lists.message(name, entries)
        await self._parts.chat.put_anew(shown.reply, message or Message(words.nothing_left(name)))

    async def failed(self, command: Command, error: Exception) -> None:
        """Tell the person that their command failed, after it did so too often."""
        await self._tell(command.key, command.place, command.by, Message(words.FAILED.format(why=why_words(error))))

    async def _show(self, key: str, who: Person, place: Place) -> None:
        """Show the place, then what waits and the standing yeses; in a place shared outside, the place alone."""
        view = await self._view(key, who, place)
        message = Message(words.of_place(view.scope, view.policy, who, place))
        if not await tell_there(self._parts, place, who, message, key=key):
            await tell_direct(self._parts, who, Message(words.ABSENT), key=key)
            return
        if view.scope.case == "SC1":
            return
        for name in (INBOX, OWN, GRANTS):
            messages = self._lists.messages(name, await self._lists.entries(name, view))
            if not messages and name == INBOX and is_manager(view.policy, who):
                messages = [Message(words.NOTHING_WAITS)]
            for message in messages:
                await self._tell(key, place, who, message)

    async def _view(self, key: str, who: Person, place: Place) -> View:
        """Return how a person looks at a place now."""
        policy = await policy_now(self._parts, place)
        return View(who, place, policy, scope_for(Turn(key, self._parts.agent_id, who, place), policy))

    async def _ask_trust(self, command: Command, who: Person, place: Place) -> None:
        """Open the form that says what trust means, for a manager (SC7)."""
        if (why := await self._why_not(command.key, who, place)) is not None:
            await self._tell(command.key, place, who, Message(why))
            return
        try:
            if command.trigger is None:
                raise ChatError("There is no trigger.", reason="no_trigger")
            await self._parts.chat.open_form(command.trigger, words.trust_form(place))
        except ChatError as error:
            log.warning("the form for %s did not open (%s)", command.key, error.reason)
            await self._tell(command.key, place, who, Message(words.AGAIN))

    async def _set_trust(self, key: str, who: Person, place: Place, trust: Trust) -> None:
        """Set a channel's trust for a manager; the brain checks again, and records it."""
        why = await self._why_not(key, who, place)
        if why is None:
            try:
                await self._parts.brain.set_trust(team=place.team, channel=place.channel, trust=trust.value, by=who)
            except Forbidden as error:
                why = error.detail
        if why is not None:
            await self._tell(key, place, who, Message(why))
            return
        await self._tell(key, place, who, Message(words.now_trusted(trust)))
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

    async def _tell(self, key: str, place: Place, who: Person, message: Message) -> None:
        """Show something to the person alone."""
        await tell_at(self._parts, place, who, message, key=key)
