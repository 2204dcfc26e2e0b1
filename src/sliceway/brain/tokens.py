"""Tokens: made, listed, rotated and revoked by those who administer; what each kind takes (BR2, GT9)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import timedelta

from sliceway.brain.actor import ActorPart
from sliceway.brain.administration import CLOSED
from sliceway.core.access import administering
from sliceway.core.clock import parse_duration, to_text
from sliceway.core.ids import check_agent_id
from sliceway.core.pages import Listing
from sliceway.core.policy import is_closed
from sliceway.core.principals import PrincipalKind
from sliceway.core.slices import SYSTEM, is_open
from sliceway.core.tokens import NewToken, TokenEntry, token_text
from sliceway.errors import FieldError, InvalidRequest
from sliceway.store.ledger import SliceTransaction, slice_transaction
from sliceway.store.session import Session
from sliceway.store.tokens import Rights, end_token, put_secret, put_token, tokens_known
from sliceway.wire.calls import ListingCall, NamedCall, TokenCall
from sliceway.wire.checks import checked

_OP = "tokens"
_TAKES = {
    "admin": frozenset[str](),
    "gateway": frozenset({"agent", "teams", "acts_for", "decides"}),
    "agent": frozenset({"agent"}),
    "reader": frozenset({"slices"}),
}
"""What each kind takes beside its time."""
_NEEDS = {"agent": "say which agent it is", "slices": "say which slices it reads: shared, public, kb-…"}
_TEAM = re.compile(r"[^\s,:]+")
_LONGEST = timedelta(days=3650)


class TokensPart(ActorPart):
    """What callers over HTTP are known by."""

    async def create_token(
        self,
        *,
        kind: str,
        agent: str | None = None,
        teams: Sequence[str] = (),
        acts_for: bool = False,
        decides: bool = False,
        slices: Sequence[str] = (),
        expires: str | None = None,
    ) -> NewToken:
        """See `Brain.create_token`."""
        call = checked(
            TokenCall, kind=kind, agent=agent, teams=teams, acts_for=acts_for, decides=decides, slices=slices,
            expires=expires,
        )  # fmt: skip
        await self._only_for_tokens()
        errors = [*_misfits(call)]
        if errors:
            raise InvalidRequest(errors=errors)
        good_for = _length(call.expires)
        rights = Rights(
            kind=PrincipalKind(call.kind), agent=check_agent_id(call.agent) if call.agent is not None else None,
            teams=sorted(set(call.teams)), acts_for=call.acts_for, decides=call.decides,
            slices=sorted(set(call.slices)),
            expires_at=to_text(self._clock() + good_for) if good_for is not None else None,
        )  # fmt: skip
        id, secret = self._new_id(), self._new_secret()

        def work(session: Session) -> TokenEntry:
            if rights.agent is not None and is_closed(self._policy(session), rights.agent):
                raise InvalidRequest(
                    errors=[FieldError("agent", "invalid_request", CLOSED.format(agent=rights.agent))]
                )  # fmt: skip
            with self._keeping_tokens(session) as tx:
                return put_token(tx, id, secret, rights, author=self._actor())

        return NewToken(token_text(id, secret), await self._store.writing(work))

    async def tokens(self, *, limit: int = 50, cursor: str | None = None) -> Listing[TokenEntry]:
        """See `Brain.tokens`."""
        call = checked(ListingCall, limit=limit, cursor=cursor)
        await self._only_for_tokens()

        def work(session: Session) -> Listing[TokenEntry]:
            self._policy(session)  # and with it the key of cursors
            session.enter(administering(self._principal))
            after = self._opened(session, _OP, call.cursor)
            part, goes_on = tokens_known(session, after=after, limit=call.limit)
            return Listing(part, self._sealed(session, _OP, part[-1].id) if goes_on else None)

        return await self._store.reading(work)

    async def rotate_token(self, *, id: str) -> NewToken:
        """See `Brain.rotate_token`."""
        call, secret = checked(NamedCall, id=id), self._new_secret()
        await self._only_for_tokens()

        def work(session: Session) -> TokenEntry:
            with self._keeping_tokens(session) as tx:
                return put_secret(tx, call.id, secret, author=self._actor())

        return NewToken(token_text(call.id, secret), await self._store.writing(work))

    async def revoke_token(self, *, id: str) -> TokenEntry:
        """See `Brain.revoke_token`."""
        call = checked(NamedCall, id=id)
        await self._only_for_tokens()

        def work(session: Session) -> TokenEntry:
            with self._keeping_tokens(session) as tx:
                return end_token(tx, call.id, author=self._actor())

        return await self._store.writing(work)

    def _keeping_tokens(self, session: Session) -> AbstractContextManager[SliceTransaction]:
        """Return a transaction of the brain's own slice, which tells a token with what it did anywhere."""
        session.enter(administering(self._principal))
        return slice_transaction(session, SYSTEM, clock=self._clock, new_id=self._new_id)

    async def _only_for_tokens(self) -> None:
        """See `_only`."""
        await self._only(self._administers, "Only an admin or the operator keeps tokens.", op=_OP)


def _misfits(call: TokenCall) -> Iterator[FieldError]:
    """Say what does not fit the kind of token, field by field."""
    takes = _TAKES[call.kind]
    given = {name for name in ("agent", "teams", "acts_for", "decides", "slices") if getattr(call, name)}
    for name in sorted(given - takes):
        yield FieldError(name, "invalid_request", f"a token of the kind {call.kind} takes no {name}")
    for name in sorted((takes & set(_NEEDS)) - given):
        yield FieldError(name, "missing", _NEEDS[name])
    if "slices" in takes and not all(is_open(name) for name in call.slices):
        yield FieldError("slices", "invalid_request", "a reader reads shared, public and kb-… slices only")
    if not all(_TEAM.fullmatch(team) for team in call.teams):
        yield FieldError("teams", "invalid_request", "each entry is the id of a workspace: no spaces, commas or colons")


def _length(expires: str | None) -> timedelta | None:
    """Return how long a token is good.

    :raises InvalidRequest: it is no duration, or too short or long a one.
    """
    if expires is None:
        return None
    try:
        length = parse_duration(expires)
    except InvalidRequest as error:
        raise InvalidRequest(errors=[FieldError("expires", "invalid_request", error.detail)]) from None
    if not timedelta() < length <= _LONGEST:
        raise InvalidRequest(
            errors=[FieldError("expires", "invalid_request", "a token is good for 1s to 3650d; leave it out for ever")]
        )
    return length
