"""Pages cut into what a small model can read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sliceway.core.passages import passages, pieces


def test_fr3_a_short_page_is_one_passage_under_its_title() -> None:
    """FR3: a note is one passage; its title stands above it, once."""
    assert passages("Rotation", "It moved to Mondays.") == ("Rotation\nIt moved to Mondays.",)
    assert passages("Rotation", "# Rotation\n\nIt moved.") == ("# Rotation\n\nIt moved.",)


def test_fr3_a_long_page_is_cut_between_paragraphs_then_sentences_then_words() -> None:
    """FR3: passages end at the best place there is, and none is longer than the model reads."""
    first, second = "One two three. " * 3, "Four five six. " * 3
    assert passages("", f"{first}\n\n{second}", longest=13) == (first.strip(), second.strip())
    assert passages("", first.strip(), longest=9) == ("One two three. One two three.", "One two three.")
    assert passages("", "word " * 9, longest=4) == ("word word word word", "word word word word", "word")


@given(st.text(max_size=400), st.integers(1, 40))
def test_fr3_passages_hold_every_letter_and_none_is_too_long(text: str, longest: int) -> None:
    """FR3: nothing of a page is left out of its passages, and each is within what is asked for."""
    found = passages("", text, longest=longest)
    assert "".join("".join(found).split()) == "".join(text.split())
    assert all(pieces(one) <= longest for one in found)
