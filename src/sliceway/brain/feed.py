"""What waits and what changed, as far as the caller may see (AP3, AP26, BR16)."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from functools import partial
from typing import Any

from sliceway.brain.actor import ActorPart
from sliceway.core.access import handling, seeing
from sliceway.core.clock import to_text
from sliceway.core.pages import Listing
from sliceway.core.principals import Origin, PrincipalKind
from sliceway.core.proposals import CardClaim, Change, Changes, Proposal
from sliceway.core.slices import SYSTEM
from sliceway.errors import FieldError, InvalidRequest, NotPermitted
from sliceway.ports.brain import CardPlaceLike, OriginLike
from sliceway.store import cards
from sliceway.store import proposals as rows
from sliceway.store.inbox import changed, find, newest, of_turn, still_there
from sliceway.store.session import Session
from sliceway.wire.calls import ChangesCall, ClaimCall, NamedCall, PostedCall, ProposalsCall
from sliceway.wire.checks import checked
from sliceway.wire.models import to_origin

_PART = 200
_FEED, _NEWEST = "changes", "proposals"


class FeedPart(ActorPart):
    """The proposals of a caller's sight."""

    async def proposals(
        self, *, state: str | None = None, limit: int = 50, cursor: str | None = None, origin: OriginLike = None
    ) -> Listing[Proposal]:
        """Return the proposals that the caller may see, newest first (AP26)."""
        call = checked(ProposalsCall, state=state, limit=limit, cursor=cursor)
        said = await self._origin_for("proposals", origin)

        def work(session: Session) -> Listing[Proposal]:
            now = self._now()
            session.enter(seeing(self._principal, said, self._policy(session)))
            before = self._opened(session, _NEWEST, call.cursor)
            found = newest(session, state=call.state, before=before, limit=call.limit + 1, now=now)
            part = found[: call.limit]
            more = self._sealed(session, _NEWEST, part[-1]["id"]) if len(found) > call.limit else None
            return Listing(tuple(rows.shown(session, row, now) for row in part), more)

        return await self._store.reading(work)

    def _asked_in(self, session: Session, turn: str) -> tuple[Proposal, ...]:
        """Return the proposals that the caller's agent made in a turn, as far as the caller may see them (BR6)."""
        now = self._now()
        found = of_turn(session, turn)
        return tuple(rows.shown(session, row, now) for row in found)

    async def proposal(self, *, id: str, origin: OriginLike = None) -> Proposal:
        """Return one proposal. :raises NotFound: missing and foreign alike."""
        call = checked(NamedCall, id=id)
        said = await self._origin_for("proposals", origin)

        def work(session: Session) -> Proposal:
            session.enter(seeing(self._principal, said, self._policy(session)))
            return rows.shown(session, find(session, call.id), self._now())

        return await self._store.reading(work)

    async def changes(self, *, after: str | None = None, wait: float = 0.0, origin: OriginLike = None) -> Changes:
        """Return what changed since `after` (None: all), waiting up to `wait` seconds (0 to 60) for something.

        At most 200 entries at once; the cursor goes on from the last.
        """
        call = checked(ChangesCall, after=after, wait=wait)
        said = await self._origin_for("proposals", origin)

        def look(session: Session, *, again: bool = False) -> Changes:
            session.enter(seeing(self._principal, said, self._policy(session)))
            return self._changes(session, call.after, known=again)

        if not call.wait:
            return await self._store.reading(look)
        loop = asyncio.get_running_loop()
        until = loop.time() + call.wait
        again = False
        with self._store.watch() as watch:
            while True:
                version = await asyncio.to_thread(watch.version)  # before the look: what comes after it is not missed
                found = await self._store.reading(partial(look, again=again))
                left = until - loop.time()
                if found.items or left <= 0 or not await watch.changed(version, left):
                    return found
                again = True

    def _changes(self, session: Session, after: str | None, *, known: bool) -> Changes:
        """Return one part of the feed. The cursor keeps a place for each slice seen, and tells nobody.

        :param known: that the places are in this record was looked at before.
        :raises InvalidRequest: a place is none that this brain ever gave, as after it was put back from a backup.
        """
        given = self._opened(session, _FEED, after, field="after") or {}
        # A place that an earlier release gave is a number alone: it is taken as it is.
        places: dict[str, Any] = {
            name: place if isinstance(place, list) else (place, None) for name, place in given.items()
        }
        if not (known or still_there(session, places)):
            raise InvalidRequest(errors=[FieldError("after", "invalid_request", "this record never came so far")])
        items = []
        now = self._now()
        for row in changed(session, {name: place[0] for name, place in places.items()}, _PART):
            places[row["slice"]] = (row["changed"], row["changed_at"])
            items.append(
                Change(
                    row["id"], row["destination"], row["revision"], rows.state_of(row, now), row["changed_at"],
                    row["superseded_by"], row["grant_id"],
                )
            )  # fmt: skip
        return Changes(tuple(items), self._sealed(session, _FEED, places))

    async def claim_card(
        self, *, id: str, place: CardPlaceLike, holder: str, lease_s: float, origin: OriginLike = None
    ) -> CardClaim:
        """Claim to post the card of a proposal in a place; one holder at a time, until the lease ends (AP3)."""
        call = checked(ClaimCall, id=id, place=place, holder=holder, lease_s=lease_s)
        said = await self._posts(origin)

        def work(session: Session) -> CardClaim:
            row = self._carded(session, said, call.id)
            until = to_text(self._clock() + timedelta(seconds=call.lease_s))
            return cards.claim(session, row["slice"], call.id, call.place, call.holder, now=self._now(), until=until)

        return await self._act(work, op="cards", slice_name=SYSTEM, origin=said)

    async def card_posted(
        self, *, id: str, place: CardPlaceLike, holder: str, ref: str, origin: OriginLike = None
    ) -> CardClaim:
        """Say where the card stands; a lost lease is `claimed: false` and changes nothing."""
        call = checked(PostedCall, id=id, place=place, holder=holder, ref=ref)
        said = await self._posts(origin)

        def work(session: Session) -> CardClaim:
            row = self._carded(session, said, call.id)
            return cards.posted(session, row["slice"], call.id, call.place, call.holder, call.ref, now=self._now())

        return await self._act(work, op="cards", slice_name=SYSTEM, origin=said)

    def _carded(self, session: Session, origin: Origin, id: str) -> rows.ProposalRow:
        """Return the proposal whose card is posted, and go on in its slice.

        :raises NotPermitted: who asked for it sees it through other agents' gateways too; those post no card of it.
        """
        session.enter(handling(self._principal, origin, self._policy(session)))
        row = find(session, id)
        if row["agent"] != self._principal.agent_id and not self._principal.decides:
            raise NotPermitted("The card is posted by the gateway of the agent that asks, or by one that decides.")
        session.land(row["slice"])
        return row

    async def _posts(self, origin: OriginLike) -> Origin:
        """Return the origin of a caller that posts cards.

        :raises NotPermitted: only gateways post. :raises InvalidRequest: a field of the origin is wrong.
        """
        to_origin(origin)
        await self._only(self._principal.kind is PrincipalKind.GATEWAY, "Only a gateway posts cards.", op="cards")
        return self._origin(origin)
