"""The work that a text may cause is bounded, whatever it holds (BR5)."""

from __future__ import annotations

import random
import time
import unicodedata
from collections.abc import Callable

import pytest

from sliceway.core import analysis
from sliceway.core.analysis import words
from sliceway.core.diffs import line_diff
from sliceway.core.pages import MAX_CONTENT, Author
from sliceway.core.text import compatible, fold

_AUTHOR = Author("ada", None, None, "local")
_MANY = MAX_CONTENT // 4


def _terms(content: str) -> object:
    return analysis.page_terms(
        slug="s", title="t", content=content, summary=None, tags=(), author=_AUTHOR, at="2026-05-04T09:30:00"
    )


def _alternate(lines: int) -> str:
    return "\n".join("xy"[at % 2] for at in range(lines))


FLOODS: dict[str, Callable[[], object]] = {
    "marks out of order": lambda: _terms("a" + "\u0301\u0316" * _MANY),
    "humps": lambda: _terms("aB" * (MAX_CONTENT // 2)),
    "joined words": lambda: _terms("a/" * (MAX_CONTENT // 2)),
    "dates": lambda: _terms("4 may 4 " * (MAX_CONTENT // 8)),
    "markup": lambda: _terms("<a:b<a&l" * (MAX_CONTENT // 8)),
    "two lines over and over": lambda: line_diff(_alternate(10_000), "x\n" * 199),
    "the same, the other way": lambda: line_diff("x\n" * 199, _alternate(10_000)),
    "blank lines": lambda: line_diff("\n" * 1400, "\n" * 1390),
}


@pytest.mark.parametrize("flood", FLOODS)
def test_br5_a_flood_is_no_more_work_than_a_text(flood: str) -> None:
    """BR5: a page made to be slow is analysed and compared in less than four seconds of work; unbounded, each of the
    first and the fourth took from six seconds to a quarter of a minute."""
    began = time.thread_time()
    FLOODS[flood]()
    assert time.thread_time() - began < 4


def test_fa_fold_is_nfkc_for_every_name_and_title() -> None:
    """FR6: what bounds the work changes no text as long as a name, a title or a query."""
    rng = random.Random(7)
    marks = [chr(code) for code in range(0x300, 0x370)]
    for _ in range(50):
        text = "é" + "".join(rng.choices(marks, k=500))
        assert compatible(text) == unicodedata.normalize("NFKC", text)
    assert fold("ﬁ Å") == "fi å"


def test_br10_long_words_are_not_kept_in_memory() -> None:
    """BR10: the terms of a word as long as a page are made anew, not remembered beside thousands of others."""
    words._known_in.cache_clear()
    _terms("/".join(f"a{at}" for at in range(30_000)))
    assert words._known_in.cache_info().currsize < 100


def test_ap4_a_diff_with_common_lines_still_shows_what_changed() -> None:
    """AP4: lines that stand everywhere join their neighbours, and the diff shows the change alone."""
    before = "\n".join(f"{at}\n" for at in range(200))
    after = before.replace("\n100\n", "\nhundred\n")
    assert line_diff(before, after) == ("@@ -199,5 +199,5 @@", " 99", " ", "-100", "+hundred", " ", " 101")
