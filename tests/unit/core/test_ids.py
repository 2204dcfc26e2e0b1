"""Ids and the names made from them (ID8-ID11)."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sliceway.core.ids import check_agent_id, display_name, is_identified, partition_name
from sliceway.core.slices import agent_slice, kb_slice, kind_of, user_slice
from sliceway.errors import InvalidAgentId, InvalidRequest
from tests.unit.core.rules import slice_name_by_the_rule

ID_TEXT = st.text("ABab09._-", min_size=1, max_size=64)
PART = st.text(min_size=1, max_size=40).filter(
    lambda text: text.isascii() or text.encode("utf-8", "ignore") == text.encode("utf-8", "replace")
)

GOLDEN = [
    (("agent", "ada"), "agent-ada"),
    (("agent", "on-call-2"), "agent-on-call-2"),
    (("agent", "A"), "agent-a--7tniptrdaww5u4liqaqhjoagkf"),
    (("agent", "a-"), "agent-a--7lqlmzon7u7vornbpqjasojm2p"),
    (("agent", "a--b"), "agent-a-b--6icky75vqrnsrxa2zh4cc4agyj"),
    (("agent", "A_B"), "agent-a-b--l4rmmcurngth7cxphy7ohnam3e"),
    (("agent", "AB"), "agent-ab--4vdxdrtptteir3ofspvmhrq7br"),
    (("agent", "..."), "agent-x--66bpumehqli245sqsa7depz4ha"),
    (("agent", "U0123ABCD"), "agent-u0123abcd--5i4qaluxz2s2b6kal777tfhsau"),
    (("agent", "a" * 58), "agent-" + "a" * 58),
    (("agent", "a" * 59), "agent-aaaaaaaaaaaaaaaaaaaaaaaa--qxeied3z4xtv7mudqby5amflm6"),
    (("user", "T1", "U1"), "user-u1--ewbvfx24d3ih6iha5yci57kafr"),
    (("user", "T1U", "1"), "user-1--mx35oiekm7hkpwkpnnq6vysud4"),
    (("user", "E1", "W1"), "user-w1--5gcwcsqjjx3umnkwvi2ftxwbdn"),
    (("kb", "handbook"), "kb-handbook"),
    (("kb", "Hand Buch Ü"), "kb-hand-buch--cuqlr32swz2sediawmxfcvkqtz"),
]


def name(kind: str, *parts: str) -> str:
    """Return the name that the product makes."""
    match kind:
        case "agent":
            return agent_slice(*parts)
        case "user":
            return user_slice(*parts)
        case _:
            return kb_slice(*parts)


@pytest.mark.parametrize(("given_", "expected"), GOLDEN)
def test_id10_golden_names(given_: tuple[str, ...], expected: str) -> None:
    """ID10: these names are in people's stores; they can never change, and the rule's own words give them too."""
    assert name(*given_) == expected
    assert slice_name_by_the_rule(*given_) == expected


@given(ID_TEXT, ID_TEXT)
@example("A_B", "AB")
@example("a-b", "a_b")
@example("a", "A")
def test_id10_different_ids_have_different_slices(one: str, other: str) -> None:
    """ID10: two ids that differ at all never share a slice, and each name is a name."""
    names = [partition_name("agent", text, plain=True) for text in (one, other)]
    assert (names[0] == names[1]) == (one == other)
    for made in names:
        kind = kind_of(made)
        assert kind is not None
        assert kind.kind == "agent"
        assert len(made) <= 64
        assert ("--" in made) == (not re.fullmatch(r"agent-[a-z0-9]+(-[a-z0-9]+)*", made))


@given(ID_TEXT, st.integers(1, 3))
def test_id10_outputs_fed_back_never_meet(text: str, times: int) -> None:
    """ID10: a slice's name used as an id makes another name, however often."""
    seen = [text]
    for _ in range(times):
        made = partition_name("agent", seen[-1], plain=True)
        for earlier in seen[:-1]:
            assert made != partition_name("agent", earlier, plain=True)
        seen.append(made)


@given(st.sampled_from(["agent", "kb", "user"]), st.lists(PART, min_size=1, max_size=3))
def test_id10_the_rules_own_words_give_the_same_name(kind: str, parts: list[str]) -> None:
    """ID10: a second reading of the rule's text agrees with the product on any parts."""
    assert partition_name(kind, *parts, plain=kind != "user") == slice_name_by_the_rule(kind, *parts)


@given(st.tuples(PART, PART), st.tuples(PART, PART))
@example(("T1", "U1"), ("T1U", "1"))
@example(("a\0", "b"), ("a", "\0b"))
def test_id11_parts_are_hashed_as_parts(one: tuple[str, str], other: tuple[str, str]) -> None:
    """ID11: two people whose ids joined would read alike have different corners, always in the hashed form."""
    assert (user_slice(*one) == user_slice(*other)) == (one == other)
    assert re.fullmatch(r"user-[a-z0-9]+(-[a-z0-9]+)*--[a-z2-7]{26}", user_slice(*one))


@given(ID_TEXT, PART)
def test_id10_an_agents_slice_is_never_a_persons(agent: str, part: str) -> None:
    """ID10: whatever the ids, an agent's name and a person's name never meet."""
    assert partition_name("agent", agent, plain=True) != user_slice(part, agent)


@pytest.mark.parametrize("parts", [("", "U1"), ("T1", ""), ("", ""), ("T1", "\ud800")])
def test_id11_what_names_nobody_is_refused(parts: tuple[str, str]) -> None:
    """ID11: an empty part, or one that is no text, makes no slice."""
    with pytest.raises(InvalidRequest):
        user_slice(*parts)
    with pytest.raises(InvalidRequest):
        kb_slice("")


@pytest.mark.parametrize("text", ["a", "A.b_c-9", "U0123", "x" * 64, "..", "-", "default2"])
def test_id8_an_id_is_taken_unchanged(text: str) -> None:
    """ID8: an id of the allowed characters is that id, to the letter."""
    assert check_agent_id(text) == text


BAD_IDS = ["", " ", "a b", "a\n", "\na", "a/b", "n/a", "ä", "а", "a\0", "a\x1b[31m", "x" * 65, "\ud800", "a:b", "٣"]


@pytest.mark.parametrize("text", BAD_IDS)
def test_id8_a_bad_id_is_refused_with_the_reason(text: str) -> None:
    """ID8: other characters, nothing, or too much: refused with its code, and the error prints cleanly."""
    with pytest.raises(InvalidAgentId) as caught:
        check_agent_id(text)
    assert caught.value.code == "invalid_agent_id"
    assert "A-Z, a-z, 0-9, dot, underscore and hyphen" in caught.value.detail
    assert caught.value.detail.isprintable()


@pytest.mark.parametrize(
    "label", ["unknown", "Unspecified", "ANONYMOUS", "none", "Null", "default", "DEFAULT", "mcp_client"]
)
def test_id9_a_label_that_names_nobody_is_no_identity(label: str) -> None:
    """ID9: in any case such a label is refused as an id, and told apart where labels are self-reported."""
    with pytest.raises(InvalidAgentId, match="names nobody"):
        check_agent_id(label)
    assert not is_identified(f" {label} ")


def test_id9_default_is_an_id_where_the_store_is_empty_only() -> None:
    """ID9, ID3: `default`, spelt so, is accepted where asked for; nothing else is with it."""
    assert check_agent_id("default", allow_default=True) == "default"
    assert agent_slice("default") == "agent-default"
    for label in ("Default", "unknown", "null"):
        with pytest.raises(InvalidAgentId):
            check_agent_id(label, allow_default=True)
        with pytest.raises(InvalidAgentId):
            agent_slice(label)


@pytest.mark.parametrize(
    ("label", "expected"), [("n/a", False), ("", False), ("  ", False), ("ada", True), ("none of them", True)]
)
def test_id9_labels(label: str, expected: bool) -> None:
    """ID9: only the whole label counts."""
    assert is_identified(label) is expected


@given(st.text(st.characters(), max_size=200))
@example("\x1b[31mred\x1b[0m\r\nnext line")
@example("a\u2028b\u202ec")
def test_id8_a_display_name_is_one_clean_line(text: str) -> None:
    """ID8: a name shown in a log has no control or format characters, no line breaks, and at most 64 characters."""
    shown = display_name(text)
    assert shown.isprintable()
    assert len(shown) <= 64


@pytest.mark.parametrize("name", ["default", "Default"])
def test_id9_default_is_refused_with_what_to_do(name: str) -> None:
    """ID3, ID9: the name of an agent without an id is no id to give; the refusal says to give another or none."""
    with pytest.raises(InvalidAgentId, match=r"id of its own .*or leave that unset"):
        check_agent_id(name)
    assert check_agent_id("default", allow_default=True) == "default"
