"""What every part of the embedded brain shares: who calls, from where, what may be read, and how an act is done."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from sliceway.brain.meaning import Meaning
from sliceway.core.access import Access, reading
from sliceway.core.clock import to_text
from sliceway.core.grants import Grant
from sliceway.core.pages import Author
from sliceway.core.policy import Policy
from sliceway.core.principals import NO_ORIGIN, Origin, Principal, PrincipalKind
from sliceway.core.proposals import (
    ASKED_AGAIN_DAYS,
    MAX_PENDING_PER_AGENT,
    MAX_PENDING_PER_REQUESTER,
    MAX_PROPOSAL,
    Proposal,
    ProposedPage,
)
from sliceway.core.slices import SYSTEM, kind_of
from sliceway.errors import FieldError, Forbidden, InvalidRequest, NotPermitted, SliceForbidden
from sliceway.ports.brain import Brain, OriginLike
from sliceway.ports.time import Clock, NewId, NewSecret
from sliceway.store.requests import Request
from sliceway.store.session import Session, Store
from sliceway.wire.models import to_origin

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of each thing a brain takes (settings)."""

    proposal_bytes: int = MAX_PROPOSAL
    pending_per_requester: int = MAX_PENDING_PER_REQUESTER
    pending_per_agent: int = MAX_PENDING_PER_AGENT
    asked_again_days: int = ASKED_AGAIN_DAYS


class BoundBrain(Brain):
    """A brain bound to one principal over one store. The parts are mixins of this class."""

    def __init__(
        self,
        store: Store,
        principal: Principal,
        *,
        clock: Clock,
        new_id: NewId,
        new_secret: NewSecret,
        limits: Limits | None = None,
        meaning: Meaning | None = None,
    ) -> None:
        """Bind `principal`, once and for all calls (BR1). Without `meaning` recall knows keywords alone."""
        self._store = store
        self._principal = principal
        self._clock = clock
        self._new_id = new_id
        self._new_secret = new_secret
        self._limits = limits or Limits()
        self._meaning = meaning

    @abstractmethod
    def _policy(self, session: Session) -> Policy:
        """Return the policy as it stands for this session's moment."""

    @abstractmethod
    def _ask(
        self,
        session: Session,
        *,
        op: str,
        slice_name: str,
        pages: Sequence[ProposedPage],
        origin: Origin,
        policy: Policy,
        request: Request,
        reason: str | None = None,
        raised: bool = False,
    ) -> Proposal:
        """Store a proposal (a draft in a private origin), in the transaction of the one slice it is a row of, and
        keep it as the request's answer there; a retry is given the first one. The `base_version` of the pages is
        filled in here. The verdict was ASK when this is called.

        :raises IdempotencyConflict: the request id was used for other content.
        """

    @abstractmethod
    def _grant_for(
        self, session: Session, *, slice_name: str, origin: Origin, size: int, policy: Policy
    ) -> Grant | None:
        """Return the live grant that covers a write of `size` bytes from this origin, None where a card is due."""

    @abstractmethod
    def _refused(self, session: Session, *, op: str, slice_name: str, origin: Origin, error: Forbidden) -> None:
        """Record a refusal in `_system`, in a transaction of its own (OP1)."""

    @abstractmethod
    def _asked_in(self, session: Session, turn: str) -> tuple[Proposal, ...]:
        """Return the proposals that the caller's agent made in a turn, as far as the session may see them (BR6)."""

    def _now(self) -> str:
        return to_text(self._clock())

    def _origin(self, origin: OriginLike) -> Origin:
        """Return the origin a caller gave.

        :raises NotPermitted: only a gateway speaks of people and places. :raises InvalidRequest: a field is wrong.
        """
        given = to_origin(origin)
        if given != NO_ORIGIN and self._principal.kind is not PrincipalKind.GATEWAY:
            raise NotPermitted("Only a gateway gives an origin; leave it out.")
        return given

    async def _origin_for(self, op: str, origin: OriginLike) -> Origin:
        """Return the origin a caller gave, before any transaction begins; a refusal is recorded (OP1).

        :raises NotPermitted: only a gateway speaks of people and places. :raises InvalidRequest: a field is wrong.
        """
        if to_origin(origin) == NO_ORIGIN or self._principal.kind is PrincipalKind.GATEWAY:
            return self._origin(origin)
        return await self._act(lambda _session: self._origin(origin), op=op, slice_name="", origin=NO_ORIGIN)

    def _author(self, origin: Origin) -> Author:
        """Return who writes: from the principal and the origin, never from the call's body (BR3)."""
        who = self._principal
        surface = origin.place.surface if origin.place is not None else ("local" if who.token_id is None else "api")
        return Author(who.agent_id, who.token_id, origin.person, surface, origin.place)

    def _request(self, request_id: str | None, origin: Origin, content: dict[str, object]) -> Request:
        """Return this call as a retry would repeat it."""
        for_whom = {"for": list(origin.person.key)} if origin.person is not None else {}
        return Request(
            request_id, self._principal.key, self._principal.agent_id, origin.turn, {**content, **for_whom}
        )  # fmt: skip

    def _named(self, name: str, origin: Origin, *, field: str = "slice", writes: bool = False) -> str:
        """Return a slice as a call names it, in full.

        :raises InvalidRequest: no slice can be named so, or by this caller.
        :raises SliceForbidden: for a write, the kind of slice alone forbids it.
        """
        if name == "mine":
            if self._principal.kind is not PrincipalKind.AGENT or self._principal.own_slice is None:
                raise InvalidRequest(
                    errors=[FieldError(field, "invalid_request", "'mine' is an agent's word; name the slice in full")]
                )
            return self._principal.own_slice
        if name == "user":
            if origin.person is not None:
                return origin.person.slice
            if writes:
                raise SliceForbidden("A private corner is written for its person alone; no person is named.")
            raise InvalidRequest(
                errors=[FieldError(field, "invalid_request", "'user' needs a person in the origin")]
            )  # fmt: skip
        kind = kind_of(name)
        if kind is None or not kind.named:
            raise InvalidRequest(errors=[FieldError(field, "invalid_request", "no slice has that name")])
        return name

    def _enter_reading(self, session: Session, origin: Origin, slices: Iterable[str] | None) -> tuple[str, ...]:
        """Go on with access to the slices that a read may look into, and return them in order: those named and
        readable, or all that are readable.

        :raises InvalidRequest: a gateway must say what this turn may read (BR5), or no slice has such a name.
        """
        access = reading(self._principal, origin, self._policy(session))
        return self._enter_only(session, access, origin, slices)

    def _enter_only(
        self, session: Session, access: Access, origin: Origin, slices: Iterable[str] | None
    ) -> tuple[str, ...]:
        """Go on with no more of an access than the slices that a call names; see `_enter_reading`."""
        if slices is not None:
            named = {self._named(name, origin, field="slices") for name in slices}
        elif self._principal.kind is not PrincipalKind.GATEWAY:
            named = set(access.reads)
        else:
            raise InvalidRequest(
                errors=[FieldError("slices", "missing", "a gateway says what this turn may read")]
            )  # fmt: skip
        return tuple(sorted(session.enter(access.only(named)).reads))

    async def _only(self, allowed: bool, words: str, *, op: str) -> None:
        """Refuse a caller whose kind has no such right, and record that (OP1). What is wrong with the form of a call is
        told first, to anybody: so it comes to the same with or without a wire (BR1).

        :raises NotPermitted: not `allowed`; `words` say who is.
        """

        def refuse(_session: Session) -> None:
            raise NotPermitted(words)

        if not allowed:
            await self._act(refuse, op=op, slice_name=SYSTEM, origin=NO_ORIGIN)

    async def _act(
        self, work: Callable[[Session], Result], *, op: str, slice_name: str, origin: Origin
    ) -> Result:  # fmt: skip
        """Run a write in one transaction; a refusal leaves nothing of it behind but its record in `_system` (OP1)."""
        try:
            return await self._store.writing(work)
        except Forbidden as refused:
            error = refused
        await self._store.writing(
            lambda session: self._refused(session, op=op, slice_name=slice_name, origin=origin, error=error)
        )
        raise error
