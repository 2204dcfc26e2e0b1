"""Slugs and links between pages (BR9), and what a page weighs."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sliceway.core.pages import Listing, PageDraft, check_slug, wikilinks
from sliceway.core.principals import Principal
from sliceway.core.slices import KINDS, is_aliasable, is_mounted, is_open, kind_of
from sliceway.errors import InvalidAgentId, InvalidRequest, InvalidSlug


@pytest.mark.parametrize("slug", ["a", "d/1", "on-call_2.md", "...", "a..b", "x" * 200, "a/.b", "-", "0"])
def test_slugs(slug: str) -> None:
    """A slug is taken to the letter."""
    assert check_slug(slug) == slug


@pytest.mark.parametrize(
    "slug",
    [
        "",
        "/",
        "a/",
        "/a",
        "a//b",
        ".",
        "..",
        "a/../b",
        "a/.",
        "./a",
        "A",
        "é",
        "a b",
        "a\n",
        "a\0",
        "x" * 201,
        "a\\b",
        "a%2Fb",
        "ａ",
    ],
)
def test_br5_bad_slugs_are_refused(slug: str) -> None:
    """BR5: other characters, too long, empty or dot segments: refused with its code, never mended."""
    with pytest.raises(InvalidSlug) as caught:
        check_slug(slug)
    assert caught.value.code == "invalid_slug"


LINKS = [
    ("see [[on-call]] and [[d/1]]", ("on-call", "d/1")),
    ("[[On Call]] [[on-call]] [[ON   CALL]]", ("on-call",)),
    ("[[d/1|the first day]]", ("d/1",)),
    ("[[ d/1 ]]", ("d/1",)),
    ("[[b]] [[a]] [[b]]", ("b", "a")),
    ("[[]] [[ ]] [[|x]] [[../x]] [[a//b]] [[é]] [[a?]]", ()),
    ("[[a]", ()),
    ("[[a\nb]]", ()),
    ("[[[a]]]", ("a",)),
    ("[[a]][[b]]", ("a", "b")),
    ("[[a|b|c]] [[a|]]", ("a",)),
    ("[[" + "x" * 200 + "]] [[" + "y" * 201 + "]]", ("x" * 200,)),
    ("no links, [one](x) [two]", ()),
]


@pytest.mark.parametrize(("content", "expected"), LINKS)
def test_br9_wikilinks(content: str, expected: tuple[str, ...]) -> None:
    """BR9: `[[…]]` names a slug, once, in order, by its title or with a label; what is no slug is plain text."""
    assert wikilinks(content) == expected


@given(st.text(st.sampled_from("[]|ab /.\n-")))
def test_br9_every_link_is_a_slug(content: str) -> None:
    """BR9: from any text only valid slugs come out, each once."""
    found = wikilinks(content)
    assert len(set(found)) == len(found)
    assert [check_slug(slug) for slug in found] == list(found)


def test_br9_links_take_time_by_the_length_of_the_text() -> None:
    """BR9: a page of brackets alone, as large as pages get, is read in one pass."""
    assert wikilinks("[[" * 131_072) == ()
    assert wikilinks("[[a|" * 65_536) == ()


def test_a_draft_weighs_its_bytes() -> None:
    """A page's size is in bytes of UTF-8."""
    assert PageDraft("a", "é€", title="x").size == 6


def test_a_listing_is_walked_and_read_as_over_http() -> None:
    """A resource is read by attribute or by key, and a list is walked."""
    listing = Listing(("a", "b"), "c")
    assert (list(listing), listing["next_cursor"]) == (["a", "b"], "c")
    for unknown in ("cursor", "__class__", "items()"):
        with pytest.raises(KeyError):
            listing[unknown]


NAMES = [
    # name, kind, open to readers, mounted, aliasable
    ("shared", "shared", True, False, False),
    ("public", "public", True, False, False),
    ("kb-handbook", "kb", True, True, False),
    ("agent-ada", "agent", False, False, True),
    ("agent", "legacy", False, False, True),
    ("user-u1--ewbvfx24d3ih6iha5yci57kafr", "user", False, False, False),
    ("user-ann", "user", False, False, False),
    ("_system", "system", False, False, False),
]


@pytest.mark.parametrize(("name", "kind", "open_", "mounted", "aliasable"), NAMES)
def test_sc15_the_table_of_kinds(name: str, kind: str, open_: bool, mounted: bool, aliasable: bool) -> None:
    """SC15: a name has one kind, and what may be done with it stands in that row."""
    row = kind_of(name)
    assert row is not None
    assert row.kind == kind
    assert (is_open(name), is_mounted(name), is_aliasable(name)) == (open_, mounted, aliasable)
    assert row.named == (kind != "system")


def test_sc15_the_table_is_closed() -> None:
    """SC15: a new kind fails here until its row is written down; no name is of two kinds."""
    assert [row.kind for row in KINDS] == ["shared", "public", "agent", "user", "kb", "legacy", "system"]
    for name, *_ in NAMES:
        assert sum(row.pattern.fullmatch(name) is not None for row in KINDS) == 1


@pytest.mark.parametrize(
    "name",
    ["", "team-x", "Shared", "shared ", "agent-", "user-", "kb-", "agent-A", "agent-ä", "kb-" + "x" * 62, "shared\n"],
)
def test_sc15_other_names_are_of_no_kind(name: str) -> None:
    """SC15: what is spelt otherwise is no slice, and belongs to nobody's open list."""
    assert kind_of(name) is None
    assert not any((is_open(name), is_mounted(name), is_aliasable(name)))


@pytest.mark.parametrize(
    "slices", [["agent-ada"], ["user-x--a"], ["_system"], ["agent"], ["shared", "x"], "shared", [""]]
)
def test_br2_a_reader_reads_open_slices_only(slices: list[str]) -> None:
    """BR2: a reader is made for `shared`, `public` and `kb-…`, given as a list; an empty list is none."""
    with pytest.raises(InvalidRequest):
        Principal.reader(slices)
    assert Principal.reader([]).slices == frozenset()
    assert Principal.reader(["shared", "public", "kb-x"]).slices == {"shared", "public", "kb-x"}


def test_br2_callers() -> None:
    """BR2: a gateway has no right it was not given, its teams are a list, and its agent's id is checked."""
    plain = Principal.gateway("ada")
    assert (plain.teams, plain.acts_for, plain.decides, plain.own_slice) == (frozenset(), False, False, "agent-ada")
    with pytest.raises(InvalidRequest, match="teams"):
        Principal.gateway("ada", teams="T1")
    for make in (Principal.agent, Principal.gateway):
        with pytest.raises(InvalidAgentId):
            make("unknown")
    assert Principal.operator("kim").key == "operator:kim"
    assert Principal.agent("ada").key != Principal.gateway("ada").key
    assert Principal.agent("ada", token_id="t1").key == "t1"
    assert Principal.admin().own_slice is None
    sees = [Principal.admin(), Principal.operator(), Principal.gateway("a", decides=True), plain, Principal.agent("a")]
    assert [each.sees_all_proposals for each in sees] == [True, True, True, False, False]
    assert not re.search("secret|hash", repr(Principal.agent("ada", token_id="t1")))
