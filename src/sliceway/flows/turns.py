"""One turn, from the inbox to what is owed for it: who, where, which scope, the agent, its replies."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace

from sliceway.core.cards import Message
from sliceway.core.clock import to_text
from sliceway.core.grants import GrantNote
from sliceway.core.proposals import place_key
from sliceway.core.scope import Scope, origin_of
from sliceway.core.slices import kind_of
from sliceway.core.turn_codec import turn_from_json
from sliceway.core.turns import Command, Lock, PlaceKind, Standing, Turn
from sliceway.flows import one_on_one_words as words
from sliceway.flows.drafts import is_owners, owe_draft
from sliceway.flows.grant_words import note_words, notes_in
from sliceway.flows.names import agent_names
from sliceway.flows.one_on_one import OneOnOne
from sliceway.flows.parts import Parts
from sliceway.flows.replies import owe_reply
from sliceway.flows.standing import scope_now, session_of, turn_now
from sliceway.flows.tools import NOTHING_DONE, TurnTools
from sliceway.flows.trouble import why_words
from sliceway.ports import InboxItem

log = logging.getLogger(__name__)

_SORRY = "I could not finish this, though I tried three times. {why} Please ask me again later."
BUSY = (
    "I am still busy with earlier messages in this thread, so I did not take up your last one. "
    "Please say it again when I have answered those."
)
_BUSY_TOLD_S = 60.0
_FOOTERS = {True: "_Saved only to your private corner._", False: "_Private session: nothing was saved by this._"}


class Turns:
    """Runs turns. A turn that died runs again and is given what it already did (BR6)."""

    def __init__(self, parts: Parts, kick: Callable[[], None], one_on_one: OneOnOne) -> None:
        """Take the ports, what to call when something is owed, and what opens private sessions."""
        self._parts, self._kick, self._one_on_one = parts, kick, one_on_one

    async def run(self, item: InboxItem) -> None:
        """Handle one delivered message.

        :raises SlicewayError: the brain or chat cannot be reached; nothing is lost, the turn runs again.
        """
        parts = self._parts
        turn = await turn_now(parts, turn_from_json(item.payload))
        if turn.speaker is not None and turn.speaker.standing in {Standing.BOT, Standing.GONE}:
            parts.metrics.count("turns_ignored")
            return
        lock = await parts.desk.lock_at(turn.place)
        if lock is not None and not await self._heard(turn, lock):
            return
        turn = replace(turn, lock=lock)
        turn, scope, _ = await scope_now(parts, turn)
        parts.metrics.count("turns")
        if lock is not None and words.is_end(turn.text):
            await parts.desk.unlock(turn.place)
            await owe_reply(parts, turn, scope, 0, words.ENDED)
            self._kick()
            return
        if (asked := words.asked_for(turn)) is not None and turn.speaker is not None:
            command = Command(turn.key, words.NAME, asked, turn.speaker, turn.place, names=turn.names)
            await self._one_on_one.run(command, again=item.attempts > 0)
            return
        if lock is None and turn.place.kind is PlaceKind.IM:
            await self._tell_lapsed(turn, scope)
        origin = origin_of(turn, scope)
        done = await parts.brain.done_in(turn=turn.key, origin=origin) if item.again else NOTHING_DONE
        turn = replace(turn, names={**await agent_names(parts), **turn.names})
        tools = TurnTools(parts, turn, scope, done)
        await self._respond(turn, scope, tools)
        await self._remember(turn, tools)

    async def _heard(self, turn: Turn, lock: Lock) -> bool:
        """Say whether the speaker is the owner of the thread's lock; others are dropped silently and counted (OO4)."""
        if turn.speaker is None or turn.speaker.key != lock.owner.key:
            self._parts.metrics.count("foreign_in_lock")
            return False
        idle_until = self._parts.clock() + self._parts.config.idle_after
        await self._parts.desk.touch(turn.place, idle_until=to_text(idle_until))
        return True

    async def _tell_lapsed(self, turn: Turn, scope: Scope) -> None:
        """Tell the owner of a session that was idle too long that it has ended; what they say now is said in a plain
        direct message (OO3)."""
        lapsed = await self._parts.desk.lapsed_at(turn.place)
        if lapsed is None:
            return
        if turn.speaker is not None and lapsed.owner.key == turn.speaker.key:
            await owe_reply(self._parts, turn, scope, "lapsed", words.LAPSED)
            self._kick()
        await self._parts.desk.unlock(turn.place)

    async def _respond(self, turn: Turn, scope: Scope, tools: TurnTools) -> None:
        """Let the agent answer, each reply owed as it comes."""
        index = said = 0
        shown: set[str] = set()
        async for reply in self._parts.agent.respond(turn, tools):
            text, grant = reply.text, _unshown(tools, shown)
            if grant is not None:
                text = text if "standing yes" in text else f"{text}\n{note_words(grant)}"
            if turn.lock is not None:
                text = _with_footer(text, scope, tools, said)
                said = len(tools.receipts)
            await self._owe_drafts(turn, tools)
            await owe_reply(self._parts, turn, scope, index, text, grant=grant.id if grant is not None else None)
            index += 1
            self._kick()
        while (grant := _unshown(tools, shown)) is not None:
            await owe_reply(self._parts, turn, scope, f"grant/{grant.id}", note_words(grant), grant=grant.id)

    async def _owe_drafts(self, turn: Turn, tools: TurnTools) -> None:
        """Owe the speaker a look at each draft, in the private thread (AP23); at what is for their own corner too, in
        their direct messages."""
        for proposal in tools.proposals_made:
            if turn.speaker is not None and is_owners(proposal, turn.speaker):
                private = turn.place.kind is PlaceKind.IM
                place = turn.place if private else await self._parts.chat.open_dm(turn.speaker)
                await owe_draft(self._parts, proposal, turn.speaker, place)

    async def _remember(self, turn: Turn, tools: TurnTools) -> None:
        """Note a turn that changed something, and tell the observers."""
        await self._owe_drafts(turn, tools)
        self._kick()
        if turn.speaker is not None and (tools.receipts or tools.proposals_made):
            await self._parts.desk.note_turn(session_of(turn), turn.speaker, turn.key)
        await self._parts.hooks.turn_done(turn, tuple(tools.receipts), tuple(tools.proposals_made))

    async def too_busy(self, item: InboxItem) -> None:
        """Tell the speaker, once a minute, that a message was not taken since too many wait in its thread."""
        turn = await turn_now(self._parts, turn_from_json(item.payload))
        speaker = turn.speaker
        if speaker is None or not turn.addressed or speaker.standing in {Standing.BOT, Standing.GONE}:
            return
        lock = await self._parts.desk.lock_at(turn.place)
        if lock is not None and lock.owner.key != speaker.key:
            return
        self._parts.metrics.count("turns_refused_busy")
        told = f"busy {place_key(turn.place)} {'/'.join(speaker.key)}"
        if await self._parts.desk.lease(told, holder=item.key, lease_s=_BUSY_TOLD_S):
            await self._parts.chat.say_privately(turn.place, speaker, Message(BUSY))

    async def apologise(self, item: InboxItem, error: Exception) -> None:
        """Owe the speaker a word about a turn that failed too often."""
        turn = await turn_now(self._parts, turn_from_json(item.payload))
        lock = await self._parts.desk.lock_at(turn.place)
        turn, scope, _ = await scope_now(self._parts, replace(turn, lock=lock))
        if scope.case != "SC3":
            await owe_reply(self._parts, turn, scope, "sorry", _SORRY.format(why=why_words(error)))
            self._kick()


def _unshown(tools: TurnTools, shown: set[str]) -> GrantNote | None:
    """Return a grant that the turn wrote under and that no reply has shown yet; it counts as shown from now (AP16)."""
    note = next((note for id, note in notes_in(tools.receipts).items() if id not in shown), None)
    if note is not None:
        shown.add(note.id)
    return note


def _with_footer(text: str, scope: Scope, tools: TurnTools, said: int) -> str:
    """Return an answer in a private session with where it was saved, unless it says so itself (OO6)."""
    new = tools.receipts[said:]
    corner = scope.corner or ""
    kind = kind_of(corner)
    names = (corner, "private corner", kind.title if kind is not None else corner)
    if any(name and name in text for name in names):
        return text
    return f"{text}\n{_FOOTERS[bool(new)]}"
