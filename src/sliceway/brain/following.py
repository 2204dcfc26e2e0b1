"""Keeping mounted folders and their slices in step: looked at by the store's own process, written where it changed."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from itertools import islice

from sliceway.brain.folders import BEING_WRITTEN, Look, Mark, NoFolder, drafts_of, look
from sliceway.core.access import keeping, recording
from sliceway.core.markdown import Links, slugs_of
from sliceway.core.pages import PageDraft
from sliceway.core.slices import SYSTEM
from sliceway.ports.time import Clock, NewId
from sliceway.store import mounts
from sliceway.store.ledger import slice_transaction
from sliceway.store.mounts import Mount
from sliceway.store.session import Session, Store

_TOLD = 50
"""Problems that are named."""
_REST = 20
"""A folder is left alone for so many times as long as the last look at it took."""

Lease = Callable[[], Awaitable[bool]]


@dataclass(slots=True)
class _Seen:
    """What this process knows of a folder: the marks at the last look, None before; those of what was taken, and what
    was wrong with some; and when it is looked at again."""

    folder: str
    last: Mapping[str, Mark] | None = None
    taken: dict[str, Mark] = field(default_factory=dict)
    problems: dict[str, str] = field(default_factory=dict)
    compared: bool = False
    due: datetime | None = None


@dataclass(frozen=True, slots=True)
class _News:
    """What is to be read, and what to be deleted: `all_` where links of unchanged files may lead elsewhere now."""

    read: Mapping[str, Mark]
    all_: bool


async def _nobody_else() -> bool:
    return True


class Follower:
    """Follows the folders of one store."""

    def __init__(self, store: Store, *, clock: Clock, new_id: NewId) -> None:
        """Know nothing of any folder yet."""
        self._store, self._clock, self._new_id = store, clock, new_id
        self._seen: dict[str, _Seen] = {}

    async def follow_all(self, lease: Lease = _nobody_else) -> int:
        """Look at every mounted folder whose time has come; return how many pages changed. A folder without news
        writes nothing.

        :param lease: says whether this process may write; asked before anything is.
        """
        known = await self._store.reading(mounts.mounts_known)
        here = [mount for mount in known if not mount.removed]
        self._seen = {mount.slice: self._seen[mount.slice] for mount in here if mount.slice in self._seen}
        changed = 0
        for mount in here:
            seen = self._seen.get(mount.slice)
            if seen is None or seen.due is None or self._clock() >= seen.due:
                changed += await self.follow(mount, lease)
        return changed

    async def follow(self, mount: Mount, lease: Lease = _nobody_else, *, at_once: bool = False) -> int:
        """Look at one folder, and take in what is news and was so at the look before; return how many pages changed.

        :param at_once: take in all of it as it is: whoever mounts the folder says that it is ready.
        """
        seen = self._seen.get(mount.slice)
        if seen is None or seen.folder != mount.folder:
            seen = self._seen[mount.slice] = _Seen(mount.folder)
        began = time.perf_counter()
        try:
            found = await asyncio.to_thread(look, mount.folder)
        except NoFolder as error:
            await self._report(mount, {"": str(error)}, lease)
            return 0
        seen.due = self._clock() + timedelta(seconds=_REST * (time.perf_counter() - began))
        news = _news(seen, found, at_once=at_once)
        seen.last = found.marks
        changed = 0
        if news is not None:
            if not await lease():
                return 0
            changed = await self._taken_in(mount, seen, found, news)
        await self._report(mount, {**seen.problems, **found.problems}, lease)
        return changed

    async def _taken_in(self, mount: Mount, seen: _Seen, found: Look, news: _News) -> int:
        slugs, wrong = await asyncio.to_thread(slugs_of, found.marks)
        links, left = Links(slugs), iter(news.read.items())
        seen.taken = {path: mark for path, mark in seen.taken.items() if path in found.marks}
        seen.problems = {**wrong, **{path: why for path, why in seen.problems.items() if path in seen.taken}}
        changed = 0
        while part := dict(islice(left, mounts.IN_ONE)):
            drafts, problems = await asyncio.to_thread(drafts_of, mount.folder, part, slugs, links)
            if drafts:
                in_step = partial(self._in_step, mount=mount, drafts=list(drafts.values()), gone=())
                changed += await self._store.writing(in_step)
            for path, mark in part.items():
                seen.problems.pop(path, None)
                if problems.get(path) != BEING_WRITTEN:
                    seen.taken[path] = mark
            seen.problems |= {**problems, **{path: why for path, why in wrong.items() if path in part}}
        if news.all_ and found.whole:
            changed += await self._forgotten(mount, set(slugs.values()))
            seen.compared = True
        return changed

    async def let_go(self, mount: Mount) -> int:
        """Delete the pages of a folder that is mounted no more; return how many there were."""
        return await self._forgotten(mount, set())

    async def _forgotten(self, mount: Mount, slugs: set[str]) -> int:
        """Delete the pages whose files are gone; a file that is there and is no page any more keeps its last one."""

        def there(session: Session) -> tuple[str, ...]:
            session.enter(keeping())
            return mounts.folder_slugs(session, mount.slice)

        left = [slug for slug in await self._store.reading(there) if slug not in slugs]
        changed = 0
        for at in range(0, len(left), mounts.IN_ONE):
            part = left[at : at + mounts.IN_ONE]
            changed += await self._store.writing(partial(self._in_step, mount=mount, drafts=(), gone=part))
        return changed

    def _in_step(
        self, session: Session, *, mount: Mount, drafts: Sequence[PageDraft], gone: Sequence[str]
    ) -> int:  # fmt: skip
        """Change pages of the slice, as long as the folder is mounted there."""
        now = mounts.mount_or_none(session, mount.slice)
        if now is None or now.folder != mount.folder or (now.removed and drafts):
            return 0
        session.enter(keeping(mount.slice))
        with slice_transaction(session, mount.slice, clock=self._clock, new_id=self._new_id) as tx:
            return mounts.follow(tx, drafts) if drafts else mounts.forget(tx, gone)

    async def _report(
        self, mount: Mount, problems: dict[str, str], lease: Callable[[], Awaitable[bool]]
    ) -> None:  # fmt: skip
        """Keep what could not be taken, where it is other than before."""
        words = [f"{path}: {why}" if path else why for path, why in sorted(problems.items())]
        told = (*words[:_TOLD], *([f"and {len(words) - _TOLD} more"] if len(words) > _TOLD else []))
        if told == (mount.report or ()) or not await lease():
            return

        def work(session: Session) -> None:
            session.enter(recording())
            session.land(SYSTEM)
            mounts.put_report(session, mount.slice, told)

        await self._store.writing(work)


def _news(seen: _Seen, found: Look, *, at_once: bool) -> _News | None:
    """Return what there is to do: of files that are as they were at the look before; None for nothing."""
    last = found.marks if at_once else seen.last
    if last is None:
        return None
    settled = {path: mark for path, mark in found.marks.items() if last.get(path) == mark}
    changed = {path: mark for path, mark in settled.items() if seen.taken.get(path) != mark}
    gone = [path for path in seen.taken if path not in found.marks and path not in last]
    if at_once or gone or not seen.compared or any(path not in seen.taken for path in changed):
        return _News(settled, all_=True)
    return _News(changed, all_=False) if changed else None
