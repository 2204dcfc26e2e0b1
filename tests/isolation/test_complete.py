"""Nothing comes into the house without a row in the matrix: no route, no field, no verb (rule 18 of the house)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

import click
import pytest

from sliceway.cli.front import VERBS, root
from sliceway.server.arguments import whole_model
from sliceway.wire.checks import Strict
from sliceway.wire.routes import ROUTES, STREAMS
from tests.contract.people import ANN, DEPLOYS, in_channel
from tests.isolation.grid import grid_of
from tests.isolation.operations import OPERATIONS
from tests.isolation.test_ids import BY_ID, LISTS, SHORT
from tests.isolation.test_verbs import VERBS_BY_SLICE
from tests.isolation.world import PLACES, World

_MAY = grid_of("""
                        agent bob gateway no-decisions no-rights reads-shared reads-kb admin
whoami                  200   200 200     200          200       200          200      200
policy                  200   200 200     200          200       200          200      200
set_policy              403   403 403     403          403       403          403      200
set_trust               403   403 200     403          403       403          403      403
observe                 403   403 200     200          200       403          403      403
register                200   200 200     200          200       403          403      403
head                    403   403 403     403          403       403          403      200
verify                  403   403 403     403          403       403          403      200
erase_person            403   403 403     403          403       403          403      200
create_token            403   403 403     403          403       403          403      201
tokens                  403   403 403     403          403       403          403      200
proposals               200   200 200     200          200       200          200      200
changes                 200   200 200     200          200       200          200      200
grants                  200   200 200     200          200       200          200      200
agents                  200   200 200     200          200       200          200      200
slices                  200   200 200     200          200       200          200      200
audit                   200   200 200     200          200       200          200      200
""")
"""The calls that name neither slice nor id: the status for each token (BR2, GT9, SC7)."""
_MANAGER = {"team": "T1", "user": "U-MAN"}
_BODIES: Mapping[str, Any] = {
    "set_policy": {"raised": []}, "set_trust": {"team": "T1", "channel": "C9", "trust": "trusted", "by": _MANAGER},
    "observe": {"place": {"team": "T1", "channel": DEPLOYS["channel"]}}, "register": {}, "verify": {},
    "erase_person": {"person": {"team": "T1", "user": "U-NOBODY"}},
    "create_token": {"kind": "reader", "slices": ["public"]},
}  # fmt: skip

_OWN = frozenset({"shared", "public", "_system"})
_READS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(
        ("agent", "gateway", "no decisions", "no rights"), frozenset({"agent-ada", "agent-olda", "kb-one"})
    ),
    "bob": frozenset({"agent-bob", "agent-oldb", "kb-two", "agent"}),
    "reads shared": frozenset(), "reads kb": frozenset({"kb-two"}),
}  # fmt: skip
"""The names that each may know of beside the team's."""

SLICES, PAGES, THINGS, PEOPLE, PLACE, WORDS, LIMITS = (
    "names a slice: each operation of the matrix that has it",
    "names a page or an event inside the slice that the call names: undo by a foreign event, links in FR11's floods",
    "names a thing by its id or key: `test_ids`",
    "names a person or an agent: the callers of the matrix, and `test_widening`",
    "names a place: the callers of the matrix, and `test_widening`",
    "is said, and reaches nothing",
    "bounds or filters what is reached otherwise",
)
REACH: Mapping[str, str] = {
    **dict.fromkeys(("slice", "slices", "since"), SLICES),  # `since` of `verify` names slices, an admin's alone
    **dict.fromkeys(("alias", "mind"), SLICES),  # of the calls on agents, an admin's: `test_ids`
    **dict.fromkeys(("slug", "after", "pages", "expected_event", "version", "if_version", "as_of"), PAGES),
    **dict.fromkeys(("id", "cursor", "turn", "request_id", "revision"), THINGS),  # `after` of `changes` is one too
    **dict.fromkeys(("by", "person", "decided_by", "agent", "saved_by", "to"), PEOPLE),
    **dict.fromkeys(("team", "user", "enterprise", "standing"), PEOPLE),
    **dict.fromkeys(("managers", "approvers", "raised", "teams", "kb", "dm", "self_approval"), PEOPLE),  # an admin's
    **dict.fromkeys(
        ("origin", "place", "surface", "channel", "thread", "private", "kind", "external", "guests",
         "trusted_channels"),
        PLACE,
    ),
    **dict.fromkeys(
        ("name", "link", "title", "content", "summary", "reason", "display", "source", "holder", "ref", "op",
         "decision", "trust", "deactivated"),
        WORDS,
    ),
    **dict.fromkeys(
        ("query", "prefix", "limit", "tag", "tags", "until", "state", "wait", "lease_s", "dry_run", "grant_seconds",
         "expires", "undo", "expire_after", "grant_for", "acts_for", "decides"),
        LIMITS,
    ),
}  # fmt: skip
"""Each field of each call, and of what stands in it: what it can reach, and where that is tried."""

_OPERATORS = "works on the store's own file as its operator; over HTTP it is an admin's call or refused"
_NO_BRAIN = "reads and writes no slice by name"
VERBS_KNOWN: Mapping[str, str] = {
    **dict.fromkeys(VERBS_BY_SLICE, "aimed at every slice in `test_verbs`"),
    "memoize": "writes to the agent's own, or asks for the team's: it takes no name of a slice",
    **dict.fromkeys(
        ("proposals list", "proposals show", "proposals approve", "proposals deny", "proposals withdraw", "grants list",
         "grants revoke", "token create", "token list", "token rotate", "token revoke", "policy show", "policy set",
         "agent list", "agent alias", "agent rename", "agent merge", "agent retire", "slices list", "slices erase",
         "page erase", "person erase", "audit", "ledger verify", "ledger head", "ledger rebuild", "ledger export",
         "ledger import", "backup", "kb add", "kb list", "kb remove"),
        _OPERATORS,
    ),
    **dict.fromkeys(
        (
            "demo", "workspace", "gateway", "brain serve", "brain migrate", "brain embed", "plugins list",
            "plugins check", "doctor",
        ),
        _NO_BRAIN,
    ),
}  # fmt: skip
"""Every verb, and how it stands to the slices of others."""


def test_every_route_is_in_the_matrix() -> None:
    """Rule 18: a new route fails here until it is aimed at what is somebody else's, or said who may call it."""
    known = {each.call for each in OPERATIONS.values()} | set(BY_ID) | set(LISTS) | set(SHORT) | set(_MAY)
    known -= {"card_posted"}  # `claim_card` on the wire
    assert {route.call for route in ROUTES} == known
    assert {route.call for route in STREAMS} == {"export", "import_"}  # `test_streams`


def _fields(model: type[Strict]) -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield name
        yield from _inside(field.annotation)


def _inside(kind: Any) -> Iterator[str]:
    if isinstance(kind, type) and issubclass(kind, Strict):
        yield from _fields(kind)
    for part in get_args(kind):
        yield from _inside(part)


def test_every_field_of_a_call_is_in_the_matrix() -> None:
    """Rule 18: a new field of a call fails here until it is said what it can reach, and tried."""
    assert {name for route in (*ROUTES, *STREAMS) for name in _fields(whole_model(route))} == set(REACH)


def test_every_verb_is_in_the_matrix() -> None:
    """Rule 18: a new verb fails here until it is aimed at what is somebody else's, or said why it cannot be."""
    found = set()
    for name in VERBS:
        command = root.get_command(click.Context(root), name)
        below = command.commands if isinstance(command, click.Group) else None
        found |= {name} if below is None else {f"{name} {each}" for each in below}
    assert found == set(VERBS_KNOWN)


@pytest.mark.parametrize("call", _MAY)
def test_br2_who_may_call_what_names_nothing(world: World, call: str) -> None:
    """BR2 GT9 SC9: calls that name no slice are made by whom the grid says, and tell no names of anybody else's."""
    route = next(route for route in ROUTES if route.call == call)
    wrong = []
    for column, status in _MAY[call].items():
        who = column.replace("-", " ")
        answer = world.send(route.method, route.path, who=who, body=_BODIES.get(call))
        if str(answer.status) != status:
            wrong.append(f"{who}: {answer.status} instead of {status}")
        told = answer.raw.decode()
        known = _OWN | _READS.get(who, frozenset(PLACES.values())) | {"agent"}  # a word, beside a name
        if (call, who) == ("agents", "gateway"):
            continue  # who decides is told of every agent, by the contract
        foreign = set(PLACES.values()) - known
        wrong += [f"{who}: it names {name}" for name in foreign if f'"{name}"' in told]
    assert not wrong, "\n".join([f"{call}:", *wrong])


@pytest.mark.parametrize("token", ["none", "revoked"])
def test_br2_every_route_wants_a_good_token(world: World, token: str) -> None:
    """BR2 OP5: each call without one is the same 401, before anything else about it is looked at."""
    answers = set()
    for route in ROUTES:
        path = route.path.format(slice="agent-bob", slug="n", id="x", turn="x")
        body = None if route.in_query else {"origin": in_channel(ANN), "no such field": 1}
        answer = world.send(route.method, path, who=token, body=body)
        answers.add((answer.status, answer.raw, answer.headers["www-authenticate"]))
    assert len(answers) == 1
    assert next(iter(answers))[0] == 401
