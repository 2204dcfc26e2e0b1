"""The ledger's bytes: fixed for ever, and no byte changes unseen (BR11)."""

from __future__ import annotations

import hashlib
import hmac
import json
from dataclasses import fields, replace
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sliceway.core.ledger import GENESIS, Event, canonical, faults_of, keyed_digest, payload_digest, seal

AUTHOR = {"agent": "ada", "token_id": None, "on_behalf_of": {"team": "T1", "user": "U1"}, "surface": "slack"}
PAYLOAD = {
    "slug": "deploys/rollback",
    "content": 'Build 2301 – it’s "green"\n\tö\x7f',
    "tags": ["b", "a"],
    "version": 1,
    "x": True,
}
FIXED = seal(
    slice_name="agent-ada", seq=1, event_id="01ARZ3NDEKTSV4RRFFQ69G5FAV", kind="page.written",
    at="2026-05-04T09:30:00.000000Z", author=AUTHOR, prev=GENESIS, payload=PAYLOAD, salt=bytes(range(32)),
)  # fmt: skip

GOLDEN_PAYLOAD = (
    '{"content":"Build 2301 – it’s \\"green\\"\\n\\tö\x7f","slug":"deploys/rollback",'
    '"tags":["b","a"],"version":1,"x":true}'
)
GOLDEN_DIGEST = "263fbcc1701de0f9d5a03ea41bbd00252c245e33de5c6faf5cf34aeabbd5d925"
GOLDEN_ROW = (
    '{"at":"2026-05-04T09:30:00.000000Z","author":{"agent":"ada","on_behalf_of":{"team":"T1","user":"U1"},'
    '"surface":"slack","token_id":null},"digest":"' + GOLDEN_DIGEST + '","event_id":"01ARZ3NDEKTSV4RRFFQ69G5FAV",'
    '"kind":"page.written","prev":"' + "0" * 64 + '","seq":1,"slice":"agent-ada","v":"h1"}'
)
GOLDEN_HASH = "d91aa2f0fa49687cf3db519f86850d50a5ae2292f23d28ba2074284bad8940ec"

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
plain: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(texts, plain, max_size=4)


def test_br11_golden_bytes_of_h1() -> None:
    """BR11: one fixed event's bytes and hashes, written out; whoever changes them breaks every store there is."""
    assert canonical(PAYLOAD) == GOLDEN_PAYLOAD.encode()
    keyed = hmac.new(bytes(range(32)), GOLDEN_PAYLOAD.encode(), hashlib.sha256).hexdigest()
    assert FIXED.digest == GOLDEN_DIGEST == keyed
    assert FIXED.hash == GOLDEN_HASH == hashlib.sha256(b"h1\0" + GOLDEN_ROW.encode()).hexdigest()
    assert keyed_digest(b"k" * 32, PAYLOAD) == "e33d529c2f3f5bc15cab55a0973bf0880e9fb96926d131e93618d61f1ff38fd7"


@given(objects)
def test_br11_one_value_has_one_spelling(value: dict[str, Any]) -> None:
    """BR11: the bytes are JSON of the same value, whatever the order of keys and the kind of mapping or list."""
    spelt = canonical(value)
    assert json.loads(spelt) == value
    assert canonical(dict(reversed(value.items()))) == spelt
    assert (
        canonical(MappingProxyType({key: tuple(v) if isinstance(v, list) else v for key, v in value.items()})) == spelt
    )
    assert canonical(json.loads(spelt)) == spelt


@pytest.mark.parametrize(
    "odd",
    [0.5, 1.0, float("nan"), float("inf"), [1, [2.0]], {"deep": {"er": 0.1}}, b"bytes", {1: "key"}, {"a", "b"},
     "\ud800", {"\udfff": 1}, object()],
)  # fmt: skip
def test_br11_what_has_no_one_spelling_is_refused(odd: object) -> None:
    """BR11: floats, keys that are no text, lone surrogates and what JSON does not know are refused, at any depth."""
    with pytest.raises(ValueError, match=r"ledger|surrogates"):
        canonical({"value": odd})


def test_br11_a_whole_chain_holds() -> None:
    """BR11: each event in its place, linked to the one before, has no fault."""
    one = FIXED
    two = seal(
        slice_name="agent-ada", seq=2, event_id="02", kind="page.deleted", at=one.at, author=AUTHOR, prev=one.hash,
        payload={}, salt=b"s" * 32,
    )  # fmt: skip
    assert faults_of(one, 1, GENESIS) == faults_of(two, 2, one.hash) == []
    assert faults_of(two, 1, GENESIS) == ["sequence 2 stands where 1 should", "it is not linked to the event before it"]
    assert faults_of(two, 2, "f" * 64) == ["it is not linked to the event before it"]


def test_br11_erased_content_leaves_the_chain_whole() -> None:
    """BR10, BR11: without payload and salt an event still verifies; without one of them it does not."""
    assert faults_of(replace(FIXED, payload=None, salt=None), 1, GENESIS) == []
    assert faults_of(replace(FIXED, payload=None), 1, GENESIS) == ["it has only one of payload and salt"]
    assert faults_of(replace(FIXED, salt=None), 1, GENESIS) == ["it has only one of payload and salt"]


def changed(value: Any, where: int) -> Any:
    """Return a value with one character, byte, number or truth changed."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case bytes():
            at = where % len(value)
            return value[:at] + bytes([value[at] ^ (1 << where % 8)]) + value[at + 1 :]
        case str() if value:
            at = where % len(value)
            return value[:at] + chr(ord(value[at]) ^ 1) + value[at + 1 :]
        case dict() if value:
            name = sorted(value)[where % len(value)]
            if where % 3 == 0:
                return {**{key: item for key, item in value.items() if key != name}, changed(name, where): value[name]}
            return {**value, name: changed(value[name], where)}
        case list() if value:
            at = where % len(value)
            return [*value[:at], changed(value[at], where), *value[at + 1 :]]
        case _:
            return "something"


@given(st.sampled_from([field.name for field in fields(Event)]), st.integers(0, 5000))
def test_br11_any_change_is_found(name: str, where: int) -> None:
    """BR11: one bit, letter, number, key or list item changed in any column is a fault of that row."""
    before = getattr(FIXED, name)
    after = changed(before, where)
    assert after != before
    assert faults_of(replace(FIXED, **{name: after}), 1, GENESIS)


@pytest.mark.parametrize("odd", [{"n": 1.5}, {"t": "\ud800"}])
def test_br11_a_row_the_ledger_never_held_is_a_fault_not_a_crash(odd: dict[str, Any]) -> None:
    """BR11: `verify` reports a forged float or surrogate like any other change."""
    assert faults_of(replace(FIXED, author=odd), 1, GENESIS) == ["its hash does not match its row"]
    assert faults_of(replace(FIXED, payload=odd), 1, GENESIS) == ["its payload was changed"]


@given(objects, objects, st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_br11_digests_are_keyed(one: dict[str, Any], other: dict[str, Any], key: bytes, salt: bytes) -> None:
    """BR11, AP21: sameness is told under one key only, and no digest is a plain hash of the content."""
    same = canonical(one) == canonical(other)
    assert (keyed_digest(key, one) == keyed_digest(key, other)) == same
    assert (keyed_digest(key, one) == keyed_digest(salt, one)) == (key == salt)
    plain_hash = hashlib.sha256(canonical(one)).hexdigest()
    assert plain_hash not in {keyed_digest(key, one), payload_digest(key, one)}
    assert keyed_digest(key, one) != payload_digest(key, one)
