"""From the arguments of a port's method to the fields of a call: checked by the models that the embedded brain checks
them by, so that what is wrong is refused alike with or without a wire (BR1, BR5)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sliceway.core.policy_fields import checked_fields
from sliceway.wire import bodies, calls, models
from sliceway.wire.checks import Strict, checked, listed, plain
from sliceway.wire.codec import to_json
from sliceway.wire.models import origin_fields, pages_fields, person_fields, to_origin, to_person
from sliceway.wire.routes import ROUTES, STREAMS, Route

ROUTE_OF: Mapping[str, Route] = {route.call: route for route in ROUTES}
"""The row of each call; `card_posted` is `claim_card` with a `ref`."""
STREAM_OF: Mapping[str, Route] = {route.call: route for route in STREAMS}
"""The row of each call that streams."""
ROUTE_OF = {**ROUTE_OF, "card_posted": ROUTE_OF["claim_card"]}


@dataclass(frozen=True, slots=True)
class _Shape:
    """How a call's arguments are checked: the model, what each is made of first, and which one is a person."""

    model: type[Strict] = bodies.Empty
    first: Mapping[str, Callable[[Any], Any]] = field(default_factory=dict)
    person: str | None = None


_SLICES = {"slices": listed}
_PAGE_CALL = _Shape(models.ReadCall, _SLICES)
_CHANGE = _Shape(models.ChangeCall)
_PART = _Shape(calls.ListingCall)
_NAMED = _Shape(calls.NamedCall)
_SHAPES: Mapping[str, _Shape] = {
    "whoami": _Shape(),
    "recall": _Shape(models.RecallCall, _SLICES),
    "list_pages": _Shape(models.ListCall, _SLICES),
    "read_page": _PAGE_CALL,
    "versions": _PAGE_CALL,
    "write_pages": _Shape(models.WriteCall, {"pages": pages_fields}),
    "delete": _CHANGE,
    "restore": _CHANGE,
    "undo": _CHANGE,
    "erase": _Shape(calls.EraseCall),
    "erase_slice": _Shape(calls.EraseSliceCall),
    "erase_person": _Shape(calls.ErasureCall, person="person"),
    "propose": _Shape(calls.ProposeCall, {"pages": pages_fields}),
    "proposals": _Shape(calls.ProposalsCall),
    "proposal": _NAMED,
    "decide": _Shape(calls.DecideCall, person="decided_by"),
    "withdraw": _Shape(calls.StepCall),
    "send_draft": _Shape(calls.StepCall),
    "claim_card": _Shape(calls.ClaimCall),
    "card_posted": _Shape(calls.PostedCall),
    "changes": _Shape(calls.ChangesCall),
    "grants": _PART,
    "revoke_grant": _Shape(calls.NamedCall, person="by"),
    "policy": _Shape(),
    "set_trust": _Shape(calls.TrustCall, person="by"),
    "observe": _Shape(calls.ObserveCall, {"place": plain, "person": plain}),
    "report_denial": _Shape(calls.DenialCall, {"reason": lambda reason: None if reason == "" else reason}),
    "register": _Shape(calls.RegisterCall),
    "agents": _PART,
    "alias_agent": _Shape(calls.AliasAgentCall),
    "rename_agent": _Shape(calls.RenameAgentCall),
    "merge_agent": _Shape(calls.MergeAgentCall),
    "retire_agent": _Shape(calls.RetireAgentCall),
    "done_in": _Shape(calls.TurnCall),
    "slices": _PART,
    "audit": _PART,
    "head": _Shape(),
    "verify": _Shape(calls.VerifyCall, {"since": plain}),
    "create_token": _Shape(calls.TokenCall),
    "tokens": _PART,
    "rotate_token": _NAMED,
    "revoke_token": _NAMED,
    "mount": _Shape(calls.MountCall),
    "unmount": _Shape(calls.UnmountCall),
    "export": _Shape(calls.ExportCall, _SLICES),
    "import_": _Shape(calls.ImportCall),
}
_NOT_SENT = frozenset({"origin", "progress"})
"""Arguments that are no fields of the model: the origin goes by itself, and progress is told to nobody far away."""


def fields_of(call: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a call as JSON values, those of its path included; what says nothing new is left out.

    :param given: the arguments of the port's method, by name, defaults included.
    :raises InvalidRequest: naming each field that is wrong.
    """
    if call == "set_policy":
        return _policy_fields(given["changes"])
    shape = _SHAPES[call]
    beside = _NOT_SENT | {shape.person}
    named = {name: value for name, value in given.items() if name not in beside}
    made = checked(shape.model, **{name: shape.first.get(name, _same)(value) for name, value in named.items()})
    fields: dict[str, Any] = made.model_dump(mode="json", exclude_defaults=True)
    if shape.person is not None and given[shape.person] is not None:
        to_person(given[shape.person], shape.person)
        fields[shape.person] = _said(person_fields(given[shape.person]))
    if call == "revoke_grant" and "by" in fields:
        fields["person"] = fields.pop("by")  # `TEAM:USER` would lose the rest of them
    if origin := _said(origin_fields(to_origin(given.get("origin")))):
        fields["origin"] = origin
    return fields


def _same(value: Any) -> Any:
    return value


def _said(value: Any) -> Any:
    """Return a mapping without what says nothing: no value, not so, an ordinary member."""
    if not isinstance(value, Mapping):
        return value
    found = {name: _said(item) for name, item in value.items()}
    return {
        name: item
        for name, item in found.items()
        if item is not None and item is not False and item != {} and (name, item) != ("standing", "member")
    }


def _policy_fields(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of the policy. None is a value: the default."""
    return {name: to_json(value) for name, value in checked_fields(changes).items()}
