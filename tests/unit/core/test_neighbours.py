"""Which page stands before which in a conversation, and what neighbours lend each other (FR6)."""

from __future__ import annotations

import pytest

from sliceway.core.neighbours import (
    AFTER,
    BEFORE,
    BEST,
    EARLIER,
    TOGETHER,
    Order,
    Standing,
    befores,
    lend,
    lenders_of,
    order,
    together,
)
from sliceway.core.ranking import Part, Postings, parts, weigh


@pytest.mark.parametrize(
    ("pages", "expected"),
    [
        ([(1, "d/1", None), (2, "d/2", None), (3, "e/1", None), (4, "d/3", None)], {1: None, 2: 1, 3: None, 4: 2}),
        ([(1, "a", None), (2, "b", None)], {1: None, 2: None}),
        ([(1, "a", None), (2, "b", "a"), (3, "c", "a")], {1: None, 2: 1, 3: 1}),
        ([(1, "d/1", None), (2, "d/2", "gone"), (3, "d/3", None)], {1: None, 2: None, 3: 2}),
        ([(1, "a", "b"), (2, "b", "a"), (3, "c", "c")], {1: 2, 2: 1, 3: None}),
        ([(1, "d/1", None), (2, "d/1/x", None), (3, "d/2", None)], {1: None, 2: None, 3: 1}),
    ],
)
def test_fr6_a_neighbour_is_named_or_was_written_before_in_the_folder(
    pages: list[tuple[int, str, str | None]], expected: dict[int, int | None]
) -> None:
    """FR6: `after` says which page it follows, and none where that is not there; without it the folder's order does."""
    assert befores(Standing(*page) for page in pages) == expected


def _order(before: dict[int, int], upto: int) -> Order:
    return order(list(before), list(before.values()), upto)


def _lent(added: list[Part], follows: Order) -> dict[int, float]:
    lenders = lenders_of(range(1, 6), weigh(added)["s"].scores, follows)
    return lend(added, {"s": lenders})["s"]


def test_fr6_what_follows_what_is_told_both_ways() -> None:
    """FR6: from what stands before each page it is known what follows each, and what a page may lend something to: the
    one before it, those that follow it, and those that follow these."""
    follows = _order({2: 1, 3: 2, 4: 3, 5: 3, 7: 6}, 8)
    assert [follows.before[doc] for doc in range(1, 9)] == [-1, 1, 2, 3, 3, -1, 6, -1]
    assert [follows.after(doc) for doc in (1, 3, 5, 8)] == [(2,), (4, 5), (), ()]
    assert [follows.around(doc) for doc in (1, 2, 7, 8)] == [{1, 2, 3}, {1, 2, 3, 4, 5}, {6, 7}, {8}]
    assert follows.before[follows.before[1]] == -1


def test_fr6_a_word_counts_once_where_it_stands_best() -> None:
    """FR6 FR5: a neighbour lends a part of its word's worth to who lacks it, and nothing to who has it as well, so that
    an exact name is passed by none of its neighbours; of many that follow a page, the best alone lends it anything."""
    follows = _order({2: 1, 3: 2, 4: 3, 5: 3}, 5)
    one = parts([Postings("s", "err-42", [1], [1], [9])], 5, 9.0)
    own = weigh(one)["s"].scores[1]
    assert _lent(one, follows) == pytest.approx({2: own * BEFORE, 3: own * EARLIER})
    twice = parts([Postings("s", "x", [4, 5], [1, 2], [9, 9])], 5, 9.0)
    assert _lent(twice, follows) == pytest.approx({3: weigh(twice)["s"].scores[5] * AFTER})
    both = parts([Postings("s", "x", [1, 2], [3, 1], [9, 9])], 5, 9.0)
    assert _lent(both, follows)[2] < weigh(both)["s"].scores[1]


def test_fr6_pages_that_stand_together_speak_for_each_other() -> None:
    """FR6 FR11: each of the best is added a tenth of the best two with words of their own that stand one or two before
    or after it, in its slice; not what stands farther, has no word of the query, or is not among the best."""
    follows = {"s": _order({2: 1, 3: 2, 4: 3, 5: 4}, 200), "t": _order({2: 1}, 200)}
    scores = {"s": {1: 9.0, 2: 7.0, 3: 6.0, 5: 4.0, 9: 1.0}, "t": {1: 8.0}}
    worded = {"s": dict.fromkeys((1, 3, 5, 9), 1.0), "t": {1: 1.0}}
    told = together(scores, worded, follows)
    assert told == {"s": pytest.approx({1: 9 + 6 * TOGETHER, 2: 7 + 15 * TOGETHER, 3: 6 + 13 * TOGETHER, 5: 4.6})}
    crowd = dict.fromkeys(range(100, 99 + BEST), 10.0)
    assert together({"s": scores["s"], "t": crowd}, worded, follows) == {}
