"""What is said of private sessions, and how people ask for them (OO1, OO2, OO5, R29). Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import timedelta

from sliceway.core.clock import duration_words
from sliceway.core.scope import Scope
from sliceway.core.slices import SHARED
from sliceway.core.turns import PlaceKind, Turn

NAME = "1on1"
HELP = (
    "A private session is a thread in your direct messages with me; what you say there is saved only to your slice.\n"
    "• `/1on1 [text]` opens one, and begins with the text. It works in a channel and in a direct message; in threads "
    "there are no slash commands, so say `!1on1 [text]` there, or mention me with `1on1 [text]`.\n"
    "• `/1on1 end` ends yours, or `end` in its thread.\n"
    "• `/1on1 release @person` is for managers: it ends that person's sessions and reads nothing."
)
ENDED = "The private session has ended. What you saved stays in your private corner."
LAPSED = (
    "The private session in this thread ended by itself, after a while without a word. I take what you say here as "
    "said in a plain direct message; `!1on1` opens a new session."
)
NOTHING_TO_END = "You have no private session that is open."
NOT_FOR_YOU = "Private sessions are for members of the team, so none was opened."
NOT_A_MANAGER = "Only a manager releases the private session of somebody else; nothing happened."
FAILED = "I could not finish this, though I tried three times. {why} Please type the command again later."
OPENED = "Your private session is open in your direct messages with me."
LINK_LABEL = "Open the private session"
_END_WORDS = frozenset({"end", "/1on1 end", "!1on1 end", "1on1 end"})
_ASKED = re.compile(r"([!/])?1on1(?:\s+(.*))?", re.IGNORECASE | re.DOTALL)


def is_end(text: str) -> bool:
    """Say whether a message in a private session ends it."""
    return " ".join(text.casefold().split()).rstrip(".!") in _END_WORDS


def is_help(text: str) -> bool:
    """Say whether the text of a command asks what there is."""
    return text.strip().casefold().rstrip("?") in {"help", "/1on1 help"}


def asked_for(turn: Turn) -> str | None:
    """Return what a message that asks for a private session says after that, None where it does not ask (OO2).

    `!1on1` asks anywhere, and so does `/1on1` where it comes as words; `1on1` where the message mentions the agent.
    """
    match = _ASKED.fullmatch(turn.text.strip())
    if match is None or not (match[1] or turn.place.kind is not PlaceKind.IM or "<@" in turn.raw):
        return None
    return (match[2] or "").strip()


def released(text: str, names: Mapping[str, str]) -> str | None:
    """Return the id of the person whose sessions `release @person` is to end, None where the text is none such."""
    said = " ".join(text.split())
    for user, name in names.items():
        if said.casefold() in {f"release @{name}".casefold(), f"release @{user}".casefold()}:
            return user
    return None


def greeting(scope: Scope, idle_after: timedelta) -> str:
    """Return what a session begins with: where things are saved, who can read them, what is read, how it ends."""
    reads = "your private corner and what anyone may read; you began this where the team's memory stays shut"
    if SHARED in scope.reads:
        reads = "your private corner, my own notes, the team's knowledge base and what anyone may read"
    return (
        "Private session, saved only to your slice.\n"
        "• *Who can read it:* you alone. Any of the team's agents may use it in your own private sessions; each entry "
        "names the agent that saved it. Nobody else finds it, no manager either. Whoever runs the server holds its "
        "files, and chat keeps this thread like any direct message.\n"
        f"• *What I read here:* {reads}.\n"
        "• *What you ask to share* you see first, word for word, and send or keep.\n"
        "• *How it ends:* say `end` here, or `/1on1 end`; by itself after "
        f"{duration_words(idle_after)} without a word. A manager may end it, and neither reads nor writes in it."
    )


def was_released(by: str) -> str:
    """Return what the owner is told when a manager ended their session."""
    return (
        f"{by}, a manager, ended this private session. They read nothing; what you saved stays in your private corner."
    )


def release_done(whom: str) -> str:
    """Return what the manager is told, the same whether there was a session or not."""
    return f"{whom} has no open private session with me now. You read nothing of it."
