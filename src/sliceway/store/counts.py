"""How much there is, for whoever runs the store: counts without names, slices or people (OP2)."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import case, func, select

from sliceway.core.access import EVERY
from sliceway.core.proposals import State
from sliceway.core.sight import CORNERS
from sliceway.store.session import Session
from sliceway.store.tables import proposals


def proposals_by_state(session: Session, now: str) -> Mapping[str, int]:
    """Return how many proposals stand at each state at `now`. What waits in private corners, drafts and all, is its
    owner's alone, also by number (AP23, SC9)."""
    overdue = (proposals.c.state == State.PENDING.value) & (proposals.c.expires_at <= now)
    state = case((overdue, State.EXPIRED.value), else_=proposals.c.state)
    shown = (proposals.c.slice == proposals.c.destination, proposals.c.slice.not_like(f"{CORNERS}%"))
    rows = session.execute(select(state, func.count()).where(*shown).group_by(state), of=EVERY)
    found = {known.value: 0 for known in State if known is not State.DRAFT}
    return found | {name: count for name, count in rows if name in found}
