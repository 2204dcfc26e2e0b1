"""Every call that names a slice, as it goes over the wire, and from whom and where the calls come."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

from sliceway.core.turns import Person
from tests.contract.people import ANN, BACKGROUND, MANAGER, in_channel, in_private
from tests.isolation.grid import AUDIT, DENIALS, ERASE, READ, REMOVE, WRITE, Grid
from tests.isolation.world import XEN, Answer, World

_GROUP = {"surface": "slack", "team": "T1", "channel": "G-SOME", "thread": "1.1"}
_THEIRS = {"surface": "slack", "team": "T2", "channel": "C-DEPLOYS", "thread": "1.1"}


def _in(place: dict[str, Any], person: Person | None = None) -> dict[str, Any]:
    who = {"person": {"team": person.team, "user": person.user, "name": person.name}} if person is not None else {}
    return {**who, "place": place}


@dataclass(frozen=True, slots=True)
class Caller:
    """A token by its name in the world, and the origin it says, None for none."""

    token: str
    origin: Mapping[str, Any] | None = None

    def signed(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return a body with the origin in it."""
        return {**body, **({"origin": self.origin} if self.origin is not None else {})}


def query(who: Caller) -> str:
    """Return the origin as a query holds it."""
    return f"?origin={quote(json.dumps(who.origin))}" if who.origin is not None else ""


CALLERS: Mapping[str, Caller] = {
    "agent": Caller("agent"),
    "in private": Caller("gateway", in_private(ANN)),
    "in a channel": Caller("gateway", in_channel(ANN)),
    "in an unknown place": Caller("gateway", _in(_GROUP, ANN)),
    "from nowhere": Caller("gateway"),
    "in the background": Caller("gateway", _in(BACKGROUND)),
    "a manager aside": Caller("gateway", _in(_GROUP, MANAGER)),
    "a stranger": Caller("gateway", in_channel(Person("T9", "U-STR", name="Str"))),
    "another team's place": Caller("gateway", _in(_THEIRS, ANN)),
    "another team's person": Caller("gateway", in_private(XEN)),
    "Ann without acts_for": Caller("no rights", in_channel(ANN)),
    "private w/o acts_for": Caller("no rights", in_private(ANN)),
    "nobody w/o acts_for": Caller("no rights", in_channel(None)),
    "reads shared": Caller("reads shared"),
    "reads kb": Caller("reads kb"),
    "admin": Caller("admin"),
}
"""The rows of the grids."""


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent."""

    method: str
    target: str
    body: Any = None

    def sent(self, world: World, token: str) -> Answer:
        """Send it."""
        return world.send(self.method, self.target, who=token, body=self.body)


@dataclass(frozen=True, slots=True)
class Operation:
    """One way to name a slice in a call. In `path`, `query` and `body` `{slice}`, `{slug}` and `{event}` are filled in.

    `asks_always`: what may be written is asked for too.
    """

    call: str
    grid: Grid
    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] | None = None
    takes_origin: bool = True
    asks_always: bool = False
    rehearses: bool = False

    def request(self, caller: Caller, slice_name: str, slug: str = "n", event: str = "x") -> Request:
        """Return the call of a caller that names this slice."""
        words = {"slice": slice_name, "slug": slug, "event": event}
        query = {name: value.format(**words) for name, value in self.query.items()}
        body = _filled(dict(self.body), words) if self.body is not None else None
        if caller.origin is not None and self.takes_origin:
            if body is not None:
                body["origin"] = caller.origin
            else:
                query["origin"] = json.dumps(caller.origin)
        target = self.path.format(**words) + (f"?{urlencode(query, quote_via=quote)}" if query else "")
        return Request(self.method, target, body)


def _filled(given: Any, words: Mapping[str, str]) -> Any:
    if isinstance(given, Mapping):
        return {name: _filled(value, words) for name, value in given.items()}
    if isinstance(given, list):
        return [_filled(value, words) for value in given]
    return given.format(**words) if isinstance(given, str) else given


_PAGE = "/v1/pages/{slice}/{slug}"
_PAGES = [{"slug": "new", "content": "some words"}]

OPERATIONS: Mapping[str, Operation] = {
    "read_page": Operation("read_page", READ, "GET", _PAGE, {"slices": "{slice}"}),
    "read_page within": Operation("read_page", READ, "GET", _PAGE, {"slices": "public,{slice}"}),
    "read_page of a version": Operation("read_page", READ, "GET", _PAGE, {"version": "1", "slices": "{slice}"}),
    "read_page as of": Operation("read_page", READ, "GET", _PAGE, {"as_of": "2030-01-01", "slices": "{slice}"}),
    "versions": Operation("versions", READ, "GET", f"{_PAGE}/versions", {"slices": "{slice}"}),
    "list_pages": Operation("list_pages", READ, "GET", "/v1/pages", {"slice": "{slice}", "slices": "{slice}"}),
    "list_pages within": Operation("list_pages", READ, "GET", "/v1/pages", {"slices": "{slice}", "saved_by": "ada"}),
    "recall": Operation("recall", READ, "POST", "/v1/recall", body={"query": "plan rotation", "slices": ["{slice}"]}),
    "recall of a beginning": Operation(
        "recall", READ, "POST", "/v1/recall", body={"query": "plan rot", "slices": ["{slice}"], "prefix": True}
    ),
    "recall as of": Operation(
        "recall", READ, "POST", "/v1/recall",
        body={"query": "plan", "slices": ["{slice}"], "as_of": "2030-01-01", "saved_by": "ada"},
    ),
    "write_pages": Operation("write_pages", WRITE, "POST", "/v1/pages", body={"slice": "{slice}", "pages": _PAGES}),
    "write_pages dry": Operation(
        "write_pages", WRITE, "POST", "/v1/pages", body={"slice": "{slice}", "pages": _PAGES, "dry_run": True},
        rehearses=True,
    ),
    "delete": Operation("delete", REMOVE, "DELETE", _PAGE, body={"reason": "old"}),
    "restore": Operation("restore", REMOVE, "POST", f"{_PAGE}/restore", body={"version": 1}),
    "undo": Operation("undo", REMOVE, "POST", f"{_PAGE}/undo", body={"expected_event": "{event}"}),
    "propose": Operation(
        "propose", WRITE, "POST", "/v1/proposals", body={"op": "write", "slice": "{slice}", "pages": _PAGES},
        asks_always=True,
    ),
    "propose delete": Operation(
        "propose", REMOVE, "POST", "/v1/proposals", body={"op": "delete", "slice": "{slice}", "slug": "{slug}"},
        asks_always=True,
    ),
    "erase": Operation("erase", ERASE, "POST", f"{_PAGE}/erase", body={"dry_run": True}, takes_origin=False),
    "erase_slice": Operation(
        "erase_slice", ERASE, "POST", "/v1/slices/{slice}/erase", body={"dry_run": True}, takes_origin=False
    ),
    "audit": Operation("audit", AUDIT, "GET", "/v1/audit", {"slice": "{slice}"}, takes_origin=False),
    "report_denial": Operation(
        "report_denial", DENIALS, "POST", "/v1/denials", body={"op": "write", "slice": "{slice}"}
    ),
}  # fmt: skip
"""The columns' other side: each of these is held against its grid for every caller and every slice."""


def outcome(operation: Operation, answer: Answer) -> str:
    """Return an answer as the grids write it; what they have no word for as its status and code."""
    if answer.status == 200:
        if operation.grid is READ or operation.grid is AUDIT:
            return "r" if answer.body.get("hits", answer.body.get("items", [answer.body])) else "."
        if operation.grid is ERASE:
            return "r" if answer.body.get("slices") else "."
        if operation.grid is DENIALS:
            return "+"
        return "a" if answer.body["outcome"] == "would_ask" else "w"
    if answer.status == 202:
        return "d" if answer.body["proposal"]["state"] == "draft" else "a"
    words = {"not_found": ".", "not_permitted": "n", "slice_forbidden": "f", "invalid_request": "x"}
    return words.get(answer.code, f"{answer.status} {answer.code}")


def expected(operation: Operation, caller: str, place: str) -> str:
    """Return what the grid says, in the words of this operation."""
    said = operation.grid[caller][place]
    asked = (operation.asks_always and said == "w") or (operation.rehearses and said == "d")
    return "a" if asked else said.replace("e", ".")
