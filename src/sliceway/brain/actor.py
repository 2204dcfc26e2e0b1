"""Who acts, by which policy, and what is recorded when they may not: what the parts about approval share."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from sliceway.brain.base import BoundBrain
from sliceway.core.access import recording
from sliceway.core.cursors import open_cursor, seal_cursor
from sliceway.core.pages import Author
from sliceway.core.policy import Policy, for_teams
from sliceway.core.principals import NO_ORIGIN, Origin, PrincipalKind
from sliceway.core.slices import SYSTEM, Landing, kind_of
from sliceway.core.turns import Person
from sliceway.errors import Forbidden, NotPermitted, SliceForbidden
from sliceway.store.ledger import SliceTransaction, slice_transaction
from sliceway.store.policy import cursor_key, load_policy
from sliceway.store.record import record
from sliceway.store.session import Session
from sliceway.wire.codec import to_json

_ADMINISTERS = frozenset({PrincipalKind.ADMIN, PrincipalKind.OPERATOR})


class ActorPart(BoundBrain):
    """The caller as an actor."""

    def _policy(self, session: Session) -> Policy:
        """Return the policy that this caller is judged by, as it stands."""
        return for_teams(load_policy(session, self._now()), self._principal.teams)

    def _actor(self, origin: Origin = NO_ORIGIN, *, person: Person | None = None) -> dict[str, Any]:
        """Return the author of an event that this caller causes, for a person where there is one."""
        author: Author = self._author(origin if person is None else Origin(person=person, place=origin.place))
        signed: dict[str, Any] = to_json(author)
        if self._principal.kind in _ADMINISTERS:
            signed["by"] = self._principal.kind.value
        if self._principal.kind is PrincipalKind.OPERATOR:
            signed["operator"] = self._operator
        return signed

    @property
    def _operator(self) -> str:
        """What the operator is recorded as (AP20)."""
        return self._principal.os_user or "operator"

    @property
    def _administers(self) -> bool:
        return self._principal.kind in _ADMINISTERS

    def _system(self, session: Session) -> AbstractContextManager[SliceTransaction]:
        """Return a transaction of the brain's own slice."""
        session.enter(recording())
        return slice_transaction(session, SYSTEM, clock=self._clock, new_id=self._new_id)

    def _refused(self, session: Session, *, op: str, slice_name: str, origin: Origin, error: Forbidden) -> None:
        """Record a refusal: who, on whose behalf, what, where, why; ids and words of ours (OP1)."""
        about = {
            "op": op, "slice": slice_name if kind_of(slice_name) is not None else None, "code": error.code,
            "why": error.detail, "proposal": error.facts.get("proposal"), "turn": origin.turn,
            "person": to_json(error.facts.get("person")),
        }  # fmt: skip
        with self._system(session) as tx:
            record(tx, "refused", about=about, author=self._actor(origin))

    def _denial(self, slice_name: str, origin: Origin) -> Forbidden:
        """Return the refusal of a write to a slice: by its kind alone, or by who calls from where."""
        kind = kind_of(slice_name)
        if kind is None or kind.landing is Landing.NEVER:
            return SliceForbidden()
        if kind.landing is Landing.PERSON and origin.person is None:
            return SliceForbidden("A private corner is written for its person alone; no person is named.")
        return NotPermitted("From here, this caller may not write to that slice.")

    def _sealed(self, session: Session, purpose: str, place: Any) -> str:
        """Return a cursor for a place in a list, good for this caller's agent and kind alone, whatever token it shows;
        the policy was loaded before."""
        return seal_cursor(cursor_key(session), self._whose_list(purpose), place)

    def _opened(self, session: Session, purpose: str, cursor: str | None, *, field: str = "cursor") -> Any:
        """Return the place that a cursor stands for, None without one.

        :raises InvalidRequest: it is none of this list that this caller was given: another's is as one that is made up.
        """
        if cursor is None:
            return None
        return open_cursor(cursor_key(session), self._whose_list(purpose), cursor, field=field)

    def _whose_list(self, purpose: str) -> str:
        return f"{self._principal.kind.value} {self._principal.agent_id or ''} {purpose}"
