"""Following the brain's changes: what is owed to people follows from them, keyed, so a crash derives it again (AP3)."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from sliceway.core.clock import to_text
from sliceway.core.proposals import Change, State
from sliceway.core.traces import trace_of
from sliceway.errors import InvalidRequest, Unauthorized
from sliceway.flows.card_posts import CARD, RECORD
from sliceway.flows.notices import HEARD, NOTICE
from sliceway.flows.parts import Parts
from sliceway.flows.trouble import NOT_LET_IN, trouble_of
from sliceway.ports.desk import OWED_KEPT

log = logging.getLogger(__name__)

CURSOR, BEGAN, ANEW = "changes", "began", "anew"
"""Names on the desk: how far the feed was read, when this desk was first used, and since when the feed is read anew,
until that reading comes to its end."""

_WAIT_S = 20.0
_PAUSES_S, _NOT_LET_IN_S = (1.0, 2.0, 4.0), 30.0
"""Seconds until the feed is read again after trouble, the last for as long as it lasts; and where only somebody with a
new token can end it."""


def debts_of(change: Change) -> tuple[str, ...]:
    """Return the kinds of what a change leads to."""
    match change.state:
        case State.DRAFT:
            return ()
        case State.PENDING:
            return (CARD, NOTICE, HEARD)
        case _:
            return (RECORD, NOTICE, HEARD)


class Follower:
    """Reads the feed from where the desk remembers and owes what follows, then moves the cursor."""

    def __init__(self, parts: Parts, kick: Callable[[], None]) -> None:
        """Take the ports, and what to call when something is owed."""
        self._parts, self._kick = parts, kick
        self._loop: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to follow."""
        self._loop = asyncio.create_task(self._run(), name="changes")

    @property
    def is_alive(self) -> bool:
        """Whether it follows."""
        return self._loop is not None and not self._loop.done()

    async def stop(self) -> None:
        """Stop following; what was read and not yet owed is read again at the next start."""
        if self._loop is not None:
            self._loop.cancel()
            await asyncio.gather(self._loop, return_exceptions=True)

    async def _run(self) -> None:
        """Follow until cancelled; trouble is logged, once while it lasts, and tried again."""
        before: type[Exception] | None = None
        failed = 0
        while True:
            trouble = await trouble_of(self.step(_WAIT_S))
            if trouble is None:
                if before is not None:
                    log.info("the brain's changes are read again")
                before, failed = None, 0
                continue
            if type(trouble) is not before:
                before = type(trouble)
                _tell(trouble)
            log.debug("the brain's changes cannot be read", exc_info=trouble)
            pause = _PAUSES_S[min(failed, len(_PAUSES_S) - 1)]
            failed += 1
            await asyncio.sleep(_NOT_LET_IN_S if isinstance(trouble, Unauthorized) else pause)

    async def step(self, wait: float = 0.0) -> None:
        """Read one part of the feed, owe what follows, and remember how far it was read."""
        desk = self._parts.desk
        began, after = await self._began(), await desk.cursor(CURSOR) or None
        try:
            changes = await self._parts.brain.changes(after=after, wait=wait)
        except InvalidRequest as refused:
            if after is None or not any(error.field == "after" for error in refused.errors):
                raise
            await self._read_anew(began)
            return
        anew = await desk.cursor(ANEW) or None
        for change in changes.items:
            self._parts.metrics.count("proposals", state=change.state.value)
            await self._owe(change, began)
            if anew is not None and change.state is State.PENDING:
                await self._owe_again(change, anew)
        if changes.items:
            self._kick()
        elif anew is not None:
            await desk.move_cursor(ANEW, "")
        if changes.cursor != after:
            await desk.move_cursor(CURSOR, changes.cursor)

    async def _owe(self, change: Change, began: str) -> None:
        """Owe what follows from one change. What happened before this desk was first used is old news to people: its
        cards are kept right, nobody is told."""
        for kind in debts_of(change):
            if kind in {NOTICE, HEARD} and change.at < began:
                continue
            await self._parts.desk.owe(
                key=f"{kind}/{change.id}/{change.revision}/{change.at}",
                kind=kind,
                payload=_told(change),
                lane=f"card/{change.id}" if kind in {CARD, RECORD} else None,
            )

    async def _owe_again(self, change: Change, anew: str) -> None:
        """Owe the cards of what waits, whatever this desk did about it before: chat may show a decision that the brain
        no longer knows, or a card that it never heard of. Each is looked up, and made to show how it stands."""
        for kind in (CARD, RECORD):
            await self._parts.desk.owe(
                key=f"{kind}/{change.id}/{change.revision}/{anew}", kind=kind,
                payload={**_told(change), "looks": True}, lane=f"card/{change.id}",
            )  # fmt: skip

    async def _read_anew(self, began: str) -> None:
        """Forget a place that this brain never gave: it was restored from a backup, or is another one.

        All of the feed is read again. What was owed before and is settled keeps its key on the desk, so it is not told
        twice; what is older than such keys are kept is told to nobody. Only the cards of what waits are owed again.
        """
        log.warning("this brain does not know how far its changes were read here; they are read from their beginning")
        told_once = to_text(self._parts.clock() - OWED_KEPT)
        await self._parts.desk.move_cursor(BEGAN, max(began, told_once))
        await self._parts.desk.move_cursor(ANEW, to_text(self._parts.clock()))
        await self._parts.desk.move_cursor(CURSOR, "")

    async def _began(self) -> str:
        """Return when this desk was first used."""
        if (began := await self._parts.desk.cursor(BEGAN)) is None:
            began = to_text(self._parts.clock())
            await self._parts.desk.move_cursor(BEGAN, began)
        return began


def _told(change: Change) -> dict[str, Any]:
    """Return what a debt remembers of the change that it follows from."""
    return {"id": change.id, "revision": change.revision, "state": change.state.value}


def _tell(trouble: Exception) -> None:
    """Log why the feed is not read."""
    if isinstance(trouble, Unauthorized):
        log.error("cards, records and notices wait: %s", NOT_LET_IN)
    else:
        log.warning("the brain's changes cannot be read (%s); trying again", trace_of(trouble))
