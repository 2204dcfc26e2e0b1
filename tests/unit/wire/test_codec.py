"""One codec for both ends: what is written is what is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from sliceway.core.grants import GrantNote
from sliceway.core.pages import Action, ApprovedBy, Author, Listing, Page, PageDraft, PageEntry, Receipt, Replaced
from sliceway.core.policy import Channel, Policy
from sliceway.core.principals import Origin, PrincipalKind
from sliceway.core.proposals import CardClaim, Change, Changes, Proposal, ProposedPage, State
from sliceway.core.tokens import NewToken, TokenEntry
from sliceway.core.turns import BACKGROUND, Person, Place, PlaceKind, Standing, Trust
from sliceway.errors import InvalidRequest
from sliceway.ports import Outcome, VerifyReport
from sliceway.wire.codec import from_json, to_json
from sliceway.wire.models import origin_fields, to_drafts, to_origin, to_person
from sliceway.wire.routes import ROUTES

ANN = Person("T1", "U1", "E1", "Ann", Standing.MEMBER)
CHANNEL = Place("slack", "T1", "C1", thread="1.1", link="https://x.test/1")
AUTHOR = Author("ada", "tok", ANN, "slack", CHANNEL)
RECEIPT = Receipt(
    "agent-ada", "n", 2, Action.REPLACE, AUTHOR, "E2", "2026-05-04T09:30:00.000000Z", Replaced(1, AUTHOR, "t"),
    ApprovedBy("T1", "U2", self_approval=True), GrantNote("G1", ANN, "u"),
)  # fmt: skip
PROPOSAL = Proposal(
    "P1", "shared", 1, State.PENDING, "write", "ada",
    (ProposedPage("n", None, PageDraft("n", "text", tags=("a",))), ProposedPage("m", 3, version=2)),
    ANN, Origin(ANN, CHANNEL, private=True, turn="t"), "t0", "t1",
)  # fmt: skip
TOKEN = TokenEntry("K1", PrincipalKind.GATEWAY, "ada", ("T1",), True, False, (), "t0", expires_at="t9", writes=3)
RESOURCES = [
    AUTHOR, RECEIPT, PROPOSAL, CHANNEL, BACKGROUND,
    Place("slack", "T1", "D1", kind=PlaceKind.IM), Place("slack", "T1", "C2", kind=PlaceKind.PRIVATE, guests=True),
    Page("shared", "n", "N", "x", None, ("a",), None, 1, AUTHOR, None, "t", "t", "E1"),
    Outcome("written", (RECEIPT,)), Outcome("pending", proposal=PROPOSAL), TOKEN, NewToken("slw_x", TOKEN),
]  # fmt: skip


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda one: type(one).__name__)
def test_br1_what_is_written_is_read_again(resource: object) -> None:
    """BR1 BR14: a resource through JSON and back is the same resource: the wire loses nothing."""
    assert from_json(type(resource), json.loads(json.dumps(to_json(resource)))) == resource


POLICY = Policy(
    managers=frozenset({"U1", "T1:U2"}), approvers=frozenset(), teams=frozenset({"T1"}), grant_for=timedelta(hours=1),
    channels={("T1", "C1"): Channel(Trust.TRUSTED, guests=True), ("T1", "C2"): Channel(external=True, fell_at="t")},
    gone={("T1", "U9"): "t"}, kb={"ada": frozenset({"kb-x"})}, version=3,
)  # fmt: skip
ENTRY = PageEntry("shared", "n", "N", None, ("a",), None, 1, AUTHOR, None, "t")
GENERIC: list[tuple[object, Any]] = [
    (Listing[PageEntry], Listing((ENTRY, ENTRY), "c1")), (Listing[Proposal], Listing((PROPOSAL,))),
    (Listing[PageEntry], Listing(())), (Policy, POLICY), (Policy, Policy()), (Mapping[str, str], {"shared": "ab"}),
    (Changes, Changes((Change("P1", "shared", 1, State.PENDING, "t"),), "c")),
    (Outcome, Outcome("would_ask", dry_run=True)),
    (NewToken, NewToken("slw_x", TokenEntry("i", PrincipalKind.READER, None, (), False, False, ("shared",), "t"))),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "resource"), GENERIC, ids=lambda one: getattr(one, "__name__", type(one).__name__))
def test_br1_lists_and_the_policy_are_read_as_they_were_written(kind: Any, resource: object) -> None:
    """BR1 BR13: a list gives back entries of its own type, and the policy its channels and people by their keys."""
    assert from_json(kind, json.loads(json.dumps(to_json(resource)))) == resource


def _answers() -> list[Any]:
    return list({repr(route.answer): route.answer for route in ROUTES if route.answer is not None}.values())


@pytest.mark.parametrize("kind", _answers(), ids=repr)
@pytest.mark.parametrize("value", [None, [], "", 1, {"items": {}}, {"items": [1]}], ids=repr)
def test_fr7_another_shape_is_no_resource(kind: Any, value: object) -> None:
    """FR7: for each answer that a call has, what is not that is never read as an empty one."""
    with pytest.raises((ValueError, KeyError, TypeError, AttributeError)):
        from_json(kind, value)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (Listing[PageEntry], {"items": []} | {"next_cursor": 1}), (CardClaim, {"claimed": "yes"}),
        (CardClaim, {"claimed": 1}), (Changes, {"items": "", "cursor": "c"}),
        (VerifyReport, {"ok": True, "errors": []}),
        (VerifyReport, {"ok": True, "events": True, "errors": []}), (Outcome, {"outcome": "written"}),
        (Outcome, {"outcome": "pending"}), (Outcome, {"outcome": "eaten", "receipts": []}), (Outcome, {}),
    ],
)  # fmt: skip
def test_fr7_a_field_of_another_kind_is_no_resource(kind: Any, value: object) -> None:
    """FR7: a field that is missing, or of another type, is not made up."""
    with pytest.raises(ValueError, match=r"."):
        from_json(kind, value)


def test_br14_the_spelling_is_the_contract_s() -> None:
    """BR14: fields without a value are left out, those that are promised are null; persons show ids and name alone."""
    assert to_json(ANN) == {"team": "T1", "user": "U1", "enterprise": "E1", "name": "Ann"}
    assert to_json(Author("ada", None, None, "local")) == {"agent": "ada", "token_id": None, "surface": "local"}
    said = to_json(PROPOSAL)
    assert said["pages"][0] == {"slug": "n", "content": "text", "tags": ["a"], "base_version": None}
    assert said["origin"]["place"]["private"] is True
    assert (said["state"], "decided_by" in said) == ("pending", False)
    assert to_json(Listing((1, 2))) == {"items": [1, 2], "next_cursor": None}
    assert to_json(NewToken("slw_x", TOKEN)) == {"token": "slw_x", **to_json(TOKEN)}
    assert to_json(Outcome("would_ask", dry_run=True)) == {"outcome": "would_ask", "dry_run": True}


def test_br14_what_is_no_resource_is_refused() -> None:
    """BR14: nothing is spelled by accident."""
    with pytest.raises(TypeError):
        to_json(object())


@pytest.mark.parametrize(
    ("place", "kind"),
    [
        ({"surface": "background"}, PlaceKind.BACKGROUND),
        ({"surface": "slack", "team": "T1", "channel": "D1"}, PlaceKind.IM),
        ({"surface": "slack", "team": "T1", "channel": "G1"}, PlaceKind.PRIVATE),
        ({"surface": "slack", "team": "T1", "channel": "C1"}, PlaceKind.CHANNEL),
        ({"surface": "slack", "team": "T1", "channel": "C1", "kind": "mpim"}, PlaceKind.MPIM),
    ],
)
def test_br1_the_kind_of_place_follows_from_its_ids(place: dict[str, str], kind: PlaceKind) -> None:
    """BR1: what an origin does not say of its place, the ids tell."""
    origin = to_origin({"place": place})
    assert origin.place is not None
    assert origin.place.kind is kind


@pytest.mark.parametrize(
    ("origin", "field"),
    [
        ({"person": {"team": "", "user": "U1"}}, "origin.person.team"),
        ({"person": {"team": "T1"}}, "origin.person.user"),
        ({"person": {"team": "T1", "user": "U1", "manager": True}}, "origin.person.manager"),
        ({"place": {"surface": "slack"}}, "origin.place"),
        ({"place": {"surface": "slack", "team": "T1", "channel": "C\n"}}, "origin.place.channel"),
        ({"place": {"surface": "slack", "team": "T1", "channel": "C1", "kind": "void"}}, "origin.place.kind"),
        ({"approved": True}, "origin.approved"),
        ("T1", "origin"),
        ({"turn": "\ud800"}, "origin.turn"),
    ],
)
def test_br5_a_wrong_origin_is_refused_by_field(origin: object, field: str) -> None:
    """BR5 GT11: unknown fields, empty ids and odd characters in an origin are refused and named."""
    with pytest.raises(InvalidRequest) as refused:
        to_origin(origin)
    assert [error.field for error in refused.value.errors] == [field]


@pytest.mark.parametrize("standing", list(Standing))
def test_br1_what_chat_knows_of_a_person_travels_with_them(standing: Standing) -> None:
    """BR1 SC1: a guest named in an origin is a guest at the brain too, given as the dataclass or by fields."""
    said = Origin(person=Person("T1", "U1", standing=standing), place=CHANNEL)
    for given in (said, origin_fields(said)):
        person = to_origin(given).person
        assert person is not None
        assert person.standing is standing


def test_br5_a_private_turn_without_a_place_is_refused() -> None:
    """BR5: no origin says less over a wire than it does without: `private` is said of a place."""
    with pytest.raises(InvalidRequest) as refused:
        to_origin(Origin(person=ANN, private=True))
    assert [error.field for error in refused.value.errors] == ["origin.place"]


def test_br5_persons_and_pages_are_checked_alike() -> None:
    """BR5: a person is named by the call's own word; a draft given as the dataclass is checked like a mapping."""
    assert to_person({"team": "T1", "user": "U1"}) == Person("T1", "U1")
    with pytest.raises(InvalidRequest) as refused:
        to_person({"team": "T1", "user": ""}, "decided_by")
    assert refused.value.errors[0].field == "decided_by.user"
    assert to_drafts([PageDraft("n", "x", tags=("a", "a"))]) == (PageDraft("n", "x", tags=("a",)),)
    with pytest.raises(InvalidRequest):
        to_drafts([PageDraft("n", "")])
