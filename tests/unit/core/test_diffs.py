"""What a text changes, line by line, at any size (AP4)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sliceway.core.diffs import line_diff

TEXTS = st.lists(st.sampled_from(["a", "b", "c", ""])).map("\n".join)


def test_ap4_the_lines_that_differ_are_shown_with_their_surroundings() -> None:
    """AP4: removed and added lines, two unchanged lines around them."""
    assert line_diff("1\n2\n3\n4\n5\n6", "1\n2\n3\nX\n5\n6") == ("@@ -2,5 +2,5 @@", " 2", " 3", "-4", "+X", " 5", " 6")
    assert line_diff("", "new") == ("@@ -0,0 +1 @@", "+new")
    assert line_diff("same", "same") == ()


@given(TEXTS, TEXTS)
def test_ap4_a_diff_is_empty_only_where_no_line_differs(before: str, after: str) -> None:
    """AP4: no change is ever hidden by the comparison."""
    assert (line_diff(before, after) == ()) == (before.splitlines() == after.splitlines())


def test_ap4_texts_too_long_to_compare_are_shown_whole_but_for_their_common_ends() -> None:
    """AP4: a hostile text costs no more than its length, and still shows every line that changes."""
    before = "\n".join(["x"] * 90_000)
    after = "\n".join(["x"] * 50 + ["y"] + ["x"] * 50)
    lines = line_diff(before, after)
    assert sum(line.startswith("-") for line in lines) == 90_000 - 100
    assert [line for line in lines if line.startswith("+")] == ["+y"]
    assert line_diff(before, before) == ()
