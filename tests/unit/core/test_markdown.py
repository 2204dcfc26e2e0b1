"""Markdown files as pages: front matter read strictly, links kept, nothing guessed (BR9, BR5)."""

from __future__ import annotations

from typing import Any

import pytest

from sliceway.core.markdown import Links, Unusable, fields_of, front_matter, slug_of, slugs_of
from sliceway.core.pages import wikilinks

FRONT: list[tuple[str, dict[str, Any]]] = [
    ("title: The rota\ntags: [ops, '#on-call', ops]\nkind: runbook\ndate: 2026-05-04\n", {
        "title": "The rota", "tags": ("ops", "on-call", "date:2026-05-04"), "kind": "runbook", "summary": None,
    }),
    ("tags: a, b ,\nauthor: somebody else\n", {"title": None, "tags": ("a", "b"), "kind": None, "summary": None}),
    ("title: 2026\nkind: no\n", {"title": "2026", "tags": (), "kind": "no", "summary": None}),
    ("title:\n", {"title": None, "tags": (), "kind": None, "summary": None}),
    ("# nothing but a comment\n", {"title": None, "tags": (), "kind": None, "summary": None}),
]  # fmt: skip


@pytest.mark.parametrize(("front", "fields"), FRONT)
def test_front_matter_gives_title_tags_kind_and_date(front: str, fields: dict[str, Any]) -> None:
    """BR5: what is there is taken as it is written: no type is guessed, and other names say nothing."""
    for newline in ("\n", "\r\n"):
        given, body = front_matter(f"---\n{front}---\n# Body\n".replace("\n", newline))
        assert fields_of(given) == fields
        assert body == f"# Body{newline}"


@pytest.mark.parametrize(
    "front",
    [
        "title: 'no end\n", "title: [a\n", "- a\n- b\n", "just words\n", "title: {a: b}\n", "tags: {a: b}\n",
        "tags: [[a]]\n", "date: soon\n", "a: &x [1]\nb: *x\n", "title: a\ntitle: b\n", "[" * 5000, "title: \x01\n",
        "a: " + "x" * 20_000 + "\n", "a: b\n--- # c\nd: e\n",
    ],
)  # fmt: skip
def test_front_matter_that_is_wrong_is_refused_in_words(front: str) -> None:
    """BR5: broken YAML, wrong values, repeated names and references make no page, and the reason is said."""
    with pytest.raises(Unusable) as refused:
        fields_of(front_matter(f"---\n{front}---\nbody")[0])
    assert str(refused.value).startswith("its ")


def test_front_matter_without_an_end_is_refused_and_a_rule_is_none() -> None:
    """BR5: a `---` that is never closed is no page; one further down is text."""
    with pytest.raises(Unusable, match="no end"):
        front_matter("---\ntitle: x\n")
    assert front_matter("text\n---\nmore") == ({}, "text\n---\nmore")
    assert front_matter("----\ntext") == ({}, "----\ntext")


def test_slugs_are_the_paths_and_two_that_meet_are_told_apart() -> None:
    """BR8: a path is one slug, whatever its spelling; the second file that would be the same page is named."""
    assert slug_of("Ops/On Call – Rota.md") == "ops/on-call-rota"
    assert slug_of("Überblick.MARKDOWN") == "uberblick"
    assert slug_of("ch/当番.md").startswith("ch/page-")
    assert slug_of("v1.2/notes.md") == "v1.2/notes"
    with pytest.raises(Unusable):
        slug_of("x/" * 150 + "y.md")
    found, wrong = slugs_of(["B.md", "a b.md", "a-b.md"])
    assert found == {"B.md": "b", "a b.md": "a-b"}
    assert list(wrong) == ["a-b.md"]


LINKS = Links({"index.md": "index", "ops/rota.md": "ops/rota", "ops/Team A.md": "ops/team-a", "x/one.md": "x/one",
               "y/one.md": "y/one"})  # fmt: skip
REWRITTEN = [
    ("see [the rota](rota.md#today)", "see [[ops/rota|the rota]]"),
    ("[up](../index.md), [a](Team%20A.md \"T\")", "[[index|up]], [[ops/team-a|a]]"),
    ("[out](../../etc/passwd.md) [web](https://x.y/rota.md) ![pic](rota.md)", None),
    ("[[rota]] [[Team A]] [[Team A|them]]", "[[ops/rota|rota]] [[ops/team-a|Team A]] [[ops/team-a|them]]"),
    ("[[index#top]] [[one]] [[x/one]]", "[[index|index#top]] [[one]] [[x/one]]"),
    ("[[nowhere]] [[../../etc]]", None),
    ("`[[rota]]` and ``[a](rota.md)``", None),
    ("```\n[[rota]]\n```\n[[rota]]", "```\n[[rota]]\n```\n[[ops/rota|rota]]"),
    ("~~~ md\n```\n[[rota]]\n~~~~\n[[ops/rota]]", "~~~ md\n```\n[[rota]]\n~~~~\n[[ops/rota]]"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), REWRITTEN)
def test_br9_links_between_files_are_links_between_pages(text: str, wanted: str | None) -> None:
    """BR9: wiki links and relative links to files of the folder become links; what leads out of it, or is code, is
    left as it is."""
    made = LINKS.rewritten("ops/today.md", text)
    assert made == (text if wanted is None else wanted)
    assert not any("etc" in slug for slug in wikilinks(made))
