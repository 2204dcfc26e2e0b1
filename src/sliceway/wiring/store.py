"""The store that the settings name: opened, migrated, prepared, and how its schema stands."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from typing import Any

from sliceway.brain.keeper import Keeper
from sliceway.brain.local import SCRIPTS as STORE_SCRIPTS
from sliceway.brain.local import LocalBrain, LocalDoor, migrate_postgres, open_local
from sliceway.brain.purging import Retention
from sliceway.core.policy import Policy, approvers_of
from sliceway.core.principals import Principal
from sliceway.core.slices import PUBLIC, SHARED
from sliceway.errors import FieldError, SettingsError, Unavailable
from sliceway.ports import Brain
from sliceway.settings import Settings
from sliceway.store.doctor import is_current
from sliceway.store.opening import is_postgres
from sliceway.store.roles import is_above_the_wall
from sliceway.store.steps import standing, steps_of
from sliceway.wiring.embedding import make_embedder
from sliceway.wiring.fresh import new_id, now

_log = logging.getLogger("sliceway.gateway")


async def open_store(
    settings: Settings, *, as_owner: bool = False, maintains: bool = False, waits: bool = True
) -> LocalDoor:
    """Open the store that the settings name, with the embedding model that they name.

    :param as_owner: for what administers the store itself: on PostgreSQL as the owner of its tables, who brings them
        to this program's schema first.
    :param maintains: for what goes through the whole record: on PostgreSQL as the login of maintenance, where the
        settings name one, else as the owner.
    :param waits: a recall waits until the model is loaded; else keywords alone answer until then.
    :raises SettingsError: another login is wanted, and the settings do not name it; or they name a brain elsewhere, or
        a model that is not installed.
    :raises Unavailable: the store cannot be used.
    """
    needs_store(settings)
    embedder = make_embedder(settings.embed)
    url = settings.store_url
    if maintains and is_postgres(url) and settings.store.maintenance_url is not None:
        url = settings.store.maintenance_url
    elif (as_owner or maintains) and is_postgres(url):
        url = _owner_url(settings, maintains=maintains)
        if not await asyncio.to_thread(is_current, url, STORE_SCRIPTS):  # it locks every table for a moment
            await asyncio.to_thread(migrate_postgres, url, settings.store_url, settings.store.maintenance_url)
    door = await open_local(
        url, sync=settings.store.sync, clock=now, new_id=new_id, pool_size=settings.store.pool_size,
        statement_timeout=settings.store.statement_timeout.total_seconds(), embedder=embedder, waits=waits,
    )  # fmt: skip
    if door.database.lacks is not None:
        _log.warning(
            "the schema lacks additions of this version, which does without them: once every server is of this "
            "version run: sliceway brain migrate, then restart them"
        )
    if (
        door.database.walled
        and not (as_owner or maintains)
        and await asyncio.to_thread(is_above_the_wall, door.database)
    ):
        _log.warning(
            "the login of SLICEWAY_STORE__URL is above PostgreSQL's row-level security, so the database keeps it from "
            "no slice; give the servers a login of their own and run: sliceway brain migrate"
        )
    return door


def _owner_url(settings: Settings, *, maintains: bool = False) -> str:
    """Return the address of the owner of PostgreSQL's tables.

    :param maintains: the login of maintenance would do as well.
    :raises SettingsError: it is not set.
    """
    if settings.store.owner_url is None:
        what = "this works on PostgreSQL's tables as their owner; set SLICEWAY_STORE__OWNER_URL for this command"
        if maintains:
            what = (
                "this goes through every row of PostgreSQL's tables; set SLICEWAY_STORE__MAINTENANCE_URL, or "
                "SLICEWAY_STORE__OWNER_URL, for this command"
            )
        raise SettingsError([FieldError("store.owner_url", "missing", what)])
    return settings.store.owner_url


def needs_store(settings: Settings) -> None:
    """Refuse settings that name a brain elsewhere, for what works on a store on this machine.

    :raises SettingsError: they do.
    """
    if settings.brain.url is not None:
        what = (
            "this names a brain elsewhere, and this command works on the store itself: run it where that store is, or "
            "unset brain.url and brain.token here"
        )
        raise SettingsError([FieldError("brain.url", "invalid_settings", what)])


def migrate_store(settings: Settings) -> bool:
    """Bring the store to this program's schema; return whether anything changed.

    :raises SettingsError: the settings name a brain elsewhere, or not the owner of a store on PostgreSQL.
    """
    needs_store(settings)
    if is_postgres(settings.store_url):
        return migrate_postgres(_owner_url(settings), settings.store_url, settings.store.maintenance_url)
    changed: list[bool] = []

    async def opened() -> None:
        door = await open_local(
            settings.store_url,
            sync=settings.store.sync,
            clock=now,
            new_id=new_id,
            migrated=lambda: changed.append(True),
        )
        await door.close()

    asyncio.run(opened())
    return bool(changed)


def keeper_of(settings: Settings, door: LocalDoor) -> Keeper:
    """Return the keeper of an open store, which erases what was kept for as long as the settings say."""
    retention = Retention(settings.store.keep_deleted, settings.store.keep_leavers)
    return Keeper(door.database, clock=now, new_id=new_id, holder=new_id(), retention=retention)


async def the_agent(brain: Brain, named: str | None) -> str:
    """Return the agent that a command acts as: the one named, or the only registered one (ID3).

    :raises InvalidRequest: several are registered and none is named.
    """
    if named is not None:
        return named
    assert isinstance(brain, LocalBrain)
    return await brain.only_agent()


async def migrations(store: LocalDoor) -> dict[str, Any]:
    """Say at which step the store's schema stands, and how that fits this program: another may have moved it on."""
    try:
        stands = await store.database.reading(standing)
    except Unavailable:
        return {"ok": False}
    fit = steps_of(STORE_SCRIPTS).fit(stands)
    return {"ok": fit.serves, "schema": stands.step, "fit": fit.value}


async def prepare_policy(settings: Settings, door: LocalDoor, *, teams: Collection[str] | None = None) -> None:
    """Copy what the settings say of the policy into the store's, and warn where nobody could approve (AP7).

    :param teams: the workspaces where nobody named any, here or by hand; None leaves what the store has.
    """
    assumed = {"teams": frozenset(teams)} if teams is not None else None
    policy = await door.enter(Principal.operator()).copy_settings(settings.policy_values(), assumed=assumed)
    warn_of_nobody(policy)


def warn_of_nobody(policy: Policy) -> None:
    """Warn where nobody could approve (AP7)."""
    closed = [name for name in (SHARED, PUBLIC) if not approvers_of(policy, name)]
    if closed:
        _log.warning(
            "nobody can approve writes to %s: name managers with SLICEWAY_POLICY__MANAGERS (USER or TEAM:USER), or "
            "those who decide for shared with SLICEWAY_POLICY__APPROVERS",
            " and ".join(closed),
        )
