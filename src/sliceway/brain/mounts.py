"""Mounting folders: by whoever holds the store, recorded, and followed by the process that keeps the store."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from pathlib import Path

from sliceway.brain.actor import ActorPart
from sliceway.brain.folders import NoFolder, look
from sliceway.brain.following import Follower
from sliceway.core.access import overseeing
from sliceway.core.ids import check_agent_id
from sliceway.core.policy import Policy
from sliceway.core.principals import PrincipalKind
from sliceway.core.slices import kb_slice
from sliceway.errors import Conflict, FieldError, InvalidRequest, NotFound
from sliceway.ports.outcomes import MountEntry
from sliceway.store import mounts as store
from sliceway.store.ledger import SliceTransaction
from sliceway.store.mounts import Mount
from sliceway.store.policy import BY_HAND, set_fields, to_kept
from sliceway.store.session import Session
from sliceway.wire.calls import MountCall, UnmountCall
from sliceway.wire.checks import checked

ONLY_HERE = "Only the operator mounts folders: run `sliceway kb` where the store is."
"""What anybody else is told, with or without a wire."""


class MountsPart(ActorPart):
    """The part of the brain that mounts folders."""

    async def mount(self, *, label: str, folder: str, agents: Sequence[str] = ()) -> MountEntry:
        """See `Mounting.mount`."""
        call = checked(MountCall, label=label, folder=folder, agents=agents)
        await self._only_where_the_store_is()
        name = _slice_of(call.label)
        readers = [check_agent_id(agent, allow_default=True) for agent in call.agents]
        place = await asyncio.to_thread(_usable, call.folder)

        def work(session: Session) -> Mount:
            policy, known = self._policy(session), store.mount_or_none(session, name)
            with self._system(session) as tx:
                if known is None or known.removed:
                    store.put_mount(tx, name, place, author=self._actor())
                elif known.folder != place:
                    raise Conflict(f"{name} is the folder {known.folder}; remove it first, or take another label.")
                _let_read(tx, policy, name, readers, author=self._actor())
            made = store.mount_or_none(session, name)
            assert made is not None
            return made

        made = await self._store.writing(work)
        await Follower(self._store, clock=self._clock, new_id=self._new_id).follow(made, at_once=True)
        return await self._entry(name)

    async def unmount(self, *, label: str) -> MountEntry:
        """See `Mounting.unmount`."""
        call = checked(UnmountCall, label=label)
        await self._only_where_the_store_is()
        name = _slice_of(call.label)

        def work(session: Session) -> Mount:
            policy, known = self._policy(session), store.mount_or_none(session, name)
            if known is None:
                raise NotFound(f"No folder is mounted as {name}; `sliceway kb list` says which are.")
            if not known.removed:
                with self._system(session) as tx:
                    store.remove_mount(tx, name, author=self._actor())
                    _let_nobody_read(tx, policy, name, author=self._actor())
            return known

        known = await self._store.writing(work)
        await Follower(self._store, clock=self._clock, new_id=self._new_id).let_go(known)
        return await self._entry(name)

    async def mounts(self) -> tuple[MountEntry, ...]:
        """See `Mounting.mounts`."""
        await self._only_where_the_store_is()
        return tuple(entry for entry in await self._entries() if entry.removed_at is None)

    async def _entry(self, name: str) -> MountEntry:
        return next(entry for entry in await self._entries() if entry.slice == name)

    async def _entries(self) -> tuple[MountEntry, ...]:
        def work(session: Session) -> tuple[MountEntry, ...]:
            policy, known = self._policy(session), store.mounts_known(session)
            session.enter(overseeing(self._principal, policy))
            counted = store.pages_counted(session, [mount.slice for mount in known])
            return tuple(_shown(mount, policy, counted.get(mount.slice, 0)) for mount in known)

        return await self._store.reading(work)

    async def _only_where_the_store_is(self) -> None:
        await self._only(self._principal.kind is PrincipalKind.OPERATOR, ONLY_HERE, op="mounts")


def _slice_of(label: str) -> str:
    """Return the slice of a label.

    :raises InvalidRequest: it is not spelt as a slice is: people will read and write it.
    """
    name = kb_slice(label)
    if name.removeprefix(kb_slice("x")[:-1]) != label:
        detail = "use a-z, 0-9 and single hyphens between them, at most 61, like team-handbook"
        raise InvalidRequest(errors=[FieldError("label", "invalid_request", detail)])
    return name


def _usable(folder: str) -> str:
    """Return a folder as it is looked at: the place itself, whatever link led to it.

    :raises InvalidRequest: there is none that can be read.
    """
    if not Path(folder).is_absolute():
        raise InvalidRequest(errors=[FieldError("folder", "invalid_request", "give the whole path, from / on")])
    place = str(Path(folder).resolve())
    try:
        look(place)
    except NoFolder as error:
        raise InvalidRequest(errors=[FieldError("folder", "invalid_request", str(error))]) from None
    return place


def _let_read(
    tx: SliceTransaction, policy: Policy, name: str, agents: Iterable[str], *, author: dict[str, object]
) -> None:  # fmt: skip
    kb = dict(policy.kb)
    for agent in agents:
        kb[agent] = kb.get(agent, frozenset()) | {name}
    _set(tx, policy, kb, author=author)


def _let_nobody_read(tx: SliceTransaction, policy: Policy, name: str, *, author: dict[str, object]) -> None:
    left = {agent: names - {name} for agent, names in policy.kb.items()}
    _set(tx, policy, {agent: names for agent, names in left.items() if names}, author=author)


def _set(
    tx: SliceTransaction, policy: Policy, kb: dict[str, frozenset[str]], *, author: dict[str, object]
) -> None:  # fmt: skip
    if kb != policy.kb:
        set_fields(tx, {"kb": to_kept("kb", kb)}, source=BY_HAND, author=author)


def _shown(mount: Mount, policy: Policy, pages: int) -> MountEntry:
    agents = tuple(sorted(agent for agent, names in policy.kb.items() if mount.slice in names))
    return MountEntry(mount.slice, mount.folder, pages, agents, mount.report or (), mount.removed_at)
