"""Text as the index and the query see it (FR6)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sliceway.core.analysis import STOP_WORDS, page_terms, phrase_key, phrases_of, query_terms, terms_of
from sliceway.core.pages import Author
from sliceway.core.snippets import WIDTH, snippet
from sliceway.core.turns import Person


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Deployments deployed", ["deploy", "deploy"]),
        ("build_2301", ["build", "2301", "build_2301"]),
        ("ERR-42", ["err", "42", "err-42"]),
        ("parseHttpHeader", ["pars", "http", "header", "parsehttphead"]),
        ("São Tomé", ["sao", "tome"]),
        ("Straße", ["strass"]),
        ("東京都", ["東", "京", "都", "東京", "京都"]),
        ("don't", ["don"]),
        ("ﬁle №5", ["file", "no5"]),
        ("й и", ["й", "и"]),
        ("… !? —", []),
    ],
)
def test_fr6_terms_of_a_text(text: str, terms: list[str]) -> None:
    """FR6: words by stem, without marks on Latin letters; identifiers in parts and whole; CJK alone and in pairs."""
    assert list(terms_of(text)) == terms


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("what is the rollback target?", ("rollback", "target")),
        ("the who", ("the", "who")),
        ("target target", ("target",)),
        ("the on-call rotation", ("call", "on-call", "rotat")),
        ("is_it", ("is_it",)),
        ("to-do", ("to-do",)),
        ("東京", ("東京",)),
        ("東", ("東",)),
        ("???", ()),
    ],
)
def test_fr6_stop_words_leave_the_query_alone_only_where_others_stay(query: str, terms: tuple[str, ...]) -> None:
    """FR6: stop words leave the query, never the page; a query of nothing else keeps them."""
    assert query_terms(query) == terms


@given(st.text(max_size=80))
def test_fr6_what_is_asked_in_the_very_words_is_found(text: str) -> None:
    """FR6: every term of a query that repeats a page's text is a term of the page."""
    assert set(query_terms(text)) <= set(terms_of(text))


def test_fr5_phrases_are_what_stands_in_quotation_marks() -> None:
    """FR5: straight and typographic marks; compared folded, as titles are."""
    assert phrases_of('say "São  Paulo" and “the Target” but not "') == ("sao paulo", "the target")
    assert phrase_key("  Rollback\tTARGET ") == "rollback target"


def test_fr6_who_said_it_and_when_are_indexed() -> None:
    """FR6: the speaker's and the agent's name and the day are among a page's terms; its slug once."""
    author = Author("ada", None, Person("T1", "U1", name="Ann Lee"), "slack")
    counts = page_terms(
        slug="d/1", title="d/1", content="x", summary=None, tags=("ops",), author=author,
        at="2026-05-04T09:30:00.000000Z",
    )  # fmt: skip
    assert {"ada", "ann", "lee", "2026-05-04", "2026", "op", "d/1", "x"} <= set(counts)
    assert counts["d/1"] == 1
    assert "what" in STOP_WORDS


def test_fr1_a_snippet_is_the_page_s_own_words() -> None:
    """FR1: the stretch with most of the words asked for, on one line, its cuts marked."""
    text = "nothing here at all. " * 40 + "The rollback\ntarget is build 2301. " + "more of nothing. " * 40
    shown = snippet(text, query_terms("rollback target"))
    assert "The rollback target is build 2301." in shown
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert len(shown) <= WIDTH + 4
    assert snippet("short\ntext", ("text",)) == "short text"
