"""What a text changes against the one it replaces, line by line (AP4). Pure, and bounded in work."""

from __future__ import annotations

from difflib import unified_diff

_MAX_PAIRS = 2_000_000
_CONTEXT = 2


def line_diff(before: str, after: str) -> tuple[str, ...]:
    """Return the unified lines, without the two header lines; empty where nothing changes.

    Texts too long to be compared line by line are shown as removed and added whole, but for their common ends.
    """
    old, new = before.splitlines(), after.splitlines()
    if len(old) * len(new) <= _MAX_PAIRS:
        return tuple(unified_diff(old, new, n=_CONTEXT, lineterm=""))[2:]
    head = 0
    while head < min(len(old), len(new)) and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(new)) - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    removed, added = old[head : len(old) - tail], new[head : len(new) - tail]
    if not removed and not added:
        return ()
    where = f"@@ -{head + 1},{len(removed)} +{head + 1},{len(added)} @@"
    return (where, *(f"-{line}" for line in removed), *(f"+{line}" for line in added))
