"""What notes are called: the same for the same turn, silent about private text, meeting where the subject is one."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sliceway.core.pages import MAX_TITLE, check_slug
from sliceway_notes.slugs import slug_for, title_for

TARGETS = ("mine", "user", "shared", "public")


@given(st.text(), st.text(min_size=1), st.sampled_from(TARGETS), st.booleans())
def test_always_a_slug(text: str, turn: str, target: str, private: bool) -> None:
    """Whatever is said in whatever script, the slug is one, and the title is short enough."""
    key = turn.encode("utf-8", "replace").decode()
    slug = slug_for(text, key, target, private=private)
    assert check_slug(slug) == slug
    assert len(title_for(text)) <= min(MAX_TITLE, 61)


def test_same_turn_same_slug() -> None:
    """BR6: a turn that runs again names the same page; another turn names another."""
    assert slug_for("a fact", "k1", "mine", private=False) == slug_for("a fact", "k1", "mine", private=False)
    assert slug_for("a fact", "k1", "mine", private=False) != slug_for("a fact", "k2", "mine", private=False)


@pytest.mark.parametrize("target", ["mine", "user"])
def test_private_slug(target: str) -> None:
    """BR11: a private note's slug holds no word of it, and no slug holds a hash of the text."""
    slug = slug_for("salary is 4000", "k1", target, private=True)
    assert slug == slug_for("something else", "k1", target, private=True)
    assert hashlib.sha256(b"salary is 4000").hexdigest()[:8] not in slug_for(
        "salary is 4000", "k1", "mine", private=False
    )


def test_shared_subject() -> None:
    """A later note about the same subject meets the earlier one, so that the card shows what it would replace."""
    first = slug_for("the on-call rotation moved to Mondays", "k1", "shared", private=False)
    assert first == "notes/on-call-rotation-moved"
    assert slug_for("The on-call rotation moved to Fridays", "k2", "shared", private=True) == first
    assert slug_for("lunch is at noon", "k3", "shared", private=False) != first


def test_title() -> None:
    """The title is the first line with words in it, cut between words."""
    assert title_for("\n\n  short   one \nmore") == "short one"
    cut = title_for("word " * 40)
    assert cut.endswith("word…")
    assert len(cut) <= 61
