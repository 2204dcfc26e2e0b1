"""Cursors: opaque, unforgeable, the same for the same place (BR13, BR16)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sliceway.core.cursors import open_cursor, seal_cursor
from sliceway.errors import InvalidRequest

KEY = b"k" * 32
PLACES = st.recursive(
    st.none() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner),
)


@given(PLACES)
def test_br13_a_cursor_opens_to_the_place_it_was_sealed_for(place: object) -> None:
    """BR13: what is sealed comes back, and the same place is the same text."""
    sealed = seal_cursor(KEY, "list", place)
    assert open_cursor(KEY, "list", sealed) == place
    assert seal_cursor(KEY, "list", place) == sealed


@given(st.text())
def test_br13_what_no_list_gave_is_refused(cursor: str) -> None:
    """BR13: any other text is an error with its field."""
    with pytest.raises(InvalidRequest) as told:
        open_cursor(KEY, "list", cursor, field="after")
    assert told.value.errors[0].field == "after"


def test_br13_a_cursor_is_of_its_list_and_its_store() -> None:
    """BR13: neither another list's nor another store's cursor opens, nor one with a changed letter."""
    sealed = seal_cursor(KEY, "list", {"shared": 7})
    for key, purpose in ((KEY, "other"), (b"x" * 32, "list")):
        with pytest.raises(InvalidRequest):
            open_cursor(key, purpose, sealed)
    for at in range(len(sealed)):
        changed = sealed[:at] + ("A" if sealed[at] != "A" else "B") + sealed[at + 1 :]
        with pytest.raises(InvalidRequest):
            open_cursor(KEY, "list", changed)


def test_br16_a_cursor_of_a_few_slices_always_has_the_same_length() -> None:
    """BR16: how far a sequence has come does not show in the length of the text."""
    assert len({len(seal_cursor(KEY, "list", {"shared": number})) for number in (1, 99, 12_345, 99_999_999)}) == 1
