"""The record held against itself, and what a turn already did."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sliceway.brain.actor import ActorPart
from sliceway.core.pages import Receipt
from sliceway.core.slices import PUBLIC, SHARED
from sliceway.errors import NotPermitted
from sliceway.ports.brain import OriginLike
from sliceway.ports.outcomes import Done, VerifyReport
from sliceway.store import requests, verify
from sliceway.store.engine import Connection
from sliceway.wire.calls import TurnCall, VerifyCall
from sliceway.wire.checks import checked, plain
from sliceway.wire.codec import from_json


class RecordPart(ActorPart):
    """The part of the brain that verifies its ledger and tells a turn what it already did."""

    async def verify(
        self, *, since: Mapping[str, str] | None = None, progress: Callable[[int, int], None] | None = None
    ) -> VerifyReport:
        """See `Brain.verify`."""
        self._only_for_administration("verify the record")
        call = checked(VerifyCall, since=plain(since))
        return await self._database.reading(
            lambda connection: verify.verify(connection, since=call.since, progress=progress)
        )  # fmt: skip

    async def head(self) -> dict[str, str]:
        """See `Brain.head`."""
        self._only_for_administration("see the heads of the record")
        return await self._database.reading(verify.heads)

    async def done_in(self, *, turn: str, origin: OriginLike = None) -> Done:
        """See `Brain.done_in`."""
        call = checked(TurnCall, turn=turn)
        said = self._origin(origin)

        def work(connection: Connection) -> Done:
            agent, own = self._principal.agent_id, self._principal.own_slice
            if agent is None or own is None:
                return Done((), ())
            who = self._sight(connection, said).person
            seen = [own, SHARED, PUBLIC, *([who.slice] if who is not None else [])]
            receipts: list[Receipt] = []
            for answer in requests.answers_in(connection, seen, agent=agent, turn=call.turn):
                if isinstance(answer, list):
                    receipts.extend(from_json(Receipt, receipt) for receipt in answer)
            return Done(tuple(receipts), self._asked_in(connection, call.turn, said))

        return await self._database.reading(work)

    def _only_for_administration(self, what: str) -> None:
        if not self._administers:
            raise NotPermitted(f"Only an admin or the operator may {what}.")
