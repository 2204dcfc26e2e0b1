"""The port over HTTP, method by method from the table of calls: same keywords, same results, same errors (BR1)."""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Awaitable, Callable, Mapping
from inspect import Signature, signature
from typing import Any, cast

from sliceway.client.arguments import ROUTE_OF, fields_of
from sliceway.client.patience import Patience
from sliceway.client.repeats import IF_LOST, REPEATS, Repeat
from sliceway.client.requests import request_for
from sliceway.client.streams import RecordClient
from sliceway.client.wire import Exchange, Wire
from sliceway.core.proposals import Proposal, State
from sliceway.errors import NotFound, NotPending, Unavailable
from sliceway.ports.brain import Brain
from sliceway.ports.time import NewId

_LONG = {
    "verify": 600.0, "merge_agent": 600.0, "erase": 600.0, "erase_slice": 600.0, "erase_person": 600.0,
}  # fmt: skip
"""Seconds that a call may take which is long work by nature."""
_DECIDED = {"approve": State.APPLIED, "deny": State.DENIED}


class RemoteBrain(RecordClient):
    """What every call of a remote brain shares. The methods are made of the table by `BrainClient`."""

    def __init__(self, wire: Wire, patience: Patience, *, token_id: str | None, new_id: NewId) -> None:
        """Take the wire, and the id of the token that it shows."""
        self._wire, self._patience = wire, patience
        self._token_id, self._new_id = token_id, new_id

    async def _make(self, call: str, given: Mapping[str, Any]) -> Any:
        """Make one call of the port.

        :param given: its arguments by name, defaults included.
        """
        fields = fields_of(call, given)
        if REPEATS[call] is Repeat.BY_REQUEST_ID:
            fields.setdefault("request_id", self._new_id())
        request = request_for(call, ROUTE_OF[call], fields)
        exchange = Exchange(request, _LONG.get(call, self._patience.deadline) + fields.get("wait", 0.0))
        try:
            return await self._wire.send(exchange)
        except NotPending as refused:
            if exchange.unsure and (done := await self._done_already(call, fields, refused)) is not None:
                return done
            raise
        except Unavailable as lost:
            if exchange.unsure and call in IF_LOST:
                raise Unavailable(f"{lost.detail} {IF_LOST[call]}", **lost.facts) from lost
            raise

    async def _done_already(self, call: str, fields: Mapping[str, Any], refused: NotPending) -> Proposal | None:
        """Return the proposal where an attempt of this very call, whose answer was lost, moved it; None where somebody
        else did, or did something else.

        A decision is this call's where the same person came to the same by this very token, for the same reason and
        with a grant only where one was asked for. A proposal is taken back by this call where that was the next thing
        that happened to the revision it named.
        """
        try:
            if call == "decide":
                by, who = refused.facts.get("decided_by") or {}, fields.get("decided_by", {})
                ours = by.get("relayed_by") == self._token_id and _ids(by) == _ids(who)
                if refused.facts.get("state") != _DECIDED[fields["decision"]].value or not ours:
                    return None
                found = await self.proposal(id=fields["id"], origin={"person": who})
                granted = (found.grant is not None) == (fields.get("grant_seconds") is not None)
                return found if granted and found.reason == fields.get("reason") else None
            found = await self.proposal(id=fields["id"], origin=fields.get("origin"))
        except NotFound:
            return None
        is_next = found.revision == fields["revision"] + 1
        return found if found.state is State.WITHDRAWN and is_next else None


def _ids(person: Mapping[str, Any]) -> tuple[Any, Any]:
    return person.get("team"), person.get("user")


def _method(call: str, takes: Signature) -> Callable[..., Awaitable[Any]]:
    """Return the port's method `call`, with the port's own keywords."""

    async def made(self: RemoteBrain, *args: Any, **named: Any) -> Any:
        given = takes.bind(self, *args, **named)
        given.apply_defaults()
        return await self._make(call, {name: value for name, value in given.arguments.items() if name != "self"})

    made.__name__, made.__qualname__, made.__doc__ = call, f"BrainClient.{call}", f"See `Brain.{call}`."
    made.__signature__ = takes  # type: ignore[attr-defined]
    return made


_METHODS = {call: _method(call, signature(getattr(Brain, call))) for call in ROUTE_OF if hasattr(Brain, call)}
BrainClient = cast("type[RemoteBrain]", ABCMeta("BrainClient", (RemoteBrain,), {**_METHODS, "__module__": __name__}))
"""A brain elsewhere. A method of the port that has no route leaves it abstract: it cannot be made then."""
