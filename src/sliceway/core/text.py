"""Text as people and indexes meet it: folded, cut honestly, the invisible made visible."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

_DROPPED = dict.fromkeys((0x200B, 0x2060, 0xFEFF, 0x00AD))
_ZWJ, _ZWNJ, _VS15, _VS16 = "\u200d", "\u200c", "\ufe0e", "\ufe0f"
_BIDI = frozenset({"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"})
_MARKS = frozenset({"\u200e", "\u200f", "\u061c"})
_BLANK_NAMES = re.compile(r"FILLER|VARIATION SELECTOR|GRAPHEME JOINER|PATTERN BLANK|VOWEL INHERENT")
_JOINING = frozenset(
    [
        "ARABIC",
        "SYRIAC",
        "MONGOLIAN",
        "DEVANAGARI",
        "BENGALI",
        "GURMUKHI",
        "GUJARATI",
        "ORIYA",
        "TAMIL",
        "TELUGU",
        "KANNADA",
        "MALAYALAM",
        "SINHALA",
        "KHMER",
        "MYANMAR",
        "TIBETAN",
    ]
)
"""Scripts in which a joiner or non-joiner between two letters is spelling, not hiding."""
_LOOK_ALIKE = frozenset(
    [
        "LATIN",
        "GREEK",
        "CYRILLIC",
        "ARMENIAN",
        "CHEROKEE",
        "COPTIC",
        "LISU",
        "GLAGOLITIC",
        "GOTHIC",
        "DESERET",
        "FULLWIDTH",
        "MATHEMATICAL",
    ]
)
"""Scripts and styles whose letters pass for one another's."""
_SYMBOL_LETTERS = frozenset(["MU", "OMEGA", "DELTA", "PI", "LAMBDA", "SIGMA", "THETA", "PHI"])
"""Greek letters that stand for units and quantities beside Latin ones, and look like none of them."""
_WORD = re.compile(r"[^\W\d_]+(?:[^\W_]|[\u0300-\u036f])*")
_LONGEST_RUN = 512
_FLOOD = re.compile(rf"[^\w\s\x00-\x7f]{{{_LONGEST_RUN + 1},}}")
_LINE_FROM, _WORD_FROM = 0.6, 0.7
_LONGEST_GRAPHEME = 64
_LONGEST_ESCAPE = 10


def compatible(text: str) -> str:
    """Return `text` in NFKC.

    Marks are put in order by moving each past those before it, which takes minutes where a text holds nothing else;
    so a run of more than 512 of them, which is no writing, is ordered in parts.
    """
    if text.isascii() or _FLOOD.search(text) is None:
        return unicodedata.normalize("NFKC", text)
    parts = []
    done = 0
    for match in _FLOOD.finditer(text):
        parts.append(text[done : match.start()])
        parts.extend(text[at : at + _LONGEST_RUN] for at in range(match.start(), match.end(), _LONGEST_RUN))
        done = match.end()
    return "".join(unicodedata.normalize("NFKC", part) for part in [*parts, text[done:]])


def fold(text: str) -> str:
    """Return the key form of a text: NFKC, case folded, zero-width characters dropped, white space made one.

    It never empties a text that has visible characters and never encodes to ASCII; `ı`, ZWJ and ZWNJ stay.
    """
    folded = compatible(compatible(text).casefold())
    kept = re.sub("(?<=i)\u0307", "", folded).translate(_DROPPED)
    return " ".join(kept.split())


def visible(text: str) -> tuple[str, tuple[str, ...]]:
    """Return `text` with what a reader would not see, or would mistake, written out as `‹U+202E›`, and a warning for
    each kind of it (AP4).

    Written out are control characters other than tab and line break, characters that change the direction of reading,
    invisible ones, and within one word the letters of another script that pass for the rest's. What is spelling
    stays: joiners in scripts that join, and in emoji.
    """
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text, ()
    text = text.replace("\r\n", "\n")
    strange = _look_alikes(text)
    strange.update((at, kind) for at in range(len(text)) if (kind := _hidden_kind(text, at)) is not None)
    if not strange:
        return text, ()
    shown = "".join(code_point(char) if at in strange else char for at, char in enumerate(text))
    return shown, _warnings(text, strange)


def code_point(char: str) -> str:
    """Return how a character is written out."""
    return f"‹U+{ord(char):04X}›"


def _hidden_kind(text: str, at: int) -> str | None:
    """Return in what way the character at `at` hides, None where a reader sees it."""
    char = text[at]
    category = unicodedata.category(char)
    if char in "\n\t" or category in {"Zs", "Ll", "Lu", "Nd"}:
        return None
    if category == "Cc":
        return "control"
    if char in _MARKS or unicodedata.bidirectional(char) in _BIDI:
        return "direction-changing"
    if category in {"Cf", "Cs", "Co", "Cn", "Zl", "Zp"} or _BLANK_NAMES.search(unicodedata.name(char, "")):
        return None if _is_spelling(text, at) else "invisible"
    return None


def _is_spelling(text: str, at: int) -> bool:
    """Say whether a joiner or variation selector stands where a script or an emoji needs it."""
    char, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if char in _VS15 + _VS16:
        return before != "" and (unicodedata.category(before) in {"So", "Sm", "Po"} or before in "0123456789#*")
    if char == _ZWJ and before and after and unicodedata.category(after) == "So":
        return before == _VS16 or unicodedata.category(before) in {"So", "Sk"}
    if char in _ZWJ + _ZWNJ and before and after:
        return _script(before) in _JOINING and _script(after) in _JOINING
    return False


def _script(char: str) -> str:
    """Return the script of a letter by its Unicode name."""
    return unicodedata.name(char, "").partition(" ")[0]


def _look_alikes(text: str) -> dict[int, str]:
    """Return where, within one word, letters of another script stand that pass for those of the word's own."""
    found: dict[int, str] = {}
    for match in _WORD.finditer(text):
        if match[0].isascii():
            continue
        scripts = {match.start() + at: _confusable_script(char) for at, char in enumerate(match[0])}
        counts = Counter(script for script in scripts.values() if script)
        if len(counts) < 2:
            continue
        own = max(counts, key=lambda script: (counts[script], script == "LATIN"))
        found.update((at, "look-alike") for at, script in scripts.items() if script and script != own)
    return found


def _confusable_script(char: str) -> str | None:
    """Return the script of a letter that could pass for one of another script, else None."""
    if not char.isalpha():
        return None
    words = unicodedata.name(char, "").split()
    if not words or words[0] not in _LOOK_ALIKE or (words[0] == "GREEK" and words[-1] in _SYMBOL_LETTERS):
        return None
    return words[0]


def _warnings(text: str, strange: dict[int, str]) -> tuple[str, ...]:
    """Return one line for each kind of strange character, with how many and which."""
    lines = []
    for kind in ("control", "direction-changing", "invisible", "look-alike"):
        chars = [text[at] for at in sorted(strange) if strange[at] == kind]
        if chars:
            which = ", ".join(unicodedata.name(char, "unnamed") for char in dict.fromkeys(chars[:3]))
            number = f"{len(chars)} {kind} character{'s' if len(chars) > 1 else ''}"
            lines.append(f"The text holds {number}, written out like {code_point(chars[0])} ({which}).")
    return tuple(lines)


def cut(text: str, limit: int) -> tuple[str, str | None]:
    """Return as much of `text` as fits, and in words how much is hidden, None where nothing is.

    The end is a line's where one is near, else a word's, else between two graphemes; never inside a `‹U+…›`.

    :param limit: characters (code points) to keep at most, 1 or more; the words are not counted.
    """
    if len(text) <= limit:
        return text, None
    end = _boundary(text, limit)
    return text[:end].rstrip("\n"), f"… {size_words(len(text[end:].encode('utf-8', 'surrogatepass')))} more"


def pieces(text: str, limit: int) -> list[str]:
    """Return a text in pieces, each ended as `cut` ends one, that together are all of it but for the line breaks where
    it was divided; none for no text.

    :param limit: characters of each piece at most, 1 or more.
    """
    found = []
    while text:
        shown, hidden = cut(text, limit)
        found.append(shown or text[:limit])
        text = text[len(found[-1]) :].removeprefix("\n") if hidden else ""
    return found


def _boundary(text: str, limit: int) -> int:
    """Return the best place at or before `limit` to end a text."""
    line = text.rfind("\n", int(limit * _LINE_FROM), limit + 1)
    if line > 0:
        return line
    word = max(text.rfind(space, int(limit * _WORD_FROM), limit + 1) for space in (" ", "\t"))
    if word > 0:
        return word
    opened = text.rfind("‹U+", max(0, limit - _LONGEST_ESCAPE), limit)
    if opened > 0 and "›" not in text[opened:limit]:
        return opened
    end = limit
    while end > max(1, limit - _LONGEST_GRAPHEME) and _continues(text, end):
        end -= 1
    return limit if _continues(text, end) else end


def _continues(text: str, at: int) -> bool:
    """Say whether the character at `at` belongs to the grapheme before it."""
    char, before = text[at], text[at - 1]
    if unicodedata.category(char)[0] == "M" or char in _ZWJ + _ZWNJ or before == _ZWJ:
        return True
    if "EMOJI MODIFIER" in unicodedata.name(char, "") or (before, char) == ("\r", "\n"):
        return True
    if not _is_regional(char) or not _is_regional(before):
        return False
    first = at
    while first > 0 and _is_regional(text[first - 1]):
        first -= 1
    return (at - first) % 2 == 1


def _is_regional(char: str) -> bool:
    """Say whether a character is half of a flag."""
    return 0x1F1E6 <= ord(char) <= 0x1F1FF


def size_words(size: int) -> str:
    """Return a number of bytes as people read it: `1 byte`, `812 bytes`, `4.1 kB`, `1.2 MB`."""
    if size < 1000:
        return f"{size} byte{'' if size == 1 else 's'}"
    return f"{size / 1000:.1f} kB" if size < 999_950 else f"{size / 1_000_000:.1f} MB"
