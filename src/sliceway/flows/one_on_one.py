"""`/1on1`: a private session in a direct-message thread that belongs to one person (OO1-OO8)."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from sliceway.core.cards import Message
from sliceway.core.clock import to_text
from sliceway.core.policy import is_manager, is_outside
from sliceway.core.principals import Origin
from sliceway.core.scope import scope_for
from sliceway.core.turn_codec import turn_to_json
from sliceway.core.turns import Command, Lock, Person, Place, PlaceKind, Turn
from sliceway.flows import one_on_one_words as words
from sliceway.flows.commands import tell, tell_there
from sliceway.flows.lines import owe_line
from sliceway.flows.parts import Parts
from sliceway.flows.posting import say_once
from sliceway.flows.standing import person_now, place_now
from sliceway.flows.trouble import why_words
from sliceway.ports.inbound import TURN

log = logging.getLogger(__name__)


class OneOnOne:
    """Opens and ends private sessions. Their owner does either; a manager may release one, no more (OO5)."""

    def __init__(self, parts: Parts, kick: Callable[[], None]) -> None:
        """Take the ports, and what to call when a turn waits in the inbox or something is owed."""
        self._parts, self._kick = parts, kick

    async def run(self, command: Command, *, again: bool) -> None:
        """Carry out a command.

        :param again: whether an earlier try died, so that what it posted has to be looked for.
        """
        who = await person_now(self._parts, command.by)
        if words.is_end(command.text):
            await self._end(command, who, again=again)
        elif words.is_help(command.text):
            await tell(self._parts, command, who, Message(words.HELP))
        elif (user := words.released(command.text, command.names)) is not None:
            await self._release(command, who, Person(who.team, user))
        elif is_outside(await self._parts.brain.policy(), who):
            self._parts.metrics.count("commands_refused")
            await tell(self._parts, command, who, Message(words.NOT_FOR_YOU))
        else:
            await self._open(command, who, again=again)

    async def _open(self, command: Command, who: Person, *, again: bool) -> None:
        """Open the thread, give it to the person, and begin there with the text (OO1)."""
        parts, now = self._parts, self._parts.clock()
        dm = await parts.chat.open_dm(who)
        began = await place_now(parts, command.place) if command.place.kind is not PlaceKind.IM else None
        lock = Lock(who, dm, began, since=to_text(now), idle_until=to_text(now + parts.config.idle_after))
        scope = scope_for(Turn(command.key, parts.agent_id, who, dm, lock=lock), await parts.brain.policy())
        message = Message(words.greeting(scope, parts.config.idle_after))
        root = await say_once(parts, dm, message, key=f"{command.key}/greeting", attempts=int(again))
        place = Place(dm.surface, dm.team, dm.channel, root.message, PlaceKind.IM)
        await parts.desk.lock(replace(lock, place=place))
        if command.text.strip():
            turn = Turn(f"{command.key}/turn", "", who, place, text=command.text.strip(), raw=command.text)
            await parts.desk.put_event(
                key=turn.key,
                queue=f"{place.team}/{place.channel}/",
                kind=TURN,
                payload=turn_to_json(turn),
            )
            self._kick()
        if (command.place.channel, command.place.thread) != (dm.channel, None):
            link = await parts.chat.link(root)
            message = Message(words.OPENED, link=(words.LINK_LABEL, link) if link is not None else None)
            await tell_there(parts, command.place, who, message, key=command.key)
        parts.metrics.count("one_on_ones")

    async def _end(self, command: Command, who: Person, *, again: bool) -> None:
        """End the person's own sessions, and say so in each thread and to them (OO5)."""
        ended = await self.end_all(who, words.ENDED, key=command.key)
        await tell(self._parts, command, who, Message(words.ENDED if ended or again else words.NOTHING_TO_END))

    async def _release(self, command: Command, who: Person, whom: Person) -> None:
        """End somebody else's sessions for a manager, who learns nothing of them; the owner is told by whom."""
        parts, whom = self._parts, await person_now(self._parts, whom)
        if not is_manager(await parts.brain.policy(), who):
            parts.metrics.count("commands_refused")
            place = await place_now(parts, command.place)
            origin = Origin(person=who, place=place, turn=command.key)
            await parts.brain.report_denial(op="release", slice=whom.slice, origin=origin, reason="not a manager")
            await tell(self._parts, command, who, Message(words.NOT_A_MANAGER))
            return
        ended = await self.end_all(whom, words.was_released(who.shown), key=command.key)
        log.info("%s released %d private sessions", who.user, len(ended))
        await tell(self._parts, command, who, Message(words.release_done(whom.shown)))

    async def failed(self, command: Command, error: Exception) -> None:
        """Tell the person that their command failed, after it did so too often."""
        await tell(self._parts, command, command.by, Message(words.FAILED.format(why=why_words(error))))

    async def end_all(self, who: Person, said: str | None = None, *, key: str = "") -> tuple[Lock, ...]:
        """End every session of a person, and return them.

        :param said: what each thread is told; owed before the session ends, so that a crash between loses neither.
        :param key: of what ended them.
        """
        locks = await self._parts.desk.locks(who)
        for lock in locks:
            if said is not None:
                await owe_line(self._parts, lock.place, said, key=f"{key}/ended/{lock.place.thread}")
            await self._parts.desk.unlock(lock.place)
        self._kick()
        return locks
