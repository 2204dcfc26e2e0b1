"""The one tree of errors: drawn in its docstring, and drawn truly."""

from __future__ import annotations

import inspect
import re

import pytest

from sliceway import errors
from sliceway.errors import ChatError, FieldError, InvalidRequest, SettingsError, SlicewayError

DRAWN = re.compile(
    r"^(?P<lines>[│ ├└─]*)(?P<name>[A-Z]\w+)(?: +(?P<code>[a-z_]+))?(?: +(?P<status>\d{3}))?(?: +\(.*\))?$"
)

CLASSES = {
    name: value for name, value in vars(errors).items() if inspect.isclass(value) and issubclass(value, SlicewayError)
}


def drawn() -> dict[str, tuple[str | None, str | None, int | None]]:
    """Return what the docstring draws: class, and its parent, code and status where they are written."""
    tree: dict[str, tuple[str | None, str | None, int | None]] = {}
    above: list[str] = []
    for line in inspect.getdoc(errors).splitlines():  # type: ignore[union-attr]  # the module has a docstring
        found = DRAWN.match(line.strip(" ") if line.strip().startswith("SlicewayError") else line.removeprefix("    "))
        if found is None or found["name"] not in CLASSES:
            continue
        depth = len(found["lines"]) // 4
        above = [*above[:depth], found["name"]]
        parent = above[depth - 1] if depth else None
        tree[found["name"]] = (parent, found["code"], int(found["status"]) if found["status"] else None)
    return tree


def test_the_tree_is_drawn_as_it_is() -> None:
    """Every class stands in the drawing under its real parent, with its real code and status."""
    tree = drawn()
    assert set(tree) == set(CLASSES)
    for name, (parent, code, status) in tree.items():
        made = CLASSES[name]
        assert made.__bases__[0].__name__ == (parent or "Exception")
        assert code in {None, made.code}, name
        assert status in {None, made.status}, name


def test_every_error_that_is_raised_has_a_code_in_the_drawing() -> None:
    """A class without a written code only groups others, or is told apart by them."""
    tree = drawn()
    groups = {name for name, (_, code, _) in tree.items() if code is None}
    assert groups == {"SlicewayError", "Forbidden", "Conflict", "TooManyRequests", "BootError"}
    assert all(any(parent == name for parent, _, _ in tree.values()) for name in groups)


def test_a_code_means_one_thing() -> None:
    """Each code is written once in the drawing but `unavailable`, and always comes with the same status."""
    tree = drawn()
    codes = [code for name, (_, code, _) in tree.items() if code and name != "StoreUnavailable"]
    assert len(codes) == len(set(codes))
    for made in CLASSES.values():
        assert {other.status for other in CLASSES.values() if other.code == made.code} == {made.status}


@pytest.mark.parametrize("name", sorted(set(CLASSES) - {"SettingsError"}))
def test_the_docstring_is_the_default_message(name: str) -> None:
    """An error raised without words speaks its docstring, on one line; words given replace it."""
    made = CLASSES[name]
    assert str(made()) == made().detail == " ".join((made.__doc__ or "").split())
    assert made().detail.endswith(".")
    assert str(made("Other words.")) == "Other words."


def test_all_that_is_wrong_is_told_together() -> None:
    """CF2: the fields that are wrong are the message, one by one, and stay readable by programs."""
    wrong = [FieldError("a", "blank", "say something"), FieldError("b.c", "too_large", "shorten it")]
    refused = InvalidRequest(errors=wrong)
    assert (refused.detail, refused.errors) == ("a: say something; b.c: shorten it", tuple(wrong))
    assert InvalidRequest("Words first.", wrong).detail == "Words first."
    assert SettingsError(wrong).detail.splitlines() == ["a: say something", "b.c: shorten it"]
    assert SettingsError(wrong).problems == tuple(wrong)


def test_facts_stand_beside_the_code() -> None:
    """A fact that is not known is not there, rather than null."""
    assert SlicewayError("x", state="applied", by=None).facts == {"state": "applied"}
    lost = ChatError(reason="ratelimited", retry_after=3.0, ambiguous=True)
    assert (lost.reason, lost.retry_after, lost.ambiguous, lost.facts) == (
        "ratelimited",
        3.0,
        True,
        {"reason": "ratelimited"},
    )
