"""Logs on stderr: one JSON line a record, or lines for a person at a terminal; never what people wrote (OP3)."""

from __future__ import annotations

import json
import logging
import re
import sys
import time
from typing import Literal, TextIO

from sliceway.core.context import what_is_done
from sliceway.core.traces import trace_of

Format = Literal["auto", "json", "text"]
_QUIET = ("alembic", "asyncio", "aiohttp", "httpcore", "httpx", "slack_bolt", "slack_sdk", "sqlalchemy")
"""Libraries whose ordinary news is none of an operator's."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


def set_up_logs(level: str, form: Format = "auto", stream: TextIO | None = None) -> None:
    """Send every record at `level` and above to a stream, in place of whatever was set up before.

    :param level: `debug`, `info`, `warning` or `error`. Below debug an error shows as its kind and the lines it came
        from, without its message: a driver's message quotes the row it was about.
    :param form: `auto` is `text` at a terminal and `json` everywhere else.
    :param stream: stderr if absent.
    """
    out = stream if stream is not None else sys.stderr
    handler = logging.StreamHandler(out)
    at_terminal = form == "text" or (form == "auto" and out.isatty())
    handler.setFormatter(TextLines() if at_terminal else JsonLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.NOTSET if level == "debug" else logging.WARNING)


class _Plain(logging.Formatter):
    """What both forms share: times in UTC, and traces without messages."""

    @staticmethod
    def when(record: logging.LogRecord) -> str:
        """Return when it was logged, as RFC 3339 with milliseconds."""
        return f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(record.created))}.{int(record.msecs):03d}Z"

    def trouble(self, record: logging.LogRecord) -> str | None:
        """Return the error of a record: whole at level debug, else without its words."""
        error = record.exc_info[1] if record.exc_info else None
        if error is None or not record.exc_info:
            return None
        if logging.getLogger().isEnabledFor(logging.DEBUG):
            return self.formatException(record.exc_info)
        return trace_of(error)


class JsonLines(_Plain):
    """One JSON object a line: at, level, logger, says, then the ids of what was being done, then the error."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one JSON object."""
        line = {
            "at": self.when(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "says": record.getMessage(),
            **what_is_done(),
        }
        if (trouble := self.trouble(record)) is not None:
            line["error"] = trouble
        return json.dumps(line)


class TextLines(_Plain):
    """A line for a person. Control characters are shown, not obeyed, so that one record stays one line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line, and its error as one more."""
        says = _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", record.getMessage())
        line = f"{self.when(record)} {record.levelname} {record.name}: {says}"
        if about := " ".join(f"{name}={value}" for name, value in what_is_done().items()):
            line = f"{line} [{about}]"
        if (trouble := self.trouble(record)) is not None:
            line = f"{line}\n  {trouble}"
        return line
