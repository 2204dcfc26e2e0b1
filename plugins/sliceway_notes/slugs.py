"""What a note is called.

A note's slug is the same when its turn runs again, so that a re-run repeats nothing. It never holds a hash of the text:
that would outlive an erased note and let one guess what it said.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

_FOLDER = "notes"
_KEY_LENGTH = 10
_STEM_LENGTH = 48
_SUBJECT_WORDS = 3
_STEM_WORDS = 4
_TITLE_LENGTH = 60
_WORD = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")
SMALL_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at about be by for from has have i in is it its note of on or our page that the this to was "
        "we were will with you",
    )
)
"""Words that say nothing of what a text is about."""


def slug_for(text: str, turn: str, target: str, *, private: bool) -> str:
    """Return the slug of a note.

    For the team it is made from the first words, so that a later note about the same subject meets the earlier one and
    the card shows what would be replaced. A private note's slug says nothing of it. Any other has a few words and the
    key of its turn.
    """
    key = hashlib.sha256(turn.encode()).hexdigest()[:_KEY_LENGTH]
    shared = target in {"shared", "public"}
    if (private and not shared) or target == "user":
        return f"{_FOLDER}/{key}"
    stem = _stem(text, _SUBJECT_WORDS if shared else _STEM_WORDS)
    if shared:
        return f"{_FOLDER}/{stem or key}"
    return f"{_FOLDER}/{stem}-{key}" if stem else f"{_FOLDER}/{key}"


def title_for(text: str) -> str:
    """Return the first words of the first line that has any."""
    line = " ".join(next(filter(str.strip, text.splitlines()), "").split())
    if len(line) <= _TITLE_LENGTH:
        return line
    head = line[:_TITLE_LENGTH]
    return (head.rsplit(" ", 1)[0] if " " in head else head) + "…"


def _stem(text: str, count: int) -> str:
    """Return the first `count` words that carry meaning, joined; empty where no word is Latin."""
    plain = "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char)).lower()
    chosen = [word for word in _WORD.findall(plain) if word not in SMALL_WORDS][:count]
    return "-".join(chosen)[:_STEM_LENGTH].strip("-_.")
