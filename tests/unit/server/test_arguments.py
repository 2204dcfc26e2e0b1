"""From a request to the port's method: fields from path, query and body, each checked, all that is wrong at once."""

from __future__ import annotations

import inspect
import json
from typing import Any
from urllib.parse import quote

import pytest

from sliceway.errors import InvalidRequest, InvalidSlug
from sliceway.ports import Brain
from sliceway.server.arguments import Given, arguments, fields_in_path
from sliceway.wire.routes import ROUTES, Route

_BY_CALL = {route.call: route for route in ROUTES}
_PAGE = "/v1/pages/shared/a%2Fb"
_FREE = frozenset({"set_policy"})


def asked(call: str, path: str = "", query: str = "", body: Any = None) -> tuple[str, dict[str, Any]]:
    """Return the method and its arguments; `body` is bytes, or what JSON is made of."""
    route = _BY_CALL[call]
    raw = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    return arguments(route, Given(path or route.path, query, raw))


def wrong(call: str, path: str = "", query: str = "", body: Any = None) -> set[tuple[str, str]]:
    """Return the fields that are refused, with their codes."""
    with pytest.raises(InvalidRequest) as refused:
        asked(call, path, query, body)
    return {(error.field, error.code) for error in refused.value.errors}


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.call)
def test_br1_every_field_of_a_call_is_one_of_the_ports(route: Route) -> None:
    """BR1: each row names a method of the port and only fields that the method takes."""
    takes = set(inspect.signature(getattr(Brain, route.call)).parameters)
    if route.call == "claim_card":
        takes |= set(inspect.signature(Brain.card_posted).parameters)
    if route.call == "revoke_grant":
        takes.add("person")  # `by` with all that is known of them
    if route.call not in _FREE:
        assert {*route.fields.model_fields, *fields_in_path(route)} <= takes


def test_fields_come_from_path_and_query_typed() -> None:
    """A slug is one segment with `/` as `%2F`; numbers, lists and the origin are what their fields say."""
    origin = {"place": {"surface": "background"}}
    query = f"version=3&slices=shared,kb-x&origin={quote(json.dumps(origin))}"
    assert asked("read_page", _PAGE, query) == (
        "read_page",
        {"slice": "shared", "slug": "a/b", "version": 3, "slices": ["shared", "kb-x"], "origin": origin},
    )


def test_br5_an_empty_list_of_slices_is_not_a_missing_one() -> None:
    """BR5: `slices=` names no slice; without it nothing is said."""
    assert asked("list_pages", query="slices=")[1] == {"slices": []}
    assert asked("list_pages")[1] == {}


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("limit=0", {("limit", "invalid_request")}),
        ("limit=many", {("limit", "invalid_request")}),
        ("limit=1.0", {("limit", "invalid_request")}),
        ("limit=%31%30&cursor", set()),
        ("limit=1&limit=1", {("limit", "duplicate_field")}),
        ("nothing=1", {("nothing", "unknown_field")}),
        ("self=1&model=2", {("self", "unknown_field"), ("model", "unknown_field")}),
        ("tag=%ff", {("tag", "invalid_request")}),
        ("tag=%zz", {("tag", "invalid_request")}),
        ("tag=a%00b", {("tag", "control_character")}),
        ("tag=+", {("tag", "blank")}),
        ("slices=a,,b", {("slices.1", "blank")}),
        ("origin=x", {("origin", "not_json")}),
        ("origin=%7B%22turn%22:1,%22turn%22:2%7D", {("turn", "duplicate_field")}),
        ("origin=%7B%22who%22:1%7D", {("origin.who", "unknown_field")}),
        ("origin=%5B%5D&limit=0", {("origin", "not_an_object"), ("limit", "invalid_request")}),
    ],
)
def test_br5_a_query_is_as_strict_as_a_body(query: str, found: set[tuple[str, str]]) -> None:
    """BR5: unknown, repeated and ill-typed parameters are refused, all of them together."""
    if not found:
        assert asked("list_pages", query=query)[1]["limit"] == 10
    else:
        assert wrong("list_pages", query=query) == found


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/v1/pages/shared/A", {("slug", "invalid_slug")}),
        ("/v1/pages/shared/a%2F..%2Fb", {("slug", "invalid_slug")}),
        ("/v1/pages/shared/a%252Fb", {("slug", "invalid_slug")}),
        ("/v1/pages/shared/a%ff", {("slug", "invalid_request")}),
        ("/v1/pages/sha\udc80red/a", {("slice", "invalid_request")}),
        ("/v1/pages/%20/%2F", {("slice", "blank"), ("slug", "invalid_slug")}),
        ("/v1/pages/a%00/a", {("slice", "control_character")}),
    ],
)
def test_br5_what_stands_in_a_path_is_decoded_once_and_checked(path: str, found: set[tuple[str, str]]) -> None:
    """BR5: the fields in a path are refused like any others; `%252F` is no slash."""
    assert wrong("read_page", path) == found


def test_br5_all_that_is_wrong_is_said_together() -> None:
    """BR5: path and body are reported in one answer; a lone wrong slug keeps its own code."""
    found = wrong("restore", "/v1/pages/%20/a/restore", body={"version": 0, "reason": " ", "self": 1})
    assert found == {
        ("slice", "blank"), ("version", "invalid_request"), ("reason", "blank"), ("self", "unknown_field"),
    }  # fmt: skip
    with pytest.raises(InvalidSlug):
        asked("restore", "/v1/pages/shared/A/restore", body={})


def test_br2_a_field_that_stands_in_the_path_is_refused_beside_it() -> None:
    """BR2: nothing in a body or a query replaces what the address says."""
    assert wrong("undo", f"{_PAGE}/undo", body={"expected_event": "e", "slice": "kb-x"}) == {("slice", "unknown_field")}
    assert wrong("delete", _PAGE, query="slug=c") == {("slug", "unknown_field")}


def test_a_post_takes_nothing_from_its_query() -> None:
    """The fields of a call with a body are in the body alone."""
    assert wrong("recall", query="limit=1", body={"query": "x"}) == {("limit", "unknown_field")}


def test_a_delete_takes_a_body_or_a_query() -> None:
    """What has no body by many a client's mind may say it in the query; both at once is refused."""
    expected = ("delete", {"slice": "shared", "slug": "a/b", "if_version": 2})
    assert asked("delete", _PAGE, body={"if_version": 2}) == asked("delete", _PAGE, "if_version=2") == expected
    assert wrong("delete", _PAGE, "reason=x", {"if_version": 2}) == {("reason", "unknown_field")}


def test_who_revokes_is_named_as_team_and_user() -> None:
    """`by=TEAM:USER` becomes a person; anything else is refused."""
    assert asked("revoke_grant", "/v1/grants/g", "by=T1:U1")[1] == {"id": "g", "by": {"team": "T1", "user": "U1"}}
    assert wrong("revoke_grant", "/v1/grants/g", "by=U1") == {("by", "invalid_request")}


def test_a_card_is_claimed_or_placed() -> None:
    """`lease_s` claims, `ref` says where it stands; both or none is refused."""
    path, who = "/v1/proposals/p/cards", {"place": "C1", "holder": "h"}
    assert asked("claim_card", path, body={**who, "lease_s": 5})[0] == "claim_card"
    assert asked("claim_card", path, body={**who, "ref": "1.1"})[0] == "card_posted"
    assert wrong("claim_card", path, body=who) == {("ref", "invalid_request")}
    assert wrong("claim_card", path, body={**who, "ref": "1", "lease_s": 5}) == {("ref", "invalid_request")}


def test_ap20_a_decision_over_http_always_names_who_decided() -> None:
    """AP20: without `decided_by` it would be the operator's, who is never on the wire."""
    body = {"decision": "approve", "revision": 1}
    assert wrong("decide", "/v1/proposals/p/decision", body=body) == {("decided_by", "missing")}
    assert wrong("decide", "/v1/proposals/p/decision", body={**body, "decided_by": None}) == {
        ("decided_by", "invalid_request")
    }


def test_null_is_as_if_it_were_left_out_but_in_the_policy() -> None:
    """A null says nothing; for the policy's approvers it is a value: the managers."""
    assert asked("recall", body={"query": "x", "since": None})[1] == {"query": "x"}
    assert asked("set_policy", body={"approvers": None}) == ("set_policy", {"approvers": None})


def test_very_many_wrong_fields_are_not_all_repeated() -> None:
    """Fifty are named and the rest counted."""
    with pytest.raises(InvalidRequest) as refused:
        asked("recall", body={"query": "x", **{f"f{number}": 1 for number in range(90)}})
    assert len(refused.value.errors) == 51
    assert "40 more" in refused.value.errors[-1].detail
