"""What a person wants, read from plain words. What is kept is exactly what stands after the keyword."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from sliceway_notes.table import COURTESY, POINTS_BACK, QUESTION, TABLE

_COURTESIES = 8
"""Courtesies before the keyword that are skipped at most."""


class Want(StrEnum):
    """The things a person can ask for."""

    REMEMBER = "remember"
    RECALL = "recall"
    LIST = "list"
    WHO = "who"
    FORGET = "forget"
    UNDO = "undo"
    WAITING = "waiting"
    WITHDRAW = "withdraw"
    HELP = "help"
    THANKS = "thanks"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Wish:
    """A want and its words. `this`: no words, but `this`, `that` or `it`. `target` is where a note is to land."""

    want: Want
    text: str = ""
    target: str = "mine"
    this: bool = False


def read(text: str) -> Wish:
    """Return what the words ask for; `Want.UNKNOWN` where they ask for nothing known."""
    whole = text.strip()
    levels = [whole]
    while len(levels) <= _COURTESIES:
        said = levels[-1]
        for rule, want, target in TABLE:
            if (match := rule.fullmatch(said)) is not None:
                return _wish(Want(want), target, (match.groupdict().get("rest") or "").strip())
        if (courtesy := COURTESY.match(said)) is None:
            break
        levels.append(said[courtesy.end() :].lstrip())
    question = next((said for said in levels if QUESTION.fullmatch(said)), None)
    return _wish(Want.RECALL, "mine", question) if question is not None else Wish(Want.UNKNOWN, whole)


def _wish(want: Want, target: str, rest: str) -> Wish:
    """Make the wish; a question's mark is no part of what is looked for."""
    if want is Want.REMEMBER:
        this = not rest or POINTS_BACK.fullmatch(rest) is not None
        return Wish(want, "" if this else rest, target, this)
    looked_for = rest.rstrip(" ?!.\n\t")
    if want is Want.WHO:
        looked_for = re.sub(r"\s+from$", "", looked_for, flags=re.IGNORECASE)
    this = not looked_for or POINTS_BACK.fullmatch(looked_for) is not None
    return Wish(want, "" if this else looked_for, this=this)
