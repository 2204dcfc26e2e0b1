"""One codec for both ends: what is written is what is read."""

from __future__ import annotations

import json

import pytest

from sliceway.core.grants import GrantNote
from sliceway.core.pages import Action, ApprovedBy, Author, Listing, Page, PageDraft, Receipt, Replaced
from sliceway.core.principals import Origin, PrincipalKind
from sliceway.core.proposals import Proposal, ProposedPage, State
from sliceway.core.tokens import NewToken, TokenEntry
from sliceway.core.turns import BACKGROUND, Person, Place, PlaceKind, Standing
from sliceway.errors import InvalidRequest
from sliceway.ports import Outcome
from sliceway.wire.codec import from_json, to_json
from sliceway.wire.models import to_drafts, to_origin, to_person

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


def test_br5_persons_and_pages_are_checked_alike() -> None:
    """BR5: a person is named by the call's own word; a draft given as the dataclass is checked like a mapping."""
    assert to_person({"team": "T1", "user": "U1"}) == Person("T1", "U1")
    with pytest.raises(InvalidRequest) as refused:
        to_person({"team": "T1", "user": ""}, "decided_by")
    assert refused.value.errors[0].field == "decided_by.user"
    assert to_drafts([PageDraft("n", "x", tags=("a", "a"))]) == (PageDraft("n", "x", tags=("a",)),)
    with pytest.raises(InvalidRequest):
        to_drafts([PageDraft("n", "")])
