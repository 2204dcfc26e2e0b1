"""The second half of sending a draft: its twin in the destination's slice, under the same id (AP23)."""

from __future__ import annotations

from sqlalchemy import RowMapping

from sliceway.core.clock import from_text
from sliceway.core.policy import Policy
from sliceway.core.proposals import ASKED_AGAIN_DAYS, PageDiff, State
from sliceway.ports.time import Clock, NewId
from sliceway.store import proposals
from sliceway.store.ledger import slice_transaction
from sliceway.store.previews import Preview, preview_or_none
from sliceway.store.session import Session


def finish_send(
    session: Session,
    draft: RowMapping,
    policy: Policy,
    *,
    clock: Clock,
    new_id: NewId,
    quiet_days: int = ASKED_AGAIN_DAYS,
) -> RowMapping:
    """Return the destination's row of a draft that was sent, added now where it is missing (idempotent by id).

    It stands against the pages as they are now. Where they changed so that nothing is left to ask, it is
    `superseded` from the start.
    """
    with slice_transaction(session, draft["destination"], clock=clock, new_id=new_id) as tx:
        there = proposals.row_or_none(session, tx.slice, draft["id"])
        if there is not None:
            return there
        asking = proposals.asking_of(draft)
        seen, state = _seen(session, draft)
        denied_at = proposals.asked_before(tx, asking, seen[0])
        return proposals.add(
            tx, asking, id=draft["id"], act="sent", state=state, seen=seen, revision=draft["revision"],
            expire_after=policy.expire_after, asked_before=denied_at is not None,
            quiet=is_quiet(denied_at, tx.now, quiet_days),
        )  # fmt: skip


def _seen(session: Session, draft: RowMapping) -> tuple[Preview, State]:
    asking = proposals.asking_of(draft)
    seen = preview_or_none(session, asking.slice, asking.op, asking.pages)
    if seen is not None:
        return seen, State.PENDING
    return (asking.pages, tuple(PageDiff(page.slug, None, ()) for page in asking.pages)), State.SUPERSEDED


def is_quiet(denied_at: str | None, now: str, days: int) -> bool:
    """Say whether a denial is so recent that the same content gets no card again (AP18)."""
    return denied_at is not None and (from_text(now) - from_text(denied_at)).total_seconds() < days * 86_400
