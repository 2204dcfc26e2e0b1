"""What commands share: telling the person alone, and the answer to a command that nobody knows."""

from __future__ import annotations

import logging

from sliceway.core.cards import Message
from sliceway.core.turns import Command, Person
from sliceway.errors import ChatError
from sliceway.flows.parts import Parts

log = logging.getLogger(__name__)

UNKNOWN_COMMAND = "I do not know that command. There are `/1on1` and `/slices`, each with `help`; in threads, `!1on1`."


async def tell(parts: Parts, command: Command, who: Person, message: Message) -> None:
    """Show something to the person alone, where they typed."""
    try:
        await parts.chat.say_privately(command.place, who, message)
    except ChatError as error:
        log.warning("who typed %s cannot be told where (%s)", command.key, error.reason)


async def unknown_command(parts: Parts, command: Command) -> None:
    """Say that there is no such command, and what there is."""
    await tell(parts, command, command.by, Message(UNKNOWN_COMMAND))
