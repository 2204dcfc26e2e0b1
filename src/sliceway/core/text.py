"""Text as people and indexes meet it: folded, escaped, cut honestly, the invisible made visible."""

from __future__ import annotations

import re
import unicodedata

_DROPPED = dict.fromkeys((0x200B, 0x2060, 0xFEFF, 0x00AD))


def fold(text: str) -> str:
    """Return the key form of a text: NFKC, case folded, zero-width characters dropped, white space made one.

    It never empties a text that has visible characters and never encodes to ASCII; `ı`, ZWJ and ZWNJ stay.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    kept = re.sub("(?<=i)\u0307", "", folded).translate(_DROPPED)
    return " ".join(kept.split())
