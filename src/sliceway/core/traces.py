"""An error as a log may show it: what it is and where it came from, never its message: that may quote people."""

from __future__ import annotations

import traceback

_DEEPEST = 5


def trace_of(error: BaseException) -> str:
    """Return an error and what it came from, each as its type and the line that raised it (OP3).

    A driver's message quotes the row it was about, a validator's the input it refused; so no message is shown here.
    Whoever needs it turns on debug, where the whole trace is logged beside this.
    """
    parts: list[str] = []
    next_one: BaseException | None = error
    while next_one is not None and len(parts) < _DEEPEST:
        parts.append(f"{type(next_one).__name__}{_place(next_one)}")
        hidden = None if next_one.__suppress_context__ else next_one.__context__
        next_one = next_one.__cause__ or hidden
    return " from ".join(parts)


def _place(error: BaseException) -> str:
    """Return where an error was raised: the last two folders of the file, and the line."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return ""
    last = frames[-1]
    return f" at {'/'.join(last.filename.replace(chr(92), '/').split('/')[-2:])}:{last.lineno}"
