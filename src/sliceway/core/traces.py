"""An error as a log may show it: what it is and where it came from, never its message: that may quote people."""

from __future__ import annotations

import traceback

_DEEPEST, _FRAMES = 5, 12


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


def frames_of(error: BaseException) -> str:
    """Return what `trace_of` does, and behind it the way the error came: the last frames of its trace, by file, line
    and function."""
    frames = traceback.extract_tb(error.__traceback__)[-_FRAMES:]
    way = " > ".join(f"{_file(frame)}:{frame.lineno} {frame.name}" for frame in frames)
    return f"{trace_of(error)}; by {way}" if way else trace_of(error)


def _place(error: BaseException) -> str:
    """Return where an error was raised: the last two folders of the file, and the line."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return ""
    return f" at {_file(frames[-1])}:{frames[-1].lineno}"


def _file(frame: traceback.FrameSummary) -> str:
    """Return the last two folders of a frame's file."""
    return "/".join(frame.filename.replace(chr(92), "/").split("/")[-2:])
