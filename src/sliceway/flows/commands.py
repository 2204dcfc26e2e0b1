"""What commands share: telling the person alone, and the answer to a command that nobody knows."""

from __future__ import annotations

import logging
from dataclasses import replace

from sliceway.core.cards import Message
from sliceway.core.turns import Command, Person, Place
from sliceway.errors import ChatError
from sliceway.flows.parts import Parts

log = logging.getLogger(__name__)

UNKNOWN_COMMAND = "I do not know that command. There are `/1on1` and `/slices`, each with `help`; in threads, `!1on1`."
ABSENT = "You typed that where I am not a member, so I answer you here. I hear nothing there until somebody invites me."
_ABSENT_REASONS = frozenset({"not_in_channel", "channel_not_found"})


async def tell(parts: Parts, command: Command, who: Person, message: Message) -> None:
    """Show something to the person alone, where they typed."""
    await tell_at(parts, command.place, who, message, key=command.key)


async def tell_at(parts: Parts, place: Place, who: Person, message: Message, *, key: str) -> None:
    """Show something to the person alone: in the place, or in their direct messages where the agent is no member of it.

    :param key: of the command or click that this answers, for the log.
    """
    if not await tell_there(parts, place, who, message, key=key):
        await tell_direct(parts, who, replace(message, text=f"{ABSENT}\n{message.text}"), key=key)


async def tell_there(parts: Parts, place: Place, who: Person, message: Message, *, key: str) -> bool:
    """Show something to the person alone in a place; a failure is logged.

    :returns: False where the agent is no member of the place, so that nothing it says can be seen there.
    """
    try:
        await parts.chat.say_privately(place, who, message)
    except ChatError as error:
        log.warning("who typed %s cannot be told where (%s)", key, error.reason)
        return error.reason not in _ABSENT_REASONS
    return True


async def tell_direct(parts: Parts, who: Person, message: Message, *, key: str) -> None:
    """Show something in the person's direct messages with the agent; a failure is logged."""
    try:
        await parts.chat.say_privately(await parts.chat.open_dm(who), who, message)
    except ChatError as error:
        log.warning("who typed %s cannot be told in their direct messages either (%s)", key, error.reason)


async def unknown_command(parts: Parts, command: Command) -> None:
    """Say that there is no such command, and what there is."""
    await tell(parts, command, command.by, Message(UNKNOWN_COMMAND))
