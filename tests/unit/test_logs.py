"""What a log line holds, and what it never does (OP3)."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest

from sliceway.cli.logs import Format, set_up_logs
from sliceway.core.context import doing

SECRET = "the merger is on Friday"


@pytest.fixture
def out() -> Iterator[io.StringIO]:
    """A stream, and the logging of before afterwards."""
    root, quiet = logging.getLogger(), logging.getLogger("alembic")
    before = (root.handlers[:], root.level, quiet.level)
    yield io.StringIO()
    root.handlers[:], level, quiet_level = before[0], before[1], before[2]
    root.setLevel(level)
    quiet.setLevel(quiet_level)


def fail() -> None:
    """Log an error whose message quotes somebody."""
    try:
        raise ValueError(SECRET)
    except ValueError:
        logging.getLogger("sliceway.test").exception("it broke")


def test_op3_a_record_is_one_json_line_with_the_ids_of_its_work(out: io.StringIO) -> None:
    """OP3: away from a terminal a record is one JSON object with what was being done; outside of it, without."""
    set_up_logs("info", "auto", out)
    with doing(turn="T1/C1/5.0"), doing(request="r-1"):
        logging.getLogger("sliceway.test").info("done\nand more")
    logging.getLogger("sliceway.test").info("idle")
    first, second = (json.loads(line) for line in out.getvalue().splitlines())
    assert (first["says"], first["turn"], first["request"], first["level"]) == (
        "done\nand more",
        "T1/C1/5.0",
        "r-1",
        "info",
    )
    assert "turn" not in second


@pytest.mark.parametrize("form", ["json", "text"])
def test_op3_the_message_of_an_error_is_shown_at_debug_only(out: io.StringIO, form: Format) -> None:
    """OP3: below debug an error is its kind and where it came from, since its message may quote people."""
    set_up_logs("info", form, out)
    fail()
    assert "ValueError at unit/test_logs.py" in out.getvalue()
    assert SECRET not in out.getvalue()
    set_up_logs("debug", form, out)
    fail()
    assert SECRET in out.getvalue()


def test_op3_one_record_is_one_line_for_a_person_too(out: io.StringIO) -> None:
    """OP3: control characters are shown, so that nobody can forge a line or colour a terminal."""
    set_up_logs("info", "text", out)
    with doing(click="c-1"):
        logging.getLogger("sliceway.test").warning("a\nb \x1b[31mred")
    assert out.getvalue().count("\n") == 1
    assert "a\\x0ab \\x1b[31mred [click=c-1]" in out.getvalue()


def test_op3_libraries_are_quiet_at_info(out: io.StringIO) -> None:
    """OP3: what alembic tells of every start is not in the log at info, its warnings are."""
    set_up_logs("info", "json", out)
    logging.getLogger("alembic.runtime").info("Context impl SQLiteImpl.")
    logging.getLogger("alembic.runtime").warning("odd")
    assert [json.loads(line)["says"] for line in out.getvalue().splitlines()] == ["odd"]
