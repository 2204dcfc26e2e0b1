"""What a text changes against the one it replaces, line by line (AP4). Pure, and bounded in work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

_MAX_PAIRS = 2_000_000
_MAX_EQUALS = 1000
"""Pairs that one line may make with itself. One that makes more (a blank one, a rule) joins its neighbours instead of
being looked for: comparing every pair of them takes seconds in a text made for it."""
_CONTEXT = 2


def line_diff(before: str, after: str) -> tuple[str, ...]:
    """Return the unified lines, without the two header lines; empty where nothing changes.

    Texts too long to be compared line by line are shown as removed and added whole, but for their common ends.
    """
    old, new = before.splitlines(), after.splitlines()
    if len(old) * len(new) <= _MAX_PAIRS:
        return tuple(_unified(old, new))
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


def _unified(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Give the hunks of a unified diff."""
    olds, news = Counter(old), Counter(new)
    common = {line for line, count in news.items() if count * olds[line] > _MAX_EQUALS}
    matcher = SequenceMatcher(common.__contains__, old, new)
    for steps in matcher.get_grouped_opcodes(_CONTEXT):
        (_, old_from, _, new_from, _), (_, _, old_to, _, new_to) = steps[0], steps[-1]
        yield f"@@ -{_range(old_from, old_to)} +{_range(new_from, new_to)} @@"
        for tag, *(at, end, other, last) in steps:
            if tag == "equal":
                yield from (f" {line}" for line in old[at:end])
                continue
            yield from (f"-{line}" for line in old[at:end])
            yield from (f"+{line}" for line in new[other:last])


def _range(start: int, end: int) -> str:
    """Return a range of lines as unified diffs write it: an empty one names the line before it."""
    length = end - start
    return str(start + 1) if length == 1 else f"{start + 1 if length else start},{length}"
