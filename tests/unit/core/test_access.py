"""An access is made by the functions of its module alone, and only ever narrowed."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sliceway.core import access
from sliceway.core.access import EVERY, KINDS, Access, Kind, OutsideAccess
from sliceway.core.policy import Policy
from sliceway.core.principals import NO_ORIGIN, Origin, Principal
from sliceway.core.slices import SYSTEM, user_slice
from sliceway.core.turns import Person, Place
from sliceway.errors import SlicewayError

ANN = Person("T1", "U-ANN")
POLICY = Policy(teams=frozenset({"T1"}), managers=frozenset({"U-MAN"}), kb={"ada": frozenset({"kb-a"})})
PRIVATE = Origin(ANN, Place("slack", "T1", "D1", "1.1"), private=True)
CHANNEL = Origin(ANN, Place("slack", "T1", "C1", "1.1"))
ADA, GATEWAY = Principal.agent("ada"), Principal.gateway("ada", teams=["T1"], acts_for=True, decides=True)
READER, ADMIN, OPERATOR = Principal.reader(["shared"]), Principal.admin(), Principal.operator("op")
CALLERS = [
    (ADA, NO_ORIGIN), (GATEWAY, PRIVATE), (GATEWAY, CHANNEL), (GATEWAY, NO_ORIGIN), (READER, NO_ORIGIN),
    (ADMIN, NO_ORIGIN), (OPERATOR, NO_ORIGIN),
]  # fmt: skip


def made(principal: Principal, origin: Origin) -> list[Access]:
    """Return every access that a call of this caller may enter."""
    call = (principal, origin, POLICY)
    names = ["agent-ada", "agent-bob", "shared", "public", "kb-a", user_slice("T1", "U-ANN"), user_slice("T1", "U-BEN")]
    return [
        access.opening(), access.recording(), access.reading(*call), access.seeing(*call), access.handling(*call),
        access.recollecting(*call), access.administering(principal), access.auditing(principal),
        access.overseeing(principal, POLICY), access.maintaining(principal),
        *(access.changing("write", name, *call, asks=True) for name in names),
    ]  # fmt: skip


def test_br4_an_access_is_made_by_its_own_module_alone() -> None:
    """BR4: no constructor, replacement, copy, pickle, subclass or assignment makes one, or makes one wider."""
    one: Any = access.reading(ADA, NO_ORIGIN, POLICY)
    attempts: list[Callable[[], Any]] = [
        lambda: Access(object(), Kind.KEEPING, frozenset({EVERY})),
        lambda: dataclasses.replace(one, reads=frozenset({EVERY})),
        lambda: Access.__init__(one, object(), Kind.KEEPING, frozenset({EVERY})),
        lambda: setattr(one, "reads", frozenset({EVERY})),
        lambda: delattr(one, "reads"),
        lambda: setattr(one, "more", 1),
        lambda: pickle.dumps(one),
        lambda: type("Wider", (Access,), {}),
    ]
    for attempt in attempts:
        with pytest.raises((TypeError, AttributeError)):
            attempt()
    assert copy.copy(one) is one
    assert copy.deepcopy(one) is one
    assert one.reads == {"agent-ada", "shared", "public", "kb-a"}


def test_br4_one_that_was_never_made_covers_nothing() -> None:
    """BR4: an object of the class that no function made fails at the first question, and is no access to anything."""
    hollow = Access.__new__(Access)
    with pytest.raises(AttributeError):
        hollow.covers(["shared"])
    with pytest.raises(AttributeError):
        hollow.landing("shared")


def test_br4_every_kind_is_listed_with_its_reason_and_made_somewhere() -> None:
    """BR4: the table of kinds is closed: each has a reason, and a public function of the module that makes it."""
    assert set(KINDS) == set(Kind)
    assert all(reason.strip() for reason in KINDS.values())
    functions = {
        name for name, one in inspect.getmembers(access, inspect.isfunction) if one.__module__ == access.__name__
    }
    assert {name for name in functions if not name.startswith("_")} == {kind.value for kind in Kind}
    assert issubclass(OutsideAccess, Exception)
    assert not issubclass(OutsideAccess, SlicewayError)


@pytest.mark.parametrize(("principal", "origin"), CALLERS)
def test_sc9_no_access_holds_a_foreign_corner_or_mind(principal: Principal, origin: Origin) -> None:
    """SC9 BR2: whatever a caller does, no access of pages or proposals reaches another person's corner; another agent's
    mind is reached by the operator's sight of proposals alone; the brain's own rows by no call's reading."""
    for one in made(principal, origin):
        if EVERY in one.reads:
            assert principal in (ADMIN, OPERATOR)
            assert one.kind in {Kind.ADMINISTERING, Kind.AUDITING, Kind.OVERSEEING, Kind.MAINTAINING}
            continue
        assert not one.covers([user_slice("T1", "U-BEN")])
        if one.covers(["agent-bob"]):
            assert principal is OPERATOR
            assert one.kind in {Kind.SEEING, Kind.HANDLING, Kind.RECOLLECTING}
        if one.covers([SYSTEM]):
            assert one.kind in {Kind.OPENING, Kind.RECORDING, Kind.AUDITING}


@pytest.mark.parametrize(("principal", "origin"), CALLERS)
def test_id12_minds_are_merged_by_who_administers_and_nothing_else_is(principal: Principal, origin: Origin) -> None:
    """ID12 GT9 SC9: a merge reads two minds and writes one of them, for an admin or the operator alone; a corner, the
    team's slices and reference are reached by none."""
    one = access.merging(principal, "agent-bob", "agent-ada")
    administers = principal in (ADMIN, OPERATOR)
    assert one.reads == ({"agent-ada", "agent-bob"} if administers else frozenset())
    assert one.landings == ({"agent-ada"} if administers else frozenset())
    for name in (ANN.slice, "shared", "kb-a", SYSTEM):
        assert access.merging(principal, name, "agent-ada").reads == frozenset()


def test_br15_at_most_one_slice_is_written_and_only_one_that_may_be() -> None:
    """BR15: an access has one slice to write or none; a second one, and one that may not be, are refused."""
    handled = access.handling(GATEWAY, PRIVATE, POLICY)
    assert handled.write is None
    landed = handled.landing("shared")
    assert (landed.write, landed.landing("shared")) == ("shared", landed)
    for one, name in (
        (landed, "public"),
        (handled, "agent-bob"),
        (access.reading(ADA, NO_ORIGIN, POLICY), "agent-ada"),
    ):
        with pytest.raises(OutsideAccess):
            one.landing(name)


def test_ap23_what_is_asked_for_in_private_is_kept_in_its_owners_corner() -> None:
    """AP23: a draft's one slice is the corner; where the ceiling denies, nothing is written or read."""
    drafted = access.changing("write", "shared", GATEWAY, PRIVATE, POLICY)
    assert drafted.landings == {ANN.slice}
    assert access.changing("write", "shared", GATEWAY, CHANNEL, POLICY).landings == {"shared"}
    denied = access.changing("write", "agent-bob", GATEWAY, PRIVATE, POLICY)
    assert (denied.reads, denied.landings) == (frozenset(), frozenset())


names = st.sampled_from(["agent-ada", "agent-bob", "shared", "public", "kb-a", SYSTEM, ANN.slice, "agent-", "*"])


@given(st.sampled_from(CALLERS), st.lists(names), st.lists(names))
def test_br4_narrowing_never_widens(
    caller: tuple[Principal, Origin], first: list[str], second: list[str]
) -> None:  # fmt: skip
    """BR4: what is narrowed covers no more than before, may follow it, and cannot be gone back from."""
    for one in made(*caller):
        narrow = one.only(first)
        assert narrow.reads <= set(first)
        assert one.covers(narrow.reads)
        assert narrow.follows(one)
        narrower = narrow.only(second)
        assert narrow.covers(narrower.reads)
        if one.kind is not Kind.OPENING and not narrow.covers(one.reads):
            assert not one.follows(narrow)
