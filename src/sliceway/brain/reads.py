"""Reading: pages, lists, histories, and what there is to read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from sliceway.brain.actor import ActorPart
from sliceway.core.clock import parse_time, to_text
from sliceway.core.gate import readable
from sliceway.core.pages import Listing, Page, PageEntry, VersionEntry
from sliceway.core.policy import Policy
from sliceway.core.principals import NO_ORIGIN, Origin, PrincipalKind
from sliceway.core.scope import team_reads
from sliceway.core.slices import PUBLIC, SHARED
from sliceway.errors import NotFound
from sliceway.ports.brain import OriginLike
from sliceway.ports.outcomes import WhoAmI
from sliceway.store import reads as store
from sliceway.store.filters import Filters, agent_named
from sliceway.store.session import Session
from sliceway.wire.checks import checked, listed
from sliceway.wire.models import ListCall, ReadCall

_NO_PAGE = "There is no such page."

Result = TypeVar("Result")


class PageReads(ActorPart):
    """The part of the brain that reads pages."""

    async def read_page(
        self,
        *,
        slice: str,
        slug: str,
        version: int | None = None,
        as_of: str | None = None,
        slices: Sequence[str] | None = None,
        origin: OriginLike = None,
    ) -> Page:
        """See `Brain.read_page`."""
        call = checked(ReadCall, slice=slice, slug=slug, version=version, as_of=as_of, slices=listed(slices))
        said = await self._origin_for("read", origin)
        moment = to_text(parse_time(call.as_of, end_of_day=True)) if call.as_of is not None else None

        def work(session: Session) -> Page:
            name, scope = self._where(session, call, said)
            if call.version is None and moment is None:
                page = store.live_page(session, name, call.slug)
            else:
                page = store.version_of_page(session, name, call.slug, version=call.version, at=moment)
            if page is None:
                raise NotFound(_NO_PAGE)
            ends = store.links_from(session, page, scope), store.links_to(session, page.slug, scope)
            return replace(page, links=ends[0], backlinks=ends[1])

        return await self._store.reading(work)

    async def versions(
        self,
        *,
        slice: str,
        slug: str,
        limit: int = 50,
        cursor: str | None = None,
        slices: Sequence[str] | None = None,
        origin: OriginLike = None,
    ) -> Listing[VersionEntry]:
        """See `Brain.versions`."""
        call = checked(ReadCall, slice=slice, slug=slug, limit=limit, cursor=cursor, slices=listed(slices))
        said = await self._origin_for("read", origin)

        def work(session: Session) -> Listing[VersionEntry]:
            name, _ = self._where(session, call, said)
            purpose = f"versions {name} {call.slug}"
            before = self._opened(session, purpose, call.cursor)
            found = store.history(session, name, call.slug, before=before, limit=call.limit + 1)
            if not found and before is None:
                raise NotFound(_NO_PAGE)
            return _part(found, call.limit, lambda last: self._sealed(session, purpose, last.version))

        return await self._store.reading(work)

    async def list_pages(
        self,
        *,
        slice: str | None = None,
        slices: Sequence[str] | None = None,
        saved_by: str | None = None,
        tag: str | None = None,
        kind: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
        origin: OriginLike = None,
    ) -> Listing[PageEntry]:
        """See `Brain.list_pages`."""
        call = checked(
            ListCall, slice=slice, slices=listed(slices), saved_by=saved_by, tag=tag, kind=kind, limit=limit,
            cursor=cursor,
        )  # fmt: skip
        said = await self._origin_for("read", origin)

        def work(session: Session) -> Listing[PageEntry]:
            name = self._named(call.slice, said) if call.slice is not None else None
            scope = self._enter_reading(session, said, call.slices)
            if name is not None:
                scope = tuple(one for one in scope if one == name)
            after = self._opened(session, "pages", call.cursor)
            agent = None
            if call.saved_by is not None:
                agent = agent_named(session, scope, call.saved_by)
                if agent is None:
                    return Listing(())
            filters = Filters(agent=agent, tags=(call.tag,) if call.tag is not None else (), kind=call.kind)
            found = store.entries(session, scope, filters=filters, after=after, limit=call.limit + 1)
            return _part(found, call.limit, lambda last: self._sealed(session, "pages", [last.slice, last.slug]))

        return await self._store.reading(work)

    async def whoami(self) -> WhoAmI:
        """See `Brain.whoami`."""
        who = self._principal

        def work(session: Session) -> WhoAmI:
            reads = sorted(self._own_reads(self._policy(session)))
            own = who.own_slice
            writes = [own, SHARED, PUBLIC] if own is not None else []
            if who.kind is PrincipalKind.GATEWAY and who.acts_for:
                reads.append("user-*")
                writes.append("user-*")
            said: dict[str, Any] = {"kind": who.kind.value, "agent": who.agent_id, "token_id": who.token_id}
            if who.kind is PrincipalKind.GATEWAY:
                said |= {"teams": sorted(who.teams), "acts_for": who.acts_for, "decides": who.decides}
            return WhoAmI(said, tuple(writes), tuple(reads))

        return await self._store.reading(work)

    def _own_reads(self, policy: Policy) -> frozenset[str]:
        """Return what the caller reads without anyone's origin; for a gateway, where it is trusted."""
        if self._principal.kind is PrincipalKind.GATEWAY:
            return team_reads(policy, self._principal.agent_id or "")
        return readable(self._principal, NO_ORIGIN, policy)

    def _where(self, session: Session, call: ReadCall, origin: Origin) -> tuple[str, tuple[str, ...]]:
        """Return the slice that a call reads in, and the slices that its links may end in.

        :raises NotFound: that slice is not the caller's to read: as if it did not exist (BR4).
        """
        name = self._named(call.slice, origin)
        scope = self._enter_reading(session, origin, call.slices)
        if name not in scope:
            raise NotFound(_NO_PAGE)
        return name, scope


def _part(found: list[Result], limit: int, cursor: Callable[[Result], str]) -> Listing[Result]:
    """Return a part of a list of which one more than `limit` was looked for."""
    items = tuple(found[:limit])
    return Listing(items, cursor(items[-1]) if len(found) > limit else None)
