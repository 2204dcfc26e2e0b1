"""Whatever JSON an app sends as blocks, it is taken or refused, and never breaks the workspace."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from sliceway.workspace.blocks import check_blocks
from sliceway.workspace.choices import state_of
from sliceway.workspace.elements import KINDS, elements_of
from sliceway.workspace.interactions import action_of
from sliceway.workspace.posting import filled
from sliceway.workspace.view_shapes import check_view

BLOCK_TYPES = ["actions", "context", "divider", "header", "image", "input", "markdown", "rich_text", "section", "x"]
KEYS = [
    *("type", "text", "elements", "element", "accessory", "fields", "block_id", "action_id", "options", "value"),
    *("option_groups", "label", "title", "submit", "confirm", "blocks", "alt_text", "image_url", "initial_option"),
]
scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.text(max_size=3),
    st.sampled_from([*BLOCK_TYPES, *sorted(KINDS), "plain_text", "mrkdwn", "modal", "home"]),
)
junk = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)),
    max_leaves=12,
)
texts = st.one_of(junk, st.just({"type": "plain_text", "text": "x"}))
elements = st.builds(
    lambda kind, more, text: {"text": text, **more, "type": kind},
    st.sampled_from(sorted(KINDS)),
    st.dictionaries(st.sampled_from(KEYS), texts, max_size=3),
    texts,
)
blocks = st.builds(
    lambda kind, more, text, element: {"text": text, "elements": [element], "element": element, **more, "type": kind},
    st.sampled_from(BLOCK_TYPES),
    st.dictionaries(st.sampled_from(KEYS), st.one_of(junk, elements), max_size=3),
    texts,
    st.one_of(texts, elements),
)


@given(st.one_of(junk, st.lists(st.one_of(junk, blocks), max_size=3)))
def test_any_blocks_are_taken_or_refused(sent: Any) -> None:
    """What passes the check can be stored, pressed and read for its state; the rest is refused in words."""
    errors = check_blocks(sent)
    assert all("[json-pointer:/blocks" in error for error in errors)
    if not errors:
        stored = list(filled(sent))
        assert all(block["block_id"] for block in stored)
        state_of(stored)
        for block_id, element in elements_of(stored):
            action_of(element, block_id, "v", "1.0")


@given(st.one_of(junk, st.dictionaries(st.sampled_from([*KEYS, "private_metadata"]), st.one_of(junk, texts))))
def test_any_view_is_taken_or_refused(sent: Any) -> None:
    """A view of any form is a list of problems, or fine; never an exception."""
    assert isinstance(check_view(sent), list)
