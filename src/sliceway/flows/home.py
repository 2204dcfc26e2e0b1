"""The agent's home: what somebody sees who opens it, made anew each time (AP18, AP26). Buttons stay in `/slices`."""

from __future__ import annotations

import logging

from sliceway.core.cards import Message
from sliceway.core.policy import is_manager
from sliceway.core.scope import scope_for
from sliceway.core.turns import Person, Place, Turn
from sliceway.errors import ChatError
from sliceway.flows import slices_words as words
from sliceway.flows.parts import Parts
from sliceway.flows.slices_lists import INBOX, OWN, SlicesLists, View
from sliceway.flows.standing import person_now, place_now, policy_now

log = logging.getLogger(__name__)


async def show_home(parts: Parts, key: str, person: Person, direct: Place) -> None:
    """Show somebody what their direct messages read and write and why, and how much waits for them.

    :param direct: their direct message with the agent.
    """
    who, place = await person_now(parts, person), await place_now(parts, direct)
    policy = await policy_now(parts, place)
    view = View(who, place, policy, scope_for(Turn(key, parts.agent_id, who, place), policy))
    lists = SlicesLists(parts)
    counts = {name: len(await lists.entries(name, view)) for name in (INBOX, OWN)}
    said = [words.HOME, words.of_place(view.scope, policy, who, place, heading=words.IN_DIRECT_MESSAGES)]
    if view.scope.case != "SC1":
        said += [words.waits(counts[INBOX], counts[OWN], decides=is_manager(policy, who)), words.HOME_HELP]
    try:
        await parts.chat.show_home(who, Message("\n\n".join(filter(None, said))))
    except ChatError as error:
        log.warning("the home of %s cannot be shown (%s)", who.user, error.reason)
