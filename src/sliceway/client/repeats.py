"""Which calls may be made again, and after what: the one table of it (CL1).

A call that surely was not taken (no connection, 429) is always made again. One whose answer was lost may have been
carried out, and so may one that a 503 came back for: what stands in front of a server says it too. Such a call is made
again only where twice is once.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto
from typing import Any


class Repeat(Enum):
    """Why a call whose answer was lost may be made again."""

    FREELY = auto()
    """It reads, or says how something is to be: twice comes to the same as once."""
    BY_REQUEST_ID = auto()
    """It carries a `request_id`, made here where the caller gave none: the brain answers again what it answered."""
    BY_STATE = auto()
    """It moves one proposal out of one revision: the brain refuses the second, and the state tells whose the first
    was."""
    BY_TURN = auto()
    """It is kept once for each turn, where the origin names one; else it is not made again."""
    NEVER = auto()
    """It makes a secret that is shown once: the caller looks what there is and decides."""


class Trouble(Enum):
    """What became of one attempt that brought no answer of the brain's."""

    NOT_SENT = auto()
    """There was no connection."""
    REFUSED = auto()
    """Too many calls; it was not looked at."""
    LOST = auto()
    """It was sent, or may have been, and what came of it is not known."""
    WRONG = auto()
    """The answer is not a brain's, and the next one would not be either."""


REPEATS: Mapping[str, Repeat] = {
    "whoami": Repeat.FREELY,
    "recall": Repeat.FREELY,
    "list_pages": Repeat.FREELY,
    "read_page": Repeat.FREELY,
    "versions": Repeat.FREELY,
    "write_pages": Repeat.BY_REQUEST_ID,
    "delete": Repeat.BY_REQUEST_ID,
    "restore": Repeat.BY_REQUEST_ID,
    "undo": Repeat.BY_REQUEST_ID,
    "erase": Repeat.BY_REQUEST_ID,
    "erase_slice": Repeat.BY_REQUEST_ID,
    "erase_person": Repeat.BY_REQUEST_ID,
    "propose": Repeat.BY_REQUEST_ID,
    "proposals": Repeat.FREELY,
    "proposal": Repeat.FREELY,
    "decide": Repeat.BY_STATE,
    "withdraw": Repeat.BY_STATE,
    "send_draft": Repeat.FREELY,  # a repeat finishes what was begun, and is answered alike (AP23)
    "claim_card": Repeat.FREELY,  # the same holder claims anew
    "card_posted": Repeat.FREELY,  # the same message again is answered alike
    "changes": Repeat.FREELY,
    "grants": Repeat.FREELY,
    "revoke_grant": Repeat.FREELY,  # an ended one is answered as it ended
    "policy": Repeat.FREELY,
    "set_policy": Repeat.FREELY,
    "set_trust": Repeat.FREELY,
    "observe": Repeat.FREELY,
    "report_denial": Repeat.BY_TURN,
    "register": Repeat.FREELY,
    "agents": Repeat.FREELY,
    "alias_agent": Repeat.FREELY,  # what is done already is answered as done
    "rename_agent": Repeat.FREELY,
    "merge_agent": Repeat.FREELY,  # goes on where it was broken off
    "retire_agent": Repeat.FREELY,
    "done_in": Repeat.FREELY,
    "slices": Repeat.FREELY,
    "audit": Repeat.FREELY,
    "head": Repeat.FREELY,
    "verify": Repeat.FREELY,
    "create_token": Repeat.NEVER,
    "tokens": Repeat.FREELY,
    "rotate_token": Repeat.NEVER,
    "revoke_token": Repeat.FREELY,
}
"""Every call of the port; one that is not here cannot be made."""


IF_LOST: Mapping[str, str] = {
    "create_token": "A token may have been made whose secret nobody saw: look for a new one with "
    "'sliceway token list', end it with 'sliceway token revoke ID', then make another.",
    "rotate_token": "The secret may have been changed to one that nobody saw, and the one before is refused then: "
    "rotate it again. 'sliceway token list' says whether the token is still good.",
}
"""What to do where an answer was lost and the call is never made again."""


def may_repeat(call: str, fields: Mapping[str, Any], trouble: Trouble) -> bool:
    """Say whether a call with these fields may be made again after such trouble."""
    if trouble is Trouble.WRONG:
        return False
    if trouble is not Trouble.LOST:
        return True
    why = REPEATS[call]
    if why is Repeat.BY_TURN:
        return bool(fields.get("origin", {}).get("turn"))
    return why is not Repeat.NEVER
