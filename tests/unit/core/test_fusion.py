"""Words and meaning in one score."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sliceway.core.fusion import LEAST, fuse, stands_out, words_count


class Pages:
    """What pages mean, by hand."""

    def __init__(self, values: Mapping[int, float]) -> None:
        self._values = values

    def of(self, docs: Sequence[int]) -> Sequence[float]:
        """See `Meant.of`."""
        return [self._values.get(doc, 0.0) for doc in docs]

    def passage(self, doc: int) -> int:
        """See `Meant.passage`."""
        return 0

    def nearest(self, count: int, among: Collection[int] | None) -> Sequence[tuple[int, float]]:
        """See `Meant.nearest`."""
        listed = [one for one in self._values.items() if among is None or one[0] in among]
        return sorted(listed, key=lambda one: (-one[1], one[0]))[:count]


@pytest.mark.parametrize(("best", "possible", "apart", "least", "most"), [
    (0, 10, 0, 0, 0), (5, 0, 0, 0, 0), (1, 10, 0.1, 0, 0.1), (2.8, 10, 0.1, 0.49, 0.51), (5, 10, 0.1, 0.95, 1),
    (2.8, 10, 0.2, 0, 0.2), (2.8, 10, 0, 0.8, 1), (5, 10, 0.2, 0.8, 1),
])  # fmt: skip
def test_fr3_words_count_by_how_much_of_the_question_they_answer(
    best: float, possible: float, apart: float, least: float, most: float
) -> None:
    """FR3: nothing where no word is found, half at the middle, all where the best page has half of what there could
    be; less where one page means much more than the next, but never little where words answer half."""
    assert least <= words_count(best, possible, apart) <= most


@pytest.mark.parametrize(("means", "apart"), [
    ([], 0), ([0.7], 0), ([0.7, 0.65], 0.05), ([0.7] + [0.6] * 7 + [0.1], 0.1), ([0.7] * 8 + [0.1], 0),
    ([0.9, 0.1], 0.2),
])  # fmt: skip
def test_fr3_a_page_stands_out_among_the_next(means: list[float], apart: float) -> None:
    """FR3: by what passes the seventh after it, whatever is farther off; where eight mean the same, by nothing."""
    assert stands_out(means) == pytest.approx(apart)


def test_fr3_meaning_wins_where_words_answer_little_and_words_where_they_answer_much() -> None:
    """FR3: a stray common word does not push aside what means the same, and what means something does not push aside
    the very words."""
    meant = {"a": Pages({1: 0.1, 2: 0.6})}
    stray = fuse({"a": {1: 1.0}}, 10.0, meant, quota=5).scores["a"]
    named = fuse({"a": {1: 6.0}}, 10.0, meant, quota=5).scores["a"]
    assert stray[2] > stray[1]
    assert named[1] > named[2]


def test_fr3_what_means_next_to_nothing_is_no_answer() -> None:
    """FR3: without a word of the question a page needs some meaning; with one it is an answer all the same."""
    found = fuse({"a": {1: 5.0}}, 10.0, {"a": Pages({1: 0.0, 2: LEAST / 2, 3: LEAST})}, quota=5)
    assert set(found.scores["a"]) == {1, 3}


def test_fr4_only_what_passes_is_found_by_meaning() -> None:
    """FR4: what the filters leave out takes no place of the quota; a slice where nothing passes has none."""
    meant = {"a": Pages({1: 0.9, 2: 0.8, 3: 0.7}), "b": Pages({4: 0.9})}
    found = fuse({}, 0.0, meant, quota=1, among={"a": {3}})
    assert {name: set(each) for name, each in found.scores.items()} == {"a": {3}, "b": set()}


@given(
    st.dictionaries(st.integers(0, 20), st.floats(0.1, 9)), st.dictionaries(st.integers(0, 20), st.floats(0, 1)),
    st.integers(1, 8), st.integers(0, 8),
)  # fmt: skip
def test_fr11_the_score_of_a_page_does_not_depend_on_how_many_are_asked_for(
    scores: dict[int, float], values: dict[int, float], quota: int, more: int
) -> None:
    """FR11 FR4: a longer answer begins with the shorter: the best `quota` of a slice are the same, with the same
    scores, for any longer one."""

    def best(count: int) -> list[tuple[float, int]]:
        found = fuse({"a": scores}, 10.0, {"a": Pages(values)}, quota=count).scores["a"]
        return sorted(((-score, doc) for doc, score in found.items()))

    short, long = best(quota)[:quota], best(quota + more)[:quota]
    assert [score for score, _ in short] == [score for score, _ in long]
