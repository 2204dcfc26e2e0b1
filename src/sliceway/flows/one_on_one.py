"""`/1on1`: a private session in a direct-message thread that belongs to one person (OO1-OO7)."""

from __future__ import annotations

import logging
from collections.abc import Callable

from sliceway.core.cards import Message
from sliceway.core.clock import to_text
from sliceway.core.policy import is_outside
from sliceway.core.turn_codec import turn_to_json
from sliceway.core.turns import Command, Lock, Person, Place, PlaceKind, Turn
from sliceway.errors import ChatError
from sliceway.flows.parts import Parts
from sliceway.flows.posting import say_once
from sliceway.flows.standing import person_now, place_now
from sliceway.flows.trouble import why_words
from sliceway.ports.inbound import TURN

log = logging.getLogger(__name__)

NAME = "1on1"
GREETING = (
    "Private session, saved only to your slice. What you tell me in this thread goes to your private corner; nobody "
    "else finds it there, no manager either. Any of the team's agents may use it in your own private sessions; each "
    "entry names the agent that saved it. Say `end` here, or `/1on1 end`, when you are done."
)
ENDED = "The private session has ended. What you saved stays in your private corner."
NOTHING_TO_END = "You have no private session that is open."
NOT_FOR_YOU = "Private sessions are for members of the team, so none was opened."
FAILED = "I could not finish this, though I tried three times. {why} Please type the command again later."
UNKNOWN_COMMAND = (
    "I do not know that command. There is `/1on1 [text]`, and `/1on1 end`. Slack takes neither in a thread; there say "
    "`!1on1 [text]`, or `1on1 [text]` after mentioning me."
)
_LINK_LABEL = "Open the private session"
_ALOUD = frozenset({"!1on1", "/1on1"})
_END_WORDS = frozenset({"end", "/1on1 end", "!1on1 end", "1on1 end"})


def is_end(text: str) -> bool:
    """Say whether a message in a private session ends it."""
    return " ".join(text.casefold().split()).rstrip(".!") in _END_WORDS


def asked_aloud(turn: Turn) -> Command | None:
    """Return the command that a message stands for, None where it stands for none: Slack has no slash commands in
    threads (OO2). `1on1` alone needs the mention that only a message outside direct messages has."""
    word, _, rest = " ".join(turn.text.split()).partition(" ")
    asks = word.casefold() in _ALOUD or (word.casefold() == NAME and turn.place.kind is not PlaceKind.IM)
    if turn.speaker is None or not asks:
        return None
    text = turn.text.strip()[len(word) :].strip() if rest else ""
    return Command(turn.key, NAME, text, turn.speaker, turn.place)


class OneOnOne:
    """Opens and ends private sessions. Only their owner does either here (OO5)."""

    def __init__(self, parts: Parts, kick: Callable[[], None]) -> None:
        """Take the ports, and what to call when a turn waits in the inbox."""
        self._parts, self._kick = parts, kick

    async def run(self, command: Command, *, again: bool) -> None:
        """Carry out a command.

        :param again: whether an earlier try died, so that what it posted has to be looked for.
        """
        who = await person_now(self._parts, command.by)
        if command.name != NAME:
            await self._tell(command, who, Message(UNKNOWN_COMMAND))
        elif is_end(command.text):
            await self._end(command, who, again=again)
        elif is_outside(await self._parts.brain.policy(), who):
            self._parts.counts["commands_refused"] += 1
            await self._tell(command, who, Message(NOT_FOR_YOU))
        else:
            await self._open(command, who, again=again)

    async def _open(self, command: Command, who: Person, *, again: bool) -> None:
        """Open the thread, give it to the person, and begin there with the text (OO1)."""
        parts, now = self._parts, self._parts.clock()
        dm = await parts.chat.open_dm(who)
        root = await say_once(parts, dm, Message(GREETING), key=f"{command.key}/greeting", attempts=int(again))
        place = Place(dm.surface, dm.team, dm.channel, root.message, PlaceKind.IM)
        began = await place_now(parts, command.place) if command.place.kind is not PlaceKind.IM else None
        idle_until = to_text(now + parts.config.idle_after)
        await parts.desk.lock(Lock(who, place, began, since=to_text(now), idle_until=idle_until))
        if command.text.strip():
            turn = Turn(f"{command.key}/turn", "", who, place, text=command.text.strip(), raw=command.text)
            await parts.desk.put_event(
                key=turn.key,
                queue=f"{place.team}/{place.channel}/{place.thread}",
                kind=TURN,
                payload=turn_to_json(turn),
            )
            self._kick()
        if command.place.channel != dm.channel:
            link = await parts.chat.link(root)
            said = "Your private session is open in your direct messages with me."
            await self._tell(command, who, Message(said, link=(_LINK_LABEL, link) if link is not None else None))
        parts.counts["one_on_ones"] += 1

    async def _end(self, command: Command, who: Person, *, again: bool) -> None:
        """End the person's own sessions, and say so in each thread and to them (OO5)."""
        ended = await self.end_all(who)
        for lock in ended:
            key = f"{command.key}/ended/{lock.place.thread}"
            await say_once(self._parts, lock.place, Message(ENDED), key=key, attempts=int(again))
        await self._tell(command, who, Message(ENDED if ended or again else NOTHING_TO_END))

    async def failed(self, command: Command, error: Exception) -> None:
        """Tell the person that their command failed, after it did so too often."""
        await self._tell(command, command.by, Message(FAILED.format(why=why_words(error))))

    async def end_all(self, who: Person) -> tuple[Lock, ...]:
        """End every session of a person, and return them."""
        locks = await self._parts.desk.locks(who)
        for lock in locks:
            await self._parts.desk.unlock(lock.place)
        return locks

    async def _tell(self, command: Command, who: Person, message: Message) -> None:
        """Show something to the person alone, where they typed."""
        try:
            await self._parts.chat.say_privately(command.place, who, message)
        except ChatError as error:
            log.warning("who typed %s cannot be told where (%s)", command.key, error.reason)
