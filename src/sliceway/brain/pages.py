"""Writing pages: judged by the ceiling, then written, or asked for where a person must say yes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sliceway.brain.actor import ActorPart
from sliceway.core.access import changing
from sliceway.core.gate import OPS, OpClass, Verdict, ceiling
from sliceway.core.grants import GrantNote
from sliceway.core.pages import Action, Receipt
from sliceway.core.policy import Policy
from sliceway.core.principals import Origin
from sliceway.core.proposals import ProposedPage
from sliceway.core.slices import Landing, kind_of
from sliceway.errors import FieldError, InvalidRequest, SlicewayError
from sliceway.ports.brain import OriginLike, PageLike
from sliceway.ports.outcomes import Outcome
from sliceway.store import pages as store
from sliceway.store.ledger import slice_transaction
from sliceway.store.requests import Request, first_answer, keep_answer
from sliceway.store.session import Session
from sliceway.wire.checks import checked
from sliceway.wire.codec import from_json, to_json
from sliceway.wire.models import ChangeCall, WriteCall, pages_fields


class _Rehearsed(SlicewayError):
    """A dry run came to its end; nothing of it is kept."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__()
        self.outcome = outcome


class PageWrites(ActorPart):
    """The part of the brain that changes pages."""

    async def write_pages(
        self,
        *,
        slice: str,
        pages: Sequence[PageLike],
        origin: OriginLike = None,
        request_id: str | None = None,
        dry_run: bool = False,
    ) -> Outcome:
        """See `Brain.write_pages`."""
        call = checked(WriteCall, slice=slice, pages=pages_fields(pages), request_id=request_id, dry_run=dry_run)
        drafts = tuple(page.draft() for page in call.pages)
        twice = [at for at, draft in enumerate(drafts) if draft.slug in {other.slug for other in drafts[:at]}]
        if twice:
            raise InvalidRequest(
                errors=[
                    FieldError(f"pages.{at}.slug", "invalid_request", "the slug is in this call twice") for at in twice
                ]
            )
        proposed = tuple(ProposedPage(draft.slug, None, draft) for draft in drafts)
        return await self._change("write", call.slice, proposed, origin, call.request_id, dry_run=call.dry_run)

    async def delete(
        self,
        *,
        slice: str,
        slug: str,
        if_version: int | None = None,
        reason: str | None = None,
        origin: OriginLike = None,
        request_id: str | None = None,
    ) -> Outcome:
        """See `Brain.delete`."""
        call = checked(
            ChangeCall, slice=slice, slug=slug, if_version=if_version, reason=reason, request_id=request_id
        )  # fmt: skip
        return await self._change_one("delete", call, origin)

    async def restore(
        self,
        *,
        slice: str,
        slug: str,
        version: int | None = None,
        if_version: int | None = None,
        reason: str | None = None,
        origin: OriginLike = None,
        request_id: str | None = None,
    ) -> Outcome:
        """See `Brain.restore`."""
        call = checked(
            ChangeCall, slice=slice, slug=slug, version=version, if_version=if_version, reason=reason,
            request_id=request_id,
        )  # fmt: skip
        return await self._change_one("restore", call, origin)

    async def undo(
        self,
        *,
        slice: str,
        slug: str,
        expected_event: str,
        reason: str | None = None,
        origin: OriginLike = None,
        request_id: str | None = None,
    ) -> Outcome:
        """See `Brain.undo`."""
        call = checked(
            ChangeCall, slice=slice, slug=slug, expected_event=expected_event, reason=reason, request_id=request_id
        )
        return await self._change_one("undo", call, origin)

    async def _change_one(self, op: str, call: ChangeCall, origin: OriginLike) -> Outcome:
        page = ProposedPage(call.slug, None, version=call.version, event=call.expected_event)
        return await self._change(
            op, call.slice, (page,), origin, call.request_id, if_version=call.if_version, reason=call.reason
        )

    async def _change(
        self,
        op: str,
        named: str,
        pages: Sequence[ProposedPage],
        origin: OriginLike,
        request_id: str | None,
        *,
        if_version: int | None = None,
        reason: str | None = None,
        dry_run: bool = False,
    ) -> Outcome:
        """Do one op to pages of one slice, all or none, in one transaction."""
        said = await self._origin_for(op, origin)
        content: dict[str, Any] = {
            "op": op, "pages": to_json(pages), "if_version": if_version, "reason": reason,
        }  # fmt: skip
        request = self._request(request_id, said, content)

        def work(session: Session) -> Outcome:
            slice_name = self._named(named, said, writes=True)
            policy = self._policy(session)
            verdict = self._judged(op, slice_name, said, policy)
            (home,) = session.enter(changing(op, slice_name, self._principal, said, policy)).landings
            taken_back = OPS[op].op_class is OpClass.REMOVE and _landing(slice_name) is Landing.AGENT
            by = store.Signature(
                self._author(said), reason=reason, only_caused_by=said.person if taken_back else None
            )  # fmt: skip
            with slice_transaction(session, home, clock=self._clock, new_id=self._new_id) as kept_in:
                drafted = home != slice_name
                transaction = kept_in.beside(slice_name) if drafted else kept_in
                first = first_answer(transaction, request)
                if isinstance(first, list):
                    receipts = tuple(replace(from_json(Receipt, receipt), replayed=True) for receipt in first)
                    return Outcome("written", receipts)
                if verdict is Verdict.ASK:
                    again = first is not None or (drafted and first_answer(kept_in, request) is not None)
                    grant = None if again else self._grant(session, op, slice_name, pages, said, policy)
                    if grant is None:
                        return self._asked_for(
                            session, op, slice_name, pages, said, policy, request, if_version, reason,
                            dry_run=dry_run, again=again,
                        )  # fmt: skip
                    by = replace(by, grant=grant)
                receipts = tuple(store.apply(transaction, op, page, by, if_version=if_version) for page in pages)
                if dry_run:
                    unsaid = tuple(replace(receipt, event_id="") for receipt in receipts)
                    raise _Rehearsed(Outcome("written", unsaid, dry_run=True))
                keep_answer(transaction, request, to_json(receipts))
            return Outcome("written", receipts)

        try:
            return await self._act(work, op=op, slice_name=named, origin=said)
        except _Rehearsed as rehearsed:
            return rehearsed.outcome

    def _judged(self, op: str, slice_name: str, origin: Origin, policy: Policy) -> Verdict:
        """Return the ceiling where it is not DENY.

        :raises SliceForbidden: the kind of slice alone decides. :raises NotPermitted: this caller may not, from here.
        """
        verdict = ceiling(op, slice_name, self._principal, origin, policy)
        if verdict is not Verdict.DENY:
            return verdict
        raise self._denial(slice_name, origin)

    def _grant(
        self,
        session: Session,
        op: str,
        slice_name: str,
        pages: Sequence[ProposedPage],
        origin: Origin,
        policy: Policy,
    ) -> GrantNote | None:
        """Return the grant that stands in for the card (AP16)."""
        if not OPS[op].grantable:
            return None
        size = sum(page.draft.size for page in pages if page.draft is not None)
        grant = self._grant_for(session, slice_name=slice_name, origin=origin, size=size, policy=policy)
        return grant.note if grant is not None else None

    def _asked_for(
        self,
        session: Session,
        op: str,
        slice_name: str,
        pages: Sequence[ProposedPage],
        origin: Origin,
        policy: Policy,
        request: Request,
        if_version: int | None,
        reason: str | None,
        *,
        dry_run: bool,
        again: bool,
    ) -> Outcome:
        """Store the proposal, once it is sure that it could be done; nobody is asked for what changes nothing.

        :param again: a retry of a request that was asked for before: it is given that proposal.
        """
        planned = [] if again else [store.plan(session, slice_name, op, page, if_version=if_version) for page in pages]
        if planned and all(one.action is Action.NOCHANGE for one in planned):
            standing = tuple(store.standing(one.row) for one in planned if one.row is not None)
            return Outcome("written", standing, dry_run=dry_run)
        if dry_run:
            return Outcome("would_ask", dry_run=True)
        proposal = self._ask(
            session, op=op, slice_name=slice_name, pages=pages, origin=origin, policy=policy, request=request,
            reason=reason,
        )  # fmt: skip
        return Outcome("pending", proposal=proposal)


def _landing(slice_name: str) -> Landing:
    kind = kind_of(slice_name)
    return kind.landing if kind is not None else Landing.NEVER
